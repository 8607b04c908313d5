package kat

import (
	"encoding/hex"
	"fmt"
	"slices"
)

// Function is a function of the Keccak family. The names are those of the JSON
// files.
type Function string

// The functions. The first two give 32 bytes, the others as many as one likes.
const (
	Keccak256 Function = "keccak256" // domain byte 0x01, rate 136
	SHA3256   Function = "sha3-256"  // domain byte 0x06, rate 136
	SHAKE128  Function = "shake128"  // domain byte 0x1f, rate 168
	SHAKE256  Function = "shake256"  // domain byte 0x1f, rate 136
)

// functions are the known ones, and whether their output is as long as one
// likes.
var functions = map[Function]bool{Keccak256: false, SHA3256: false, SHAKE128: true, SHAKE256: true}

// MaxBytes bounds the bytes of a vector's messages together, and of its output.
const MaxBytes = 1 << 24

// HashVector is one known answer of a hash function: one message or several,
// and Size bytes of output for each.
type HashVector struct {
	Name     string
	Function Function
	Size     int // 32 for Keccak256 and SHA3256

	message message
	output  []byte // of all messages, one after the other; nil where not known
	keccak  string // Keccak-256 of that, in hexadecimal; empty where not known
}

// Len returns the number of messages, at least 1.
func (v *HashVector) Len() int { return v.message.len() }

// Messages returns the messages, made anew at each call.
func (v *HashVector) Messages() [][]byte { return v.message.expand() }

// Check returns nil when got is the known output: Size bytes for each message,
// one after the other. It returns a *HashMismatch for the first message whose
// output is known to differ, a *DigestMismatch where only a digest tells, and
// wraps ErrLength where got has another length.
func (v *HashVector) Check(got []byte) error {
	if want := v.Len() * v.Size; len(got) != want {
		return fmt.Errorf("%w: output has %d bytes, want %d", ErrLength, len(got), want)
	}
	if v.output != nil {
		if err := CompareDigests(got, v.output, v.Size); err != nil {
			return err
		}
	}
	if v.keccak == "" {
		return nil
	}
	if d := keccak256(got); hex.EncodeToString(d[:]) != v.keccak {
		return &DigestMismatch{Hash: "Keccak-256", Got: hex.EncodeToString(d[:]), Want: v.keccak}
	}
	return nil
}

// CompareDigests returns a *HashMismatch for the first output of size bytes in
// which got differs from want; both are equally long.
func CompareDigests(got, want []byte, size int) error {
	for i := 0; i < len(want); i += size {
		if g, w := got[i:i+size], want[i:i+size]; !slices.Equal(g, w) {
			return &HashMismatch{Message: i / size, Got: hex.EncodeToString(g), Want: hex.EncodeToString(w)}
		}
	}
	return nil
}

// Permutation is a known answer of Keccak-f[1600]: Out is Times applications of
// it to In, where lane (x, y) is word 5y+x.
type Permutation struct {
	Name    string
	Times   int // from 1 to MaxBytes
	In, Out [25]uint64
}
