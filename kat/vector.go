package kat

import (
	"crypto/sha256"
	"crypto/sha3"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
)

// Vector is one known answer: an operation on a batch of rows and its output.
type Vector struct {
	Name string
	Ring Ring
	Op   Op
	Rows int

	inputs []operand
	output output
}

// output is what is known of an output: all of it, or a digest and both ends.
type output struct {
	full        *operand
	first, last []uint64
	sha3, sha2  string // in hexadecimal; empty where not known
}

// Inputs returns the operands in the order of Op.Operands, each a flat batch of
// Rows rows of Ring.N coefficients in [0, q). They are made anew at each call.
func (v *Vector) Inputs() [][]uint64 {
	in := make([][]uint64, len(v.inputs))
	for i, o := range v.inputs {
		in[i] = o.expand(v.Ring, v.Rows)
	}
	return in
}

// CheckInputs returns nil unless a digest in the file says that the inputs, as
// Inputs returned them, are not those by which the output was made; it wraps
// ErrDigest then. That happens when a generator is not implemented as meant.
func (v *Vector) CheckInputs(in [][]uint64) error {
	for i, o := range v.inputs {
		if o.sha3 != "" && SHA3(in[i]) != o.sha3 {
			return fmt.Errorf("%w: operand %s", ErrDigest, operands[v.Op][i])
		}
	}
	return nil
}

// Check returns nil when got is the known output, a flat batch of Rows rows. It
// returns a *Mismatch for the first coefficient that is known to differ, a
// *DigestMismatch where only a digest tells, and wraps ErrLength where got has
// another length.
func (v *Vector) Check(got []uint64) error {
	n, size := v.Ring.N, v.Rows*v.Ring.N
	if len(got) != size {
		return fmt.Errorf("%w: output has %d coefficients, want %d", ErrLength, len(got), size)
	}
	if v.output.full != nil {
		if err := compare(got, v.output.full.expand(v.Ring, v.Rows), 0, n); err != nil {
			return err
		}
	}
	first, last := v.output.first, v.output.last
	if err := compare(got, first, 0, n); err != nil {
		return err
	}
	if err := compare(got, last, size-len(last), n); err != nil {
		return err
	}
	if err := checkDigest("SHA3-256", sha3.New256(), got, v.output.sha3); err != nil {
		return err
	}
	return checkDigest("SHA-256", sha256.New(), got, v.output.sha2)
}

// compare holds got, from coefficient at on, against want.
func compare(got, want []uint64, at, n int) error {
	for i, w := range want {
		if g := got[at+i]; g != w {
			return &Mismatch{Row: (at + i) / n, Index: (at + i) % n, Got: g, Want: w}
		}
	}
	return nil
}

// checkDigest compares the digest of words with want, unless that is empty.
func checkDigest(name string, h hash.Hash, words []uint64, want string) error {
	if want == "" {
		return nil
	}
	if got := digest(h, words); got != want {
		return &DigestMismatch{Hash: name, Got: got, Want: want}
	}
	return nil
}

// digest returns the digest of words as little-endian bytes, in hexadecimal.
func digest(h hash.Hash, words []uint64) string {
	var buf [4096]byte
	for len(words) > 0 {
		n := min(len(words), len(buf)/8)
		for i, w := range words[:n] {
			binary.LittleEndian.PutUint64(buf[8*i:], w)
		}
		h.Write(buf[:8*n])
		words = words[n:]
	}
	return hex.EncodeToString(h.Sum(nil))
}

// SHA3 returns the SHA3-256 of words as little-endian bytes, in hexadecimal:
// the digest that the files use.
func SHA3(words []uint64) string { return digest(sha3.New256(), words) }
