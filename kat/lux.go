package kat

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
)

// LuxSchema names the bundles of luxfi/math, codec/kat.go. Of them Parse takes
// the forward transforms in Pulsar's ring, which is all that their
// ntt/testdata/ntt_kat.json holds.
const LuxSchema = "lux.math.kat.v1"

type luxJSON struct {
	Entries []luxEntry `json:"entries"`
}

type luxEntry struct {
	Header struct {
		ParameterSet   string `json:"parameter_set"`
		ModulusID      string `json:"modulus_id"`
		Implementation string `json:"implementation_name"`
		Version        string `json:"implementation_version"`
	} `json:"header"`
	Test         string `json:"test"`
	InputHex     string `json:"input_hex"`
	OutputHex    string `json:"output_hex"`
	OutputSHA256 string `json:"output_sha256"`
}

// luxRing is what luxfi/math calls math.ntt.pulsar-n256.v1. The bundle names
// no psi; theirs is lattigo's.
var luxRing = Ring{Name: "pulsar", N: 256, Q: 0x1000000004A01, Psi: 0xa58a46cdd563}

const (
	luxParameterSet = "math.ntt.pulsar-n256.v1"
	luxModulusID    = "pulsar-q-0x1000000004a01"
)

// parseLux reads a bundle. Unlike our own files it may hold fields that are not
// known here: the format is not ours to freeze.
func parseLux(data []byte) (File, error) {
	var j luxJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return File{}, &ParseError{Err: syntax(err)}
	}
	if len(j.Entries) == 0 {
		return File{}, &ParseError{Err: fmt.Errorf("%w: no entries", ErrLength)}
	}
	f := File{Name: "lux", Schema: LuxSchema}
	for i, e := range j.Entries {
		v, err := e.parse()
		if err != nil {
			return File{}, &ParseError{Where: fmt.Sprintf("entries[%d]", i), Err: err}
		}
		f.Vectors = append(f.Vectors, v)
		f.Provenance.Source = e.Header.Implementation + " " + e.Header.Version
	}
	return f, nil
}

func (e luxEntry) parse() (Vector, error) {
	v := Vector{Name: e.Test, Ring: luxRing, Op: Forward, Rows: 1}
	h := e.Header
	if h.ParameterSet != luxParameterSet || h.ModulusID != luxModulusID || !strings.HasPrefix(e.Test, "Forward/") {
		return v, fmt.Errorf("%w: %q of %q modulo %q", ErrUnsupported, e.Test, h.ParameterSet, h.ModulusID)
	}
	in, err := parseLuxRow(e.InputHex)
	if err != nil {
		return v, fmt.Errorf("input_hex: %w", err)
	}
	out, err := parseLuxRow(e.OutputHex)
	if err != nil {
		return v, fmt.Errorf("output_hex: %w", err)
	}
	if err := checkHex(e.OutputSHA256); err != nil {
		return v, fmt.Errorf("output_sha256: %w", err)
	}
	v.inputs = []operand{{values: in}}
	v.output = output{full: &operand{values: out}, sha2: e.OutputSHA256}
	if err := v.Check(out); err != nil {
		return v, fmt.Errorf("%w: output_sha256", ErrDigest)
	}
	return v, nil
}

// parseLuxRow reads one polynomial from packed little-endian words.
func parseLuxRow(s string) ([]uint64, error) {
	b, err := hex.DecodeString(s)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSyntax, err)
	}
	if len(b) != 8*luxRing.N {
		return nil, fmt.Errorf("%w: %d bytes, want %d", ErrLength, len(b), 8*luxRing.N)
	}
	words := make([]uint64, luxRing.N)
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return words, checkRange(words, luxRing.Q)
}
