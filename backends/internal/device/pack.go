package device

import (
	"encoding/binary"
	"unsafe"
)

// packCoefficients is how many coefficients are checked and then packed at a
// time: 32 KiB of them, which the first-level cache still holds for the packing.
const packCoefficients = 4096

// pack checks the rows of src, argument arg of a call, and returns them as the
// device wants them, in their own memory or in scratch, which grows as needed.
// The rows of an *ntt.RangeError count from the start of src.
func (l *layout) pack(arg string, src []uint64, scratch *[]byte) ([]byte, error) {
	if l.direct {
		return bytesOf(src), l.ring.CheckRange(arg, src)
	}
	p := l.scratch(scratch, len(src))
	block := max(l.ring.N(), packCoefficients) // whole rows: N is a power of two
	for i := 0; i < len(src); i += block {
		part := src[i:min(i+block, len(src))]
		if err := l.ring.CheckRange(arg, part); err != nil {
			return nil, shiftRow(err, i/l.ring.N())
		}
		l.encode(p[i*l.word():], part)
	}
	return p, nil
}

// word returns the bytes of a coefficient on the device.
func (l *layout) word() int { return l.rowBytes / l.ring.N() }

// scratch returns the bytes for n coefficients out of *s, which it grows to the
// size of a slot.
func (l *layout) scratch(s *[]byte, n int) []byte {
	if size := n * l.word(); len(*s) < size {
		clear(*s)
		*s = make([]byte, l.slotRows(n/l.ring.N())*l.rowBytes)
	}
	return (*s)[:n*l.word()]
}

// encode writes src to p as little-endian words. Coefficients are in [0, q).
func (l *layout) encode(p []byte, src []uint64) {
	switch {
	case l.direct:
		copy(p, bytesOf(src))
	case l.word() == 4:
		p = p[:4*len(src)]
		for i, x := range src {
			binary.LittleEndian.PutUint32(p[4*i:4*i+4], uint32(x))
		}
	default:
		p = p[:8*len(src)]
		for i, x := range src {
			binary.LittleEndian.PutUint64(p[8*i:8*i+8], x)
		}
	}
}

// decode reads the little-endian words of p, which fill dst.
func (l *layout) decode(dst []uint64, p []byte) {
	switch {
	case l.direct:
		copy(bytesOf(dst), p)
	case l.word() == 4:
		p = p[:4*len(dst)]
		for i := range dst {
			dst[i] = uint64(binary.LittleEndian.Uint32(p[4*i : 4*i+4]))
		}
	default:
		p = p[:8*len(dst)]
		for i := range dst {
			dst[i] = binary.LittleEndian.Uint64(p[8*i : 8*i+8])
		}
	}
}

// bytesOf returns the memory of s.
func bytesOf(s []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), 8*len(s))
}

func littleEndian() bool {
	x := uint16(1)
	return *(*byte)(unsafe.Pointer(&x)) == 1
}
