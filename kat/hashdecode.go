package kat

import (
	"encoding/hex"
	"fmt"
	"strings"
)

// The JSON of hash vectors and permutations. README.md explains each field.
type (
	hashJSON struct {
		Name     string      `json:"name"`
		Function Function    `json:"function"`
		Size     *int        `json:"size"`
		Message  messageJSON `json:"message"`
		Output   *string     `json:"output"`
		Keccak   string      `json:"output_keccak256"`
	}
	messageJSON struct {
		Gen     messageGen `json:"gen"`
		Length  *int       `json:"length"`
		Through *int       `json:"through"`
		Byte    *string    `json:"byte"`
		Hex     *string    `json:"hex"`
	}
	permutationJSON struct {
		Name  string `json:"name"`
		Times int    `json:"times"`
		In    string `json:"in"`
		Out   string `json:"out"`
	}
)

func (j hashJSON) parse() (HashVector, error) {
	v := HashVector{Name: j.Name, Function: j.Function, Size: 32, keccak: j.Keccak}
	xof, ok := functions[j.Function]
	if !ok {
		return v, fmt.Errorf("%w: function %q", ErrUnsupported, j.Function)
	}
	if (j.Size != nil) != xof {
		return v, fmt.Errorf("%w: a size where the function has one, or none where it has none", ErrSyntax)
	}
	if xof {
		v.Size = *j.Size
	}
	var err error
	if v.message, err = j.Message.parse(); err != nil {
		return v, fmt.Errorf("message: %w", err)
	}
	if v.Size < 1 || v.Size > MaxBytes/v.Len() {
		return v, fmt.Errorf("%w: %d bytes of output for each of %d messages", ErrLength, v.Size, v.Len())
	}
	if j.Output == nil && j.Keccak == "" {
		return v, fmt.Errorf("%w: neither an output nor its digest", ErrSyntax)
	}
	if j.Output != nil {
		if v.output, err = parseBytes(*j.Output); err != nil {
			return v, fmt.Errorf("output: %w", err)
		}
		if len(v.output) != v.Size*v.Len() {
			return v, fmt.Errorf("%w: output has %d bytes, want %d", ErrLength, len(v.output), v.Size*v.Len())
		}
	}
	return v, checkHex(j.Keccak)
}

func (j messageJSON) parse() (message, error) {
	m := message{gen: j.Gen}
	written, generated := j.Hex != nil, j.Length != nil
	if written == generated || written != (j.Gen == msgHex) {
		return m, fmt.Errorf("%w: want either hex, or a generator and a length", ErrSyntax)
	}
	if (j.Byte != nil) != (j.Gen == msgRepeat) || j.Through != nil && written {
		return m, fmt.Errorf("%w: a field that %q does not use, or one it lacks", ErrSyntax, j.Gen)
	}
	var err error
	if written {
		m.data, err = parseBytes(*j.Hex)
		m.length, m.through = len(m.data), len(m.data)
	} else {
		m.length, m.through = *j.Length, *j.Length
	}
	if j.Through != nil {
		m.through = *j.Through
	}
	if j.Byte != nil {
		var b []byte
		if b, err = parseBytes(*j.Byte); err == nil && len(b) != 1 {
			err = fmt.Errorf("%w: byte %q", ErrLength, *j.Byte)
		}
		if err == nil {
			m.fill = b[0]
		}
	}
	if err != nil {
		return m, err
	}
	return m, m.check()
}

func (j permutationJSON) parse() (Permutation, error) {
	p := Permutation{Name: j.Name, Times: j.Times}
	if p.Times < 1 || p.Times > MaxBytes {
		return p, fmt.Errorf("%w: %d times", ErrLength, p.Times)
	}
	for _, state := range []struct {
		text string
		to   *[25]uint64
	}{{j.In, &p.In}, {j.Out, &p.Out}} {
		words, err := parseWords(state.text)
		if err != nil {
			return p, err
		}
		if len(words) != len(state.to) {
			return p, fmt.Errorf("%w: %d lanes, want %d", ErrLength, len(words), len(state.to))
		}
		copy(state.to[:], words)
	}
	return p, nil
}

// parseBytes reads lower-case hexadecimal without a prefix. It is never nil
// without an error.
func parseBytes(s string) ([]byte, error) {
	b, err := hex.DecodeString(s)
	if err != nil || s != strings.ToLower(s) {
		return nil, fmt.Errorf("%w: bytes that are not lower-case hexadecimal", ErrSyntax)
	}
	return b, nil
}
