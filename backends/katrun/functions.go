package katrun

import (
	"fmt"

	"github.com/crosspoint-kernels/crosspoint/kat"
	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// CheckFunctions runs the vectors of every hash function on package keccak,
// which computes them on the CPU whatever the backends: whole messages, and
// messages in pieces. It returns an outcome for each vector.
func CheckFunctions(files []kat.File) []Outcome {
	var outcomes []Outcome
	for _, f := range files {
		for _, v := range f.Hashes {
			outcomes = append(outcomes, newOutcome(f.Name, v.Name, string(v.Function), func() error { return checkFunction(&v) }))
		}
	}
	return outcomes
}

func checkFunction(v *kat.HashVector) error {
	var whole, pieces []byte
	for _, msg := range v.Messages() {
		w, p := make([]byte, v.Size), make([]byte, v.Size)
		if err := hash(v.Function, w, p, msg); err != nil {
			return err
		}
		whole, pieces = append(whole, w...), append(pieces, p...)
	}
	if err := v.Check(whole); err != nil {
		return err
	}
	if err := v.Check(pieces); err != nil {
		return fmt.Errorf("in pieces: %w", err)
	}
	return nil
}

// hash sets whole to the output on a message at once, and pieces to that on a
// message that is written, and read, in pieces of lengths that no rate is a
// multiple of. Where there is no second way both are the same.
func hash(f kat.Function, whole, pieces, msg []byte) error {
	switch f {
	case kat.Keccak256:
		var s keccak.State
		write(&s, msg)
		d, p := keccak.Sum256(msg), s.Sum256()
		copy(whole, d[:])
		copy(pieces, p[:])
	case kat.SHA3256:
		d := keccak.SumSHA3256(msg)
		copy(whole, d[:])
		copy(pieces, d[:])
	case kat.SHAKE128:
		keccak.SHAKE128(whole, msg)
		squeeze(keccak.NewSHAKE128(), pieces, msg)
	case kat.SHAKE256:
		keccak.SHAKE256(whole, msg)
		squeeze(keccak.NewSHAKE256(), pieces, msg)
	default:
		return fmt.Errorf("no function %q", f)
	}
	return nil
}

// piece is the length of the pieces of messages and outputs.
const piece = 37

// write writes msg in pieces. Neither a State nor an XOF fails before it is read.
func write(w interface{ Write([]byte) (int, error) }, msg []byte) {
	for ; len(msg) > piece; msg = msg[piece:] {
		w.Write(msg[:piece])
	}
	w.Write(msg)
}

func squeeze(x *keccak.XOF, out, msg []byte) {
	write(x, msg)
	for len(out) > 0 {
		n := min(piece, len(out))
		x.Read(out[:n])
		out = out[n:]
	}
}
