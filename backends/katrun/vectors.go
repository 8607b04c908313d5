package katrun

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/kat"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// Outcome is what became of one vector.
type Outcome struct {
	File, Vector string
	Ring         string // empty for a digest or a state root
	Op           string // the operation, the hash function or the kind of root
	// Err is nil when the output was the known one. It wraps kat.ErrMismatch
	// when it was not, and is the backend's or the context's error where there
	// was no output.
	Err error
	// Unsupported is set when the backend said that it cannot do this; Err
	// says why. It is neither a success nor a failure.
	Unsupported bool
	// Time is how long the vector took, with its input and its comparison, and the
	// plan of its ring if it is the first of it. It is no measurement of a backend.
	Time time.Duration
}

// CheckVectors runs every vector of the files on the backend, then the probe
// pairs as rows of its pointwise operations, and returns the outcomes in that
// order. Each ring is planned once. When the context ends, the vectors that
// are left have its error.
func CheckVectors(ctx context.Context, b backends.Backend, files []kat.File) []Outcome {
	r := runner{backend: b, plans: map[kat.Ring]planned{}}
	defer r.close()
	var outcomes []Outcome
	for _, f := range files {
		vectors := f.Vectors[:len(f.Vectors):len(f.Vectors)]
		for _, p := range f.Probes {
			vectors = append(vectors, p.Vectors()...)
		}
		for _, v := range vectors {
			start := time.Now()
			err := r.check(ctx, &v)
			outcomes = append(outcomes, Outcome{
				File: f.Name, Vector: v.Name, Ring: v.Ring.Name, Op: string(v.Op),
				Err: err, Unsupported: errors.Is(err, backends.ErrUnsupported), Time: time.Since(start),
			})
		}
	}
	return outcomes
}

// runner keeps the plans of the rings seen so far.
type runner struct {
	backend backends.Backend
	plans   map[kat.Ring]planned
}

type planned struct {
	plan backends.Plan
	err  error
}

func (r *runner) close() {
	for _, p := range r.plans {
		if p.err == nil {
			p.plan.Close()
		}
	}
}

func (r *runner) plan(ring kat.Ring) (backends.Plan, error) {
	p, ok := r.plans[ring]
	if !ok {
		var nr *ntt.Ring
		if nr, p.err = ntt.NewRingWithPsi(ring.N, ring.Q, ring.Psi); p.err == nil {
			p.plan, p.err = r.backend.NTT(nr)
		}
		r.plans[ring] = p
	}
	return p.plan, p.err
}

func (r *runner) check(ctx context.Context, v *kat.Vector) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	plan, err := r.plan(v.Ring)
	if err != nil {
		return err
	}
	in := v.Inputs()
	if err := v.CheckInputs(in); err != nil {
		return err
	}
	got, err := apply(ctx, plan, v, in)
	if err != nil {
		return err
	}
	return locate(v, plan.Ring(), got, v.Check(got))
}

// apply returns the output of a vector's operation.
func apply(ctx context.Context, plan backends.Plan, v *kat.Vector, in [][]uint64) ([]uint64, error) {
	got := make([]uint64, v.Rows*v.Ring.N)
	for i := range got {
		got[i] = ^uint64(0) // no residue: a row that is left out shows
	}
	if v.Op == kat.Product {
		return got, product(ctx, plan, got, in[0], in[1])
	}
	op, ok := find(v.Op)
	if !ok {
		return nil, fmt.Errorf("%w: %s", backends.ErrUnsupported, v.Op)
	}
	dst, a, b := op.split(in)
	copy(got, dst)
	return got, op.Plan(plan, ctx, got, a, b)
}

// product sets dst = a*b mod X^N+1, and overwrites a and b.
func product(ctx context.Context, p backends.Plan, dst, a, b []uint64) error {
	if err := p.Forward(ctx, a, a); err != nil {
		return err
	}
	if err := p.Forward(ctx, b, b); err != nil {
		return err
	}
	if err := p.Mul(ctx, dst, a, b); err != nil {
		return err
	}
	return p.Inverse(ctx, dst, dst)
}

// locate replaces the error of a digest by that of the first coefficient that
// differs from the reference, where the reference gives the known output.
func locate(v *kat.Vector, ring *ntt.Ring, got []uint64, err error) error {
	var digest *kat.DigestMismatch
	if !errors.As(err, &digest) || v.Op == kat.Product {
		return err
	}
	op, ok := find(v.Op)
	if !ok {
		return err
	}
	dst, a, b := op.split(v.Inputs())
	want := make([]uint64, len(got))
	copy(want, dst)
	if op.Ring(ring, want, a, b) != nil || v.Check(want) != nil {
		return err // the reference is wrong too, so it cannot tell where
	}
	for i, w := range want {
		if got[i] != w {
			return &kat.Mismatch{Row: i / v.Ring.N, Index: i % v.Ring.N, Got: got[i], Want: w}
		}
	}
	return err
}
