package kat

// Op is an operation on whole rows. The names are those of the JSON files.
type Op string

// The operations. Their operands come in the order given, as flat rows.
const (
	Forward    Op = "forward"    // transform of src; natural order to bit-reversed order
	Inverse    Op = "inverse"    // of src; bit-reversed order to natural order
	Mul        Op = "mul"        // a*b, coefficient by coefficient
	MulAdd     Op = "muladd"     // dst + a*b
	MulMont    Op = "mulmont"    // a*b/2^64
	MulAddMont Op = "muladdmont" // dst + a*b/2^64
	MForm      Op = "mform"      // src*2^64
	IMForm     Op = "imform"     // src/2^64
	Product    Op = "product"    // a*b mod X^N+1, in natural order
)

// operands names the operands of each operation.
var operands = map[Op][]string{
	Forward:    {"src"},
	Inverse:    {"src"},
	Mul:        {"a", "b"},
	MulAdd:     {"dst", "a", "b"},
	MulMont:    {"a", "b"},
	MulAddMont: {"dst", "a", "b"},
	MForm:      {"src"},
	IMForm:     {"src"},
	Product:    {"a", "b"},
}

// Operands returns the names of the operands in the order of Vector.Inputs, or
// nil where op is none of the constants.
func (op Op) Operands() []string { return append([]string(nil), operands[op]...) }
