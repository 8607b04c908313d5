package device

import (
	"encoding/binary"
	"maps"
	"math/bits"

	"github.com/crosspoint-kernels/crosspoint/gpu"
	"github.com/crosspoint-kernels/crosspoint/gpu/gputest"
	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// hashOp stands for the kernel Hash in a spy, and -1 for Stream.
const hashOp op = -2

const (
	hashGroup = 3 // messages in a group of the Go kernel
	hashHead  = 4
	hashTail  = 140
)

// fakeHashProgram is the program of Keccak-256 for a spy.
func fakeHashProgram() *HashProgram {
	source := func(entry string, access ...gpu.Access) gpu.Source {
		return gpu.Source{Name: "keccak", Entry: entry, Access: access, GroupSize: [3]uint32{1, 1, 1}}
	}
	return &HashProgram{
		Hash:      Kernel{Source: source("hash", gpu.ReadWrite, gpu.ReadOnly, gpu.ReadOnly), PerGroup: hashGroup},
		Stream:    Kernel{Source: source("stream", gpu.ReadWrite, gpu.ReadOnly), PerGroup: 1},
		MaxBlocks: 1000, Head: hashHead, Tail: hashTail,
	}
}

// allKernels are the Go functions of every program. Those of Keccak-256 read all
// that a kernel on a device may read, so that a buffer which is too small makes
// them panic.
func allKernels() map[string]gputest.Func {
	all := maps.Clone(kernels())
	all["keccak/hash"], all["keccak/stream"] = goHash, goStream
	return all
}

func goHash(mem [][]byte, p [gpu.ParamWords]uint32, groups [3]uint32) {
	digests, data, places := mem[0], mem[1], mem[2]
	for i := range groups[0] * groups[1] * hashGroup {
		if i >= p[0] {
			if i < p[6] {
				from := int(p[1] + i*p[2])
				copy(digests[32*(p[3]+i):][:32], data[from/4*4:][:32])
			}
			continue
		}
		message, at, left := i, p[1]+i*p[2], p[2]
		if i < p[5] {
			word := func(k uint32) uint32 { return binary.LittleEndian.Uint32(places[4*k:]) }
			message = word(i)
			at, left = p[1]+word(p[0]+message), word(p[0]+message+1)-word(p[0]+message)
		}
		lead := p[4] >> 8
		whole := append([]byte(nil), data[(at-lead)/4*4:][:(lead+left)/136*136+140]...)[(at-lead)%4:][:lead+left]
		if lead != 0 {
			whole[0] = byte(p[4])
		}
		d := keccak.Sum256(whole)
		copy(digests[32*(p[3]+message):][:32], d[:])
	}
}

func goStream(mem [][]byte, p [gpu.ParamWords]uint32, _ [3]uint32) {
	digests, data := mem[0][32*p[3]:][:200], mem[1]
	var s [25]uint64
	for i := range s {
		s[i] = binary.LittleEndian.Uint64(digests[8*i:]) & (uint64(p[5])<<32 | uint64(p[5]))
	}
	at, left := p[2]-p[4]>>8, p[0]+p[4]>>8
	for prefix := p[4]; ; at, left, prefix = at+136, left-136, 0 {
		block := append([]byte(nil), data[at/4*4:][:140]...)[at%4:][:136]
		if prefix != 0 {
			block[0] = byte(prefix)
		}
		if left < 136 {
			clear(block[left:])
			block[left] ^= 1
			block[135] ^= 0x80
		}
		for i := range 17 {
			s[i] ^= binary.LittleEndian.Uint64(block[8*i:])
		}
		goPermute(&s)
		if left < 136+p[1] {
			break
		}
	}
	for i, x := range s {
		binary.LittleEndian.PutUint64(digests[8*i:], x)
	}
}

// goPermute is Keccak-f[1600] as the Keccak team's compact description has it,
// with the round constants out of their shift register.
func goPermute(a *[25]uint64) {
	lfsr := uint8(1)
	for range 24 {
		var c [5]uint64
		for i := range a {
			c[i%5] ^= a[i]
		}
		for i := range a {
			a[i] ^= c[(i+4)%5] ^ bits.RotateLeft64(c[(i+1)%5], 1)
		}
		x, y, last := 1, 0, a[1]
		for t := range 24 {
			x, y = y, (2*x+3*y)%5
			last, a[5*y+x] = a[5*y+x], bits.RotateLeft64(last, (t+1)*(t+2)/2)
		}
		for row := 0; row < 25; row += 5 {
			r := [5]uint64(a[row:])
			for i := range r {
				a[row+i] = r[i] ^ ^r[(i+1)%5]&r[(i+2)%5]
			}
		}
		for j := range 7 {
			a[0] ^= uint64(lfsr&1) << (1<<j - 1)
			lfsr = lfsr<<1 ^ (lfsr>>7)*0x71
		}
	}
}
