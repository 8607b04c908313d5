package amd64

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/ntt"
)

func TestTransformsEqualTheReference(t *testing.T) {
	eachRing(t, func(t *testing.T, r *ntt.Ring, w Width) {
		x, rng := newNTT(t, r, w), newRand(uint64(r.N()))
		src := append(structured(rng, r), random(rng, r, 5)...)
		got, want := make([]uint64, len(src)), make([]uint64, len(src))
		require.NoError(t, r.Forward(want, src))
		require.Equal(t, len(src)/r.N(), x.Forward(got, src))
		require.Equal(t, want, got, "forward")
		require.NoError(t, r.Inverse(want, src))
		require.Equal(t, len(src)/r.N(), x.Inverse(got, src))
		require.Equal(t, want, got, "inverse")
	})
}
