package ntt

import (
	"encoding/binary"
	"errors"
	"testing"
)

// FuzzParse checks that Parse never panics, that its errors are typed, and that
// a ring reads back what it prints.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"pulsar", "MLDSA", "256,0x1000000004A01", "8,17,3", "16, 97", "8,17,", ",", "1,1,1,1", "8,0x2000000000000000", "\x00", "8,17,\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, err := Parse(s)
		if err != nil {
			var re *RingError
			var se *SyntaxError
			if r != nil || errors.As(err, &re) == errors.As(err, &se) || err.Error() == "" {
				t.Fatalf("Parse(%q) = %v, %v", s, r, err)
			}
			return
		}
		if again, err := Parse(r.String()); err != nil || again.String() != r.String() {
			t.Fatalf("Parse(%q) prints %s, which reads %v, %v", s, r, again, err)
		}
	})
}

// FuzzTransform checks both transforms against the textbook one, and the way
// back, on a row made of the input's words.
func FuzzTransform(f *testing.F) {
	var rings []*Ring
	for _, c := range []struct {
		n int
		q uint64
	}{{8, 17}, {16, 97}, {64, 257}, {256, 0x1000000004A01}, {256, primeUpTo(1<<58, 256)}, {64, primeUpTo(1<<61-1, 64)}} {
		rings = append(rings, mustRing(f, c.n, c.q))
	}
	for i := range rings {
		f.Add(uint8(i), []byte{})
		f.Add(uint8(i), []byte{1})
		f.Add(uint8(i), []byte("\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00\x00\x00\x00\x80"))
	}
	f.Fuzz(func(t *testing.T, ring uint8, data []byte) {
		r := rings[int(ring)%len(rings)]
		a := make([]uint64, r.n)
		for i := range a { // the words of data, repeated, the last one padded
			var word [8]byte
			if len(data) > 0 {
				copy(word[:], data[8*i%len(data):])
			}
			a[i] = binary.LittleEndian.Uint64(word[:]) % r.q
		}
		for i, d := range directions {
			if err := checkTransform(r, d, d.run, a); err != nil {
				t.Fatalf("ring %s, %s: %v", r, d.name, err)
			}
			back := make([]uint64, r.n)
			d.run(r, back, a)
			directions[1-i].run(r, back, back)
			if err := sameRows(r, back, a); err != nil {
				t.Fatalf("ring %s, %s and back: %v", r, d.name, err)
			}
		}
	})
}
