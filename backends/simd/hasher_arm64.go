//go:build arm64 && !purego

package simd

import "github.com/cloudflare/circl/simd/keccakf1600"

// hashWidths are the widths that this machine has, the widest first.
func hashWidths() (w []hashWidth) {
	if keccakf1600.IsEnabledX2() {
		w = append(w, hashWidth{name: ARM64x2, least: 2, inline: 1024, states: statesX2})
	}
	return append(w, scalarWidth)
}

func statesX2() hashStates {
	a := new(keccakf1600.StateX2)
	return hashStates{n: 2, lane: a.Initialize(false), permute: a.Permute}
}
