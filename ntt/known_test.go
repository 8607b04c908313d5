package ntt

import (
	"crypto/sha3"
	"encoding/binary"
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"
)

// The known answers here were computed with lattigo v6.1.1 for the Pulsar ring
// (ring.NTT, Ring.MulCoeffsMontgomery and so on). Digests are SHA3-256 over
// little-endian words. The package kat holds many more.

func TestKnownTransforms(t *testing.T) {
	r := mustParse(t, "pulsar")
	row := func(f func(i int) uint64) []uint64 {
		a := make([]uint64, 256)
		for i := range a {
			a[i] = f(i)
		}
		return a
	}
	for _, c := range []struct {
		name   string
		in     []uint64
		first  []uint64
		digest string
	}{
		{"a[i] = i", row(func(i int) uint64 { return uint64(i) }),
			[]uint64{0x67bba0dd1d88, 0x429f69334ef3, 0xda963d07d674, 0x302f3582baca, 0xc8a3bb927c72, 0x8d7a8420069d, 0x6eb65065feff, 0x9e6d978e86c1},
			"6b8b1e4065b96486f384d7800c4ac77c2d6d53b0f879ecf1ff72d9ac969a7174"},
		{"1", row(func(i int) uint64 { return uint64(1 - min(i, 1)) }), []uint64{1, 1, 1, 1},
			"08cc93a94c8fc9c29ede91a8b835771dae57b5a480b5cd6a4df29f8fe927568d"},
		{"X", row(func(i int) uint64 { return uint64(max(0, 1-max(i-1, 1-i))) }),
			[]uint64{0xa58a46cdd563, 0x5a75b932749e, 0xbb86a29f89db, 0x44795d60c026},
			"13e6e754999ac4c049605e5a95479ed7dedb634880d8117ad988652344fc5f3a"},
		{"all q-1", row(func(int) uint64 { return r.q - 1 }),
			[]uint64{0xa4c94f91ff85, 0x0cb763790c1d, 0xe4b8584766ac, 0x181134c10133},
			"12cf7a06384235379c0e08d073ee492c2c978682e31925cf794f1a9790054809"},
		{"splitmix64(42) mod q", splitMix64(42, 256, r.q), []uint64{0xb5e8f4f0a150, 0xba83f60cca24, 0x4097a5a7d16f, 0xa0bcc6169e1a},
			"d0274e837b5d95a5a2c0d2c5c25d22d6344615ce86f16d923cbbb236893e9ca7"},
		{"2,688 rows of splitmix64(2688) mod q", splitMix64(2688, 2688*256, r.q), []uint64{},
			"17522547abe5d223679e9fc4ea2bd19a052a8e127cb6b92d6297ab24fcf6b18a"},
	} {
		out := make([]uint64, len(c.in))
		require.NoError(t, r.Forward(out, c.in))
		require.Equal(t, c.first, out[:len(c.first)], c.name)
		require.Equal(t, c.digest, digest(out), c.name)
		require.NoError(t, r.Inverse(out, out))
		require.Equal(t, c.in, out, c.name)
	}
}

func TestKnownTables(t *testing.T) {
	r := mustParse(t, "pulsar")
	roots, inverses := r.Roots(), r.InverseRoots()
	require.NoError(t, r.MForm(roots, roots)) // lattigo keeps them in Montgomery form
	require.NoError(t, r.MForm(inverses, inverses))
	require.Equal(t, "640d08016a5743636d80c609174ca758c0896c013a1afb9b8d9fbb3b371f7b17", digest(roots))
	require.Equal(t, "334b4073bee7ad2f314ce87201b56c9a57c166400732cb1df24920769e5b444c", digest(inverses))
	require.Equal(t, uint64(0x4ade8e12d63b601), r.qInv)
	require.Equal(t, uint64(0xffffb5ff4a01), r.r1.w)
	require.Equal(t, uint64(0x1670645b331a), r.inv[128].w, "1/psi")
}

// TestKnownProduct multiplies the two halves of a stream as Ringtail does, in
// Montgomery form.
func TestKnownProduct(t *testing.T) {
	r := mustParse(t, "pulsar")
	ab := splitMix64(7, 512, r.q)
	require.NoError(t, r.Forward(ab, ab))
	a, b := ab[:256], ab[256:]
	require.NoError(t, r.MForm(a, a))
	require.NoError(t, r.MulMont(a, a, b))
	require.NoError(t, r.Inverse(a, a))
	require.Equal(t, "8d2af789d233e9ccedfb509a80830c8ae8087af87e9e725b5d6f27b87a1e2e5b", digest(a))
}

// splitMix64 returns n words of the generator from a seed, each modulo q.
func splitMix64(seed uint64, n int, q uint64) []uint64 {
	s := make([]uint64, n)
	for i := range s {
		seed += 0x9E3779B97F4A7C15
		z := (seed ^ seed>>30) * 0xBF58476D1CE4E5B9
		z = (z ^ z>>27) * 0x94D049BB133111EB
		s[i] = (z ^ z>>31) % q
	}
	return s
}

func digest(s []uint64) string {
	h := sha3.New256()
	for _, x := range s {
		h.Write(binary.LittleEndian.AppendUint64(nil, x))
	}
	return hex.EncodeToString(h.Sum(nil))
}
