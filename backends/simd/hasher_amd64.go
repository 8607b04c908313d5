//go:build amd64 && !purego

package simd

import (
	"unsafe"

	"github.com/cloudflare/circl/simd/keccakf1600"

	"github.com/crosspoint-kernels/crosspoint/kernels/amd64"
)

// hashWidths are the widths that this machine has, the widest first. To wake a
// helper that sleeps costs some 90 µs: two threads took 1.12, 0.80 and 0.65 of the
// time of one for 2,048, 4,096 and 8,192 blocks with AVX-512, and 0.94 and 0.72 for
// 2,048 and 4,096 with AVX2 (2 vCPUs of an AMD EPYC (Zen 4), which had nothing else
// to do).
func hashWidths() (w []hashWidth) {
	if amd64.HasKeccak() {
		w = append(w, hashWidth{name: AVX512, least: 2, inline: 4096, states: statesX8, equal: equalX8})
	}
	if keccakf1600.IsEnabledX4() {
		w = append(w, hashWidth{name: AVX2, least: 2, inline: 2048, states: statesX4})
	}
	return append(w, scalarWidth)
}

func statesX8() hashStates {
	a := new([25][8]uint64)
	return hashStates{n: 8, lane: unsafe.Slice(&a[0][0], 8*25), permute: func() { amd64.KeccakF1600x8(a) }}
}

func equalX8(g *equalBlocks) { amd64.Keccak256x8(&g.dst, &g.msg, &g.tail, g.whole, g.most) }

func statesX4() hashStates {
	a := new(keccakf1600.StateX4)
	return hashStates{n: 4, lane: a.Initialize(false), permute: a.Permute}
}
