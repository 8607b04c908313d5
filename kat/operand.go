package kat

import "fmt"

// generator names a way to make the rows of an operand; the names are those of
// the JSON files.
type generator string

const (
	genRows     generator = ""           // written out
	genIota     generator = "iota"       // FillIota
	genDelta    generator = "delta"      // FillDelta: at, one value
	genPeriodic generator = "periodic"   // FillPeriodic: values
	genSplitMix generator = "splitmix64" // SplitMix64.Fill: seed, skip
	genSparse   generator = "sparse"     // SplitMix64.FillSparse: seed, skip
)

// operand is a batch of rows, written out or generated.
type operand struct {
	gen        generator
	seed, skip uint64   // splitmix64 and sparse
	at         int      // delta
	values     []uint64 // delta and periodic, or the coefficients written out
	sha3       string   // SHA3-256 of the words, in hexadecimal; empty where not known
}

// expand returns the rows of an operand that check has accepted.
func (o operand) expand(r Ring, rows int) []uint64 {
	dst := make([]uint64, rows*r.N)
	stream := NewSplitMix64(o.seed)
	stream.Skip(o.skip)
	switch o.gen {
	case genRows:
		copy(dst, o.values)
	case genIota:
		FillIota(dst, r.N, r.Q)
	case genDelta:
		FillDelta(dst, r.N, o.at, o.values[0])
	case genPeriodic:
		FillPeriodic(dst, r.N, o.values...)
	case genSplitMix:
		stream.Fill(dst, r.Q)
	case genSparse:
		stream.FillSparse(dst, r.Q)
	}
	return dst
}

// check returns an error unless the operand makes rows of coefficients in
// [0, q).
func (o operand) check(r Ring, rows int) error {
	if random := o.gen == genSplitMix || o.gen == genSparse; !random && o.seed|o.skip != 0 {
		return fmt.Errorf("%w: a seed or a skip that is not used", ErrSyntax)
	}
	if o.gen != genDelta && o.at != 0 {
		return fmt.Errorf("%w: an index that is not used", ErrSyntax)
	}
	want := 0
	switch o.gen {
	case genRows:
		want = rows * r.N
	case genDelta:
		want = 1
		if o.at < 0 || o.at >= r.N {
			return fmt.Errorf("%w: at = %d is not an index of a row", ErrLength, o.at)
		}
	case genPeriodic:
		want = max(1, min(len(o.values), r.N))
	case genIota, genSplitMix, genSparse:
	default:
		return fmt.Errorf("%w: no generator %q", ErrSyntax, o.gen)
	}
	if len(o.values) != want {
		return fmt.Errorf("%w: %d values, want %d", ErrLength, len(o.values), want)
	}
	return checkRange(o.values, r.Q)
}

// checkRange returns an error that wraps ErrRange unless every word is below q.
func checkRange(words []uint64, q uint64) error {
	for i, w := range words {
		if w >= q {
			return fmt.Errorf("%w: value %d is %#x", ErrRange, i, w)
		}
	}
	return nil
}
