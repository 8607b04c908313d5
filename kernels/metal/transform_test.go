//go:build (darwin || metalsim) && cgo

package metal

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/gpu"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// guard fills the rows around what a kernel may touch.
const guard = 0xfffffff1

// sample returns rows whose values, and whose transforms, are the hard ones: all
// q-1, all 0, both mixed, and random; each also as the transform and the inverse
// transform of such a row, so that what comes out holds 0 and q-1.
func sample(r *ntt.Ring, rows int) []uint64 {
	n, q := r.N(), r.Q()
	rng := rand.New(rand.NewPCG(1, q))
	a := make([]uint64, rows*n)
	for row := range rows {
		x := a[row*n : (row+1)*n]
		for i := range x {
			switch row % 6 {
			case 0:
				x[i] = q - 1
			case 2:
				x[i] = (q - 1) * rng.Uint64N(2)
			case 3:
				x[i] = rng.Uint64N(3) / 2 * (q - 1)
			case 4:
				x[i] = 0
			default:
				x[i] = rng.Uint64N(q)
			}
		}
		switch row / 6 % 3 {
		case 1:
			r.ForwardReduced(x, x)
		case 2:
			r.InverseReduced(x, x)
		}
	}
	return a
}

// checkTransform runs a transform over rows rows, the first of them after first
// guard rows and the last before two more, and compares every word of the buffer.
func checkTransform(k *runner, r *ntt.Ring, wordBytes, first, rows int) error {
	n := r.N()
	a := make([]uint64, (first+rows+2)*n)
	for i := range a {
		a[i] = guard
	}
	copy(a[first*n:], sample(r, rows))
	in := encodeWords(wordBytes, a)
	want := a[first*n : (first+rows)*n]
	if k.kernel.Name == "inverse" {
		r.InverseReduced(want, want)
	} else {
		r.ForwardReduced(want, want)
	}
	out, err := k.run(rows, [gpu.ParamWords]uint32{uint32(rows), uint32(first)}, rows%2 == 0, in)
	if err != nil {
		return err
	}
	return differ(n, decodeWords(wordBytes, out), a)
}

func TestNamedTransforms(t *testing.T) {
	dev := open(t)
	for _, name := range ntt.Names() {
		r := named(t, name)
		p := program(t, r)
		for _, k := range []Kernel{p.Forward, p.Inverse} {
			run := newRunner(t, dev, k)
			for rows := 1; rows <= 70; rows++ {
				require.NoError(t, checkTransform(run, r, p.WordBytes, rows%3, rows), "%s of %d rows of %s", k.Name, rows, name)
			}
		}
	}
}

func TestTransforms(t *testing.T) {
	dev := open(t)
	for _, n := range degrees() {
		for _, r := range boundaries(n) {
			p := program(t, r)
			for _, k := range []Kernel{p.Forward, p.Inverse} {
				run := newRunner(t, dev, k)
				for _, rows := range rowCounts(n, k.PerGroup) {
					require.NoError(t, checkTransform(run, r, p.WordBytes, rows%3, rows), "%s of %d rows of %s", k.Name, rows, r)
				}
			}
		}
	}
}

// rowCounts returns numbers of rows around a whole threadgroup, of which one has
// a row of every kind that sample makes.
func rowCounts(n, perGroup int) []int {
	c := []int{18}
	if n < 256 {
		c = append(c, 1, perGroup-1, perGroup+1)
	}
	return c
}

// TestTransformCatches shows that the check of the transforms finds an error in
// a kernel, wherever it is planted.
func TestTransformCatches(t *testing.T) {
	open(t)
	largest := below(64, 1<<61)
	for _, m := range []struct {
		name    string
		ring    *ntt.Ring
		inverse bool
		old     string
		new     string
	}{
		{"no first barrier", named(t, "pulsar"), false, "  scatter<N, LAST, A, LOG_N - A>(r, exchange, p.i);\n  threadgroup_barrier(mem_flags::mem_threadgroup);\n", "  scatter<N, LAST, A, LOG_N - A>(r, exchange, p.i);\n"},
		{"no barrier of the inverse", named(t, "pulsar"), true, "  threadgroup_barrier(mem_flags::mem_threadgroup);\n  if (C > 0) {\n    for (uint i = p.i; i < N >> B; i += TEAM) {\n      const uint e = element<B, C>(i);\n      gather<N, LAST, B, C>(r, exchange, e);\n      inverse", "  if (C > 0) {\n    for (uint i = p.i; i < N >> B; i += TEAM) {\n      const uint e = element<B, C>(i);\n      gather<N, LAST, B, C>(r, exchange, e);\n      inverse"},
		{"factor of the next block", largest, false, "table + i, N >> LAST", "table + i + 1, N >> LAST"},
		{"factor of another stage", largest, false, "((1u << STAGE) + (k >> log_d) - 1) * step", "((1u << STAGE) + (k >> log_d)) * step"},
		{"factors at another distance", largest, true, "last + i, N >> LAST", "last + i, N >> (LAST + 1)"},
		{"row beyond the end", largest, false, "p.live = index < params[0];", "p.live = index <= params[0];"},
		{"last row left out", largest, true, "p.live = index < params[0];", "p.live = index + 1 < params[0];"},
		{"first row", largest, false, "params[1] + index : 0", "index : 0"},
		{"grid", largest, true, "group.y * grid.x", "group.y * grid.y"},
		{"slots that collide", largest, false, "e + (e >> LAST);", "e + (e >> LAST) - (e == 9 ? 1 : 0);"},
		{"no last reduction", largest, false, "canonical(u + t, ring.q)", "fold(W(u + t), ring.q)"},
		{"half of the difference", largest, false, "canonical(u + (2 * ring.q - t), ring.q)", "canonical(u + (ring.q - t), ring.q)"},
		{"no reduction between", largest, false, "fold(r[x], ring.limit)", "r[x]"},
		{"no lift", largest, false, ") + ring.lift;", ");"},
		{"no reduction of the inverse", largest, true, "      r[x] = fold(r[x], offset);", ""},
		{"offset", largest, true, "const W offset = ring.q << ", "const W offset = (ring.q - 1) << "},
		{"remainder of the division", largest, true, "v & ((W(1) << log_n) - 1)", "v & ((W(1) << log_n) - 2)"},
		{"> for >=", largest, true, "return min(x, x - m);", "return x > m ? x - m : x;"},
		{"high word", below(64, 1<<29), false, "(ulong(a) * ulong(b)) >> 32", "(ulong(a) * ulong(b)) >> 33"},
		{"butterfly", largest, false, "r[y] = 2 * r[x] - sum;\n      r[x] = sum;", "r[y] = sum;\n      r[x] = 2 * r[x] - sum;"},
	} {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			p := program(t, m.ring)
			k := p.Forward
			if m.inverse {
				k = p.Inverse
			}
			run := newRunner(t, fresh(t), mutate(t, k, "butterflies.h ntt.metal", m.old, m.new))
			var found error
			for _, rows := range []int{1, 18, k.PerGroup + 1} {
				if found = checkTransform(run, m.ring, p.WordBytes, rows%3, rows); found != nil {
					break
				}
			}
			require.Error(t, found)
		})
	}
}
