package wgsl

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/gpu"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// guard fills the rows around what a kernel may touch. It is no residue.
const guard = 0xfffffff1

// sample returns rows whose values, and whose transforms, are the hard ones: all
// q-1, all 0, both mixed, and random; each also as the transform and the inverse
// transform of such a row.
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
func checkTransform(k *runner, r *ntt.Ring, wordBytes, first, rows int, inverse bool) error {
	n := r.N()
	a := make([]uint64, (first+rows+2)*n)
	for i := range a {
		a[i] = guard
	}
	copy(a[first*n:], sample(r, rows))
	in := encodeWords(wordBytes, a)
	want := a[first*n : (first+rows)*n]
	if inverse {
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

func TestTransforms(t *testing.T) {
	dev, pulsar := open(t), named(t, "pulsar")
	for _, r := range rings(t) {
		t.Run(r.String(), func(t *testing.T) {
			t.Parallel()
			p := program(t, r)
			for _, k := range []Kernel{p.Forward, p.Inverse} {
				run, err := newRunner(dev, k)
				require.NoError(t, err)
				defer run.release()
				counts := rowCounts(k.PerGroup)
				if r.Q() == pulsar.Q() {
					counts = every(70)
				}
				for _, rows := range counts {
					require.NoError(t, checkTransform(run, r, p.WordBytes, rows%3, rows, k.Name == "inverse"), "%s of %d rows", k.Name, rows)
				}
			}
		})
	}
}

// rowCounts returns the numbers of rows around whole workgroups, and those that
// leave a team incomplete.
func rowCounts(perGroup int) []int {
	c := []int{1, 2, 3, 5}
	for _, x := range []int{perGroup - 1, perGroup, perGroup + 1, 2*perGroup + 3} {
		if x > 5 {
			c = append(c, x)
		}
	}
	return c
}

// every returns 1 to n.
func every(n int) (c []int) {
	for i := range n {
		c = append(c, i+1)
	}
	return c
}

// TestPlain checks the rival of the benchmarks.
func TestPlain(t *testing.T) {
	r := named(t, "pulsar")
	run, err := newRunner(open(t), plainKernel(r))
	require.NoError(t, err)
	defer run.release()
	rows, n := 5, r.N()
	a := sample(r, rows)
	out, err := run.run(rows, plainParams(r, rows), true, encodeWords(8, a))
	require.NoError(t, err)
	r.ForwardReduced(a, a)
	require.NoError(t, differ(n, decodeWords(8, out), a))
}
