package main

import (
	"context"
	"fmt"

	"github.com/crosspoint-kernels/crosspoint/backends"
	_ "github.com/crosspoint-kernels/crosspoint/backends/all"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// cachedRows is a batch that stays in the second-level cache: 64 Pulsar rows
// are 128 KiB, in and out 256.
const cachedRows = 64

// cpuGroup compares the scalar backend on one thread with lattigo, which has no
// other way.
func cpuGroup() ([]pair, func(), error) {
	b, err := backends.Open("cpu", backends.Options{})
	if err != nil {
		return nil, nil, err
	}
	var pairs []pair
	for _, name := range ntt.Names() {
		p, err := transformPairs(b, name)
		if err != nil {
			return nil, nil, err
		}
		pairs = append(pairs, p...)
	}
	more, err := pointwisePairs(b)
	return append(pairs, more...), func() { b.Close() }, err
}

func transformPairs(b backends.Backend, name string) ([]pair, error) {
	plan, rival, err := both(b, name)
	if err != nil {
		return nil, err
	}
	src := random(cachedRows*plan.Ring().N(), plan.Ring().Q())
	label := func(op string) string { return fmt.Sprintf("ntt %s, %s, one thread", op, name) }
	return []pair{
		{label("forward"), planUnary(plan.Forward, src, cachedRows), rival.unary(rival.ring.NTT, src)},
		{label("inverse"), planUnary(plan.Inverse, src, cachedRows), rival.unary(rival.ring.INTT, src)},
	}, nil
}

func pointwisePairs(b backends.Backend) ([]pair, error) {
	plan, rival, err := both(b, "pulsar")
	if err != nil {
		return nil, err
	}
	r := plan.Ring()
	x, y := random(cachedRows*r.N(), r.Q()), random(cachedRows*r.N()+1, r.Q())[1:]
	const m, k, n = 8, 7, 49 // Ringtail's Round 1
	product, err := residentProduct(plan, random(m*k*r.N(), r.Q()), random(k*n*r.N(), r.Q()), m, k, n)
	return []pair{
		{"mulmont, pulsar, one thread", planBinary(plan.MulMont, x, y, cachedRows),
			rival.binary(rival.ring.MulCoeffsMontgomery, x, y)},
		{"muladdmont, pulsar, one thread", planBinary(plan.MulAddMont, x, y, cachedRows),
			rival.binary(rival.ring.MulCoeffsMontgomeryThenAdd, x, y)},
		{"8×7 by 7×49 product, pulsar, one thread", product,
			rival.product(random(m*k*r.N(), r.Q()), random(k*n*r.N(), r.Q()), m, k, n)},
	}, err
}

// both opens the plan of a ring and lattigo's ring beside it.
func both(b backends.Backend, name string) (backends.Plan, lattigo, error) {
	r, err := ntt.Parse(name)
	if err != nil {
		return nil, lattigo{}, err
	}
	rival, err := newLattigo(r)
	if err != nil {
		return nil, lattigo{}, err
	}
	plan, err := b.NTT(r)
	return plan, rival, err
}

// checked is our side of an operation on host memory: it refuses a coefficient
// that is out of range, which the rivals do not look for.
const checked = "ours, input checked"

func planUnary(op func(ctx context.Context, dst, src []uint64) error, src []uint64, rows int) side {
	dst := make([]uint64, len(src))
	return side{checked, float64(rows), func(ctx context.Context) error {
		return op(ctx, dst, src)
	}, func() []byte { return bytesOf(dst) }}
}

func planBinary(op func(ctx context.Context, dst, a, b []uint64) error, a, b []uint64, rows int) side {
	dst := make([]uint64, len(a))
	return side{checked, float64(rows), func(ctx context.Context) error {
		return op(ctx, dst, a, b)
	}, func() []byte { return bytesOf(dst) }}
}

// residentProduct accumulates the matrix product of resident batches.
func residentProduct(plan backends.Plan, a, b []uint64, m, k, n int) (side, error) {
	ctx := context.Background()
	c, err := plan.NewBatch(m * n)
	if err != nil {
		return side{}, err
	}
	ba, err := filledBatch(ctx, plan, a)
	if err != nil {
		return side{}, err
	}
	bb, err := filledBatch(ctx, plan, b)
	if err != nil {
		return side{}, err
	}
	out := make([]uint64, m*n*plan.Ring().N())
	run := func(ctx context.Context) error { return c.MatMulAddMont(ctx, ba, bb, m, k, n) }
	output := func() []byte {
		if err := c.Read(ctx, 0, out); err != nil {
			return nil // verify then finds nothing to compare
		}
		return bytesOf(out)
	}
	return side{"ours", 1, run, output}, nil
}

func filledBatch(ctx context.Context, plan backends.Plan, s []uint64) (backends.Batch, error) {
	b, err := plan.NewBatch(len(s) / plan.Ring().N())
	if err != nil {
		return nil, err
	}
	return b, b.Write(ctx, 0, s)
}
