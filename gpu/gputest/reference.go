package gputest

import (
	"encoding/binary"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

// Func is a kernel in Go: what one dispatch does to the buffers of its binding.
type Func func(buffers [][]byte, params [gpu.ParamWords]uint32, groups [3]uint32)

func word(b []byte, i int) uint32       { return binary.LittleEndian.Uint32(b[4*i:]) }
func setWord(b []byte, i int, x uint32) { binary.LittleEndian.PutUint32(b[4*i:], x) }

// reference says what the programs do, under the names that they have in WGSL.
func reference() map[string]Func {
	return map[string]Func{
		"affine/affine":     affine,
		"combine/combine":   combine,
		"echo/echo":         echo,
		"grid/grid":         grid,
		"exchange/exchange": exchange,
		"spin/spin":         spin,
	}
}

func affine(b [][]byte, p [gpu.ParamWords]uint32, groups [3]uint32) {
	for i := range int(min(p[2], groups[0]*groupSize)) {
		setWord(b[0], i, word(b[0], i)*p[0]+p[1])
	}
}

func combine(b [][]byte, p [gpu.ParamWords]uint32, groups [3]uint32) {
	for i := range int(min(p[1], groups[0]*groupSize)) {
		setWord(b[2], i, word(b[0], i)*p[0]+word(b[1], i))
	}
}

func echo(b [][]byte, p [gpu.ParamWords]uint32, _ [3]uint32) {
	for j, x := range p {
		setWord(b[0], 8*int(p[0])+j, x)
	}
}

func grid(b [][]byte, _ [gpu.ParamWords]uint32, groups [3]uint32) {
	i := 0
	for z := range groups[2] {
		for y := range groups[1] {
			for x := range groups[0] {
				setWord(b[0], i, x+256*y+65536*z)
				i++
			}
		}
	}
}

func exchange(b [][]byte, _ [gpu.ParamWords]uint32, groups [3]uint32) {
	var x, tile [groupSize]uint32
	for g := range int(groups[0]) {
		for l := range x {
			x[l] = word(b[0], g*groupSize+l)
		}
		for range ExchangeRounds {
			tile = x
			for l := range x {
				x[l] = tile[groupSize-1-l] + uint32(l)
			}
		}
		for l := range x {
			setWord(b[0], g*groupSize+l, x[l])
		}
	}
}

func spin(b [][]byte, p [gpu.ParamWords]uint32, _ [3]uint32) {
	for i := range groupSize {
		x := uint32(i)
		for range p[0] {
			x = x*1664525 + 1013904223
		}
		setWord(b[0], i, x)
	}
}

// hostedConstants are those of Hosted: of different lengths, and with bits in
// both halves.
var hostedConstants = [3]uint64{1 << 32, 0xfedcba9876543210, 0x80000001}

func hosted(b [][]byte, p [gpu.ParamWords]uint32, groups [3]uint32) {
	var tile [groupSize]uint32
	for g := range int(groups[0]) {
		for l := range tile {
			tile[l] = word(b[0], g*groupSize+l)
		}
		for l := range tile {
			x := uint64(tile[groupSize-1-l]) * hostedConstants[l%3] >> 32
			setWord(b[0], g*groupSize+l, uint32(x)+p[0])
		}
	}
}
