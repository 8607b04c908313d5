package amd64

import (
	"encoding/binary"
	"testing"

	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// fuzzOperation checks one operation at every width that the machine has, on
// rows made of the input's words, in rings on either side of a block.
func fuzzOperation(f *testing.F, c call) {
	type subject struct {
		r *ntt.Ring
		x *NTT
	}
	var subjects []subject
	for _, w := range Widths() {
		for _, n := range []int{8, 16, 64, 128, 256, 512} {
			for _, limit := range []uint64{1<<transformKernels(w).maxBits - 1, 1 << 28, 1 << 20} {
				r := ringUpTo(f, n, limit)
				subjects = append(subjects, subject{r, mustNTT(f, r, w)})
			}
		}
		if w == IFMA {
			r := parse(f, "pulsar")
			subjects = append(subjects, subject{r, mustNTT(f, r, w)})
		}
	}
	if len(subjects) == 0 {
		f.Skip("this build or this machine has no width")
	}
	for i := range subjects {
		f.Add(uint8(i), []byte{})
		f.Add(uint8(i), []byte("\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00\x00\x00\x00\x80\x01"))
	}
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		s := subjects[int(which)%len(subjects)]
		const rows = 3
		a, b, dst := words(data, 0, rows, s.r), words(data, 3, rows, s.r), words(data, 5, rows, s.r)
		if err := c.check(s.r, s.x, dst, a, b, which&1 == 0); err != nil {
			t.Fatalf("ring %v: %v", s.r, err)
		}
	})
}

// words returns rows of the words of data from one on, repeated, modulo q, of
// which the largest become q-1.
func words(data []byte, from, rows int, r *ntt.Ring) []uint64 {
	s := make([]uint64, rows*r.N())
	for i := range s {
		var word [8]byte
		if len(data) > 0 {
			copy(word[:], data[8*(from+i)%len(data):])
		}
		if s[i] = binary.LittleEndian.Uint64(word[:]); s[i] > 1<<63 {
			s[i] = r.Q() - 1
		}
		s[i] %= r.Q()
	}
	return s
}

func FuzzForward(f *testing.F)    { fuzzOperation(f, calls[0]) }
func FuzzInverse(f *testing.F)    { fuzzOperation(f, calls[1]) }
func FuzzMForm(f *testing.F)      { fuzzOperation(f, calls[2]) }
func FuzzIMForm(f *testing.F)     { fuzzOperation(f, calls[3]) }
func FuzzMul(f *testing.F)        { fuzzOperation(f, calls[4]) }
func FuzzMulAdd(f *testing.F)     { fuzzOperation(f, calls[5]) }
func FuzzMulMont(f *testing.F)    { fuzzOperation(f, calls[6]) }
func FuzzMulAddMont(f *testing.F) { fuzzOperation(f, calls[7]) }
