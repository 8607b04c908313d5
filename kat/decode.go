package kat

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
)

// The JSON of the schema crosspoint-kat/1. README.md explains each field.
type (
	fileJSON struct {
		Schema     string       `json:"schema"`
		Name       string       `json:"name"`
		Provenance Provenance   `json:"provenance"`
		Rings      []ringJSON   `json:"rings"`
		Vectors    []vectorJSON `json:"vectors"`
		Probes     []probeJSON  `json:"probes"`

		Hashes       []hashJSON        `json:"hashes"`
		Permutations []permutationJSON `json:"permutations"`
		Roots        []rootJSON        `json:"roots"`
	}
	ringJSON struct {
		Name         string `json:"name"`
		N            int    `json:"n"`
		Q            string `json:"q"`
		Psi          string `json:"psi"`
		Roots        string `json:"roots_sha3_256"`
		InverseRoots string `json:"inverse_roots_sha3_256"`
	}
	vectorJSON struct {
		Name   string        `json:"name"`
		Ring   string        `json:"ring"`
		Op     Op            `json:"op"`
		Rows   int           `json:"rows"`
		Inputs []operandJSON `json:"inputs"`
		Output outputJSON    `json:"output"`
	}
	operandJSON struct {
		Gen    generator `json:"gen"`
		Seed   uint64    `json:"seed"`
		Skip   uint64    `json:"skip"`
		At     int       `json:"at"`
		Values string    `json:"values"`
		Rows   []string  `json:"rows"`
		SHA3   string    `json:"sha3_256"`
	}
	outputJSON struct {
		operandJSON
		SHA2  string `json:"sha256"`
		First string `json:"first"`
		Last  string `json:"last"`
	}
	probeJSON struct {
		Ring  string   `json:"ring"`
		Cases []string `json:"cases"`
	}
)

// parseFile reads a file of the schema crosspoint-kat/1.
func parseFile(data []byte) (File, error) {
	var j fileJSON
	if err := strictJSON(data, &j); err != nil {
		return File{}, &ParseError{Err: err}
	}
	f := File{Name: j.Name, Schema: j.Schema, Provenance: j.Provenance}
	rings := map[string]Ring{}
	for i, r := range j.Rings {
		ring, err := r.parse()
		if _, twice := rings[ring.Name]; err == nil && twice {
			err = fmt.Errorf("%w: name %q is taken", ErrSyntax, ring.Name)
		}
		if err != nil {
			return File{}, &ParseError{Where: fmt.Sprintf("rings[%d]", i), Err: err}
		}
		rings[ring.Name] = ring
	}
	inRing := func(v vectorJSON) (Vector, error) { return v.parse(rings) }
	probeInRing := func(p probeJSON) (Probe, error) { return p.parse(rings) }
	err := cmp.Or(
		parseEach("vectors", j.Vectors, inRing, &f.Vectors),
		parseEach("probes", j.Probes, probeInRing, &f.Probes),
		parseEach("hashes", j.Hashes, hashJSON.parse, &f.Hashes),
		parseEach("permutations", j.Permutations, permutationJSON.parse, &f.Permutations),
		parseEach("roots", j.Roots, rootJSON.parse, &f.Roots),
	)
	if err != nil {
		return File{}, err
	}
	if len(f.Vectors)+len(f.Probes)+len(f.Hashes)+len(f.Permutations)+len(f.Roots) == 0 {
		return File{}, &ParseError{Err: fmt.Errorf("%w: no vectors", ErrLength)}
	}
	return f, nil
}

// parseEach appends what parse makes of every item to a list.
func parseEach[J, T any](name string, items []J, parse func(J) (T, error), to *[]T) error {
	for i, item := range items {
		x, err := parse(item)
		if err != nil {
			return &ParseError{Where: fmt.Sprintf("%s[%d]", name, i), Err: err}
		}
		*to = append(*to, x)
	}
	return nil
}

// strictJSON decodes one value into to and refuses unknown fields and whatever
// follows it.
func strictJSON(data []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return syntax(err)
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("%w: more than one value", ErrSyntax)
	}
	return nil
}

// syntax wraps an error of package encoding/json. Of a value of the wrong type it
// tells the field and what the schema has there, where that package names a type
// of Go.
func syntax(err error) error {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) || wrong.Field == "" {
		return fmt.Errorf("%w: %w", ErrSyntax, err)
	}
	kind := wrong.Type
	if kind.Kind() == reflect.Pointer {
		kind = kind.Elem()
	}
	want := "a whole number in range"
	switch kind.Kind() {
	case reflect.String:
		want = "a string"
	case reflect.Bool:
		want = "true or false"
	case reflect.Slice:
		want = "a list"
	case reflect.Struct, reflect.Map:
		want = "an object"
	}
	got, _, _ := strings.Cut(wrong.Value, " ") // a number is followed by its digits
	return fmt.Errorf("%w: %s: got a JSON %s, want %s", ErrSyntax, wrong.Field, got, want)
}

func (j ringJSON) parse() (Ring, error) {
	r := Ring{Name: j.Name, N: j.N, RootsSHA3: j.Roots, InverseRootsSHA3: j.InverseRoots}
	var err error
	if r.Q, err = parseScalar(j.Q); err != nil {
		return r, fmt.Errorf("q: %w", err)
	}
	if r.Psi, err = parseScalar(j.Psi); err != nil {
		return r, fmt.Errorf("psi: %w", err)
	}
	if err := checkHex(r.RootsSHA3, r.InverseRootsSHA3); err != nil {
		return r, err
	}
	return r, r.check()
}

func (j vectorJSON) parse(rings map[string]Ring) (Vector, error) {
	ring, ok := rings[j.Ring]
	v := Vector{Name: j.Name, Ring: ring, Op: j.Op, Rows: j.Rows}
	names := operands[j.Op]
	switch {
	case !ok:
		return v, fmt.Errorf("%w: ring %q is not in the file", ErrRing, j.Ring)
	case names == nil:
		return v, fmt.Errorf("%w: op %q", ErrUnsupported, j.Op)
	case len(j.Inputs) != len(names):
		return v, fmt.Errorf("%w: %d inputs, want %d", ErrLength, len(j.Inputs), len(names))
	case j.Rows < 1 || j.Rows > MaxCoefficients/ring.N:
		return v, fmt.Errorf("%w: %d rows, want 1 to %d", ErrLength, j.Rows, MaxCoefficients/ring.N)
	}
	for i, in := range j.Inputs {
		o, err := in.parse(ring, j.Rows)
		if err != nil {
			return v, fmt.Errorf("input %s: %w", names[i], err)
		}
		v.inputs = append(v.inputs, o)
	}
	var err error
	if v.output, err = j.Output.parse(ring, j.Rows); err != nil {
		err = fmt.Errorf("output: %w", err)
	}
	return v, err
}

func (j operandJSON) parse(r Ring, rows int) (operand, error) {
	o := operand{gen: j.Gen, seed: j.Seed, skip: j.Skip, at: j.At, sha3: j.SHA3}
	text := j.Values
	if o.gen == genRows {
		if len(j.Rows) != rows || text != "" {
			return o, fmt.Errorf("%w: %d rows written out, want %d", ErrLength, len(j.Rows), rows)
		}
		text = strings.Join(j.Rows, " ")
	} else if j.Rows != nil {
		return o, fmt.Errorf("%w: both a generator and rows", ErrSyntax)
	}
	if err := checkHex(o.sha3); err != nil {
		return o, err
	}
	var err error
	if o.values, err = parseWords(text); err != nil {
		return o, err
	}
	return o, o.check(r, rows)
}

// empty reports whether j makes no rows: a digest alone does not.
func (j operandJSON) empty() bool {
	return j.Gen == genRows && j.Rows == nil && j.Values == "" && j.Seed|j.Skip == 0 && j.At == 0
}

func (j outputJSON) parse(r Ring, rows int) (output, error) {
	out := output{sha3: j.SHA3, sha2: j.SHA2}
	if !j.empty() {
		full, err := j.operandJSON.parse(r, rows)
		if err != nil {
			return out, err
		}
		out.full = &full
	}
	if err := checkHex(out.sha3, out.sha2); err != nil {
		return out, err
	}
	if out.full == nil && out.sha3 == "" && out.sha2 == "" {
		return out, fmt.Errorf("%w: neither rows nor a generator nor a digest", ErrSyntax)
	}
	var err error
	if out.first, err = parseEnd(j.First, r, rows); err != nil {
		return out, fmt.Errorf("first: %w", err)
	}
	if out.last, err = parseEnd(j.Last, r, rows); err != nil {
		return out, fmt.Errorf("last: %w", err)
	}
	return out, nil
}

// parseEnd reads the first or the last coefficients of a batch.
func parseEnd(s string, r Ring, rows int) ([]uint64, error) {
	words, err := parseWords(s)
	if err == nil && len(words) > rows*r.N {
		err = fmt.Errorf("%w: %d values of %d", ErrLength, len(words), rows*r.N)
	}
	if err == nil {
		err = checkRange(words, r.Q)
	}
	return words, err
}

// parseWords reads hexadecimal words, without prefix and parted by spaces.
func parseWords(s string) ([]uint64, error) {
	fields := strings.Fields(s)
	words := make([]uint64, len(fields))
	for i, f := range fields {
		w, err := strconv.ParseUint(f, 16, 64)
		switch {
		case strings.HasPrefix(f, "0x"), strings.HasPrefix(f, "0X"):
			return nil, fmt.Errorf("%w: value %d: hexadecimal is written without 0x here", ErrSyntax, i)
		case errors.Is(err, strconv.ErrRange):
			return nil, fmt.Errorf("%w: value %d: more than 64 bits", ErrSyntax, i)
		case err != nil:
			return nil, fmt.Errorf("%w: value %d: not hexadecimal", ErrSyntax, i)
		}
		words[i] = w
	}
	return words, nil
}

// parseScalar reads one hexadecimal word with the prefix 0x.
func parseScalar(s string) (uint64, error) {
	digits, ok := strings.CutPrefix(s, "0x")
	w, err := strconv.ParseUint(digits, 16, 64)
	if !ok || err != nil {
		return 0, fmt.Errorf("%w: %q is not 0x and hexadecimal digits", ErrSyntax, s)
	}
	return w, nil
}

// checkHex returns an error unless each digest is empty or 32 bytes in
// lower-case hexadecimal.
func checkHex(digests ...string) error {
	for _, d := range digests {
		b, err := hex.DecodeString(d)
		if err != nil || d != "" && (len(b) != 32 || d != strings.ToLower(d)) {
			return fmt.Errorf("%w: %q is not a digest of 32 bytes", ErrSyntax, d)
		}
	}
	return nil
}
