package main

import (
	"context"
	"fmt"
	"sync"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/backends/simd"
)

// simdGroup compares the vector backend with lattigo, circl, x/crypto and go-ethereum
// on one thread, and with itself on two.
func simdGroup() ([]pair, func(), error) {
	one, err := simd.New(simd.Options{Options: backends.Options{Workers: 1}})
	if err != nil {
		return nil, nil, err
	}
	two, err := simd.New(simd.Options{Options: backends.Options{Workers: 2}})
	if err != nil {
		return nil, nil, err
	}
	done := func() { one.Close(); two.Close() }
	var pairs []pair
	for _, part := range []func(one, two backends.Backend) ([]pair, error){simdTransforms, simdScaling, simdHashes, simdRoots} {
		p, err := part(one, two)
		if err != nil {
			return nil, done, err
		}
		pairs = append(pairs, p...)
	}
	return pairs, done, nil
}

// simdTransforms are of batches that stay in the second-level cache.
func simdTransforms(one, _ backends.Backend) ([]pair, error) {
	var pairs []pair
	for _, ring := range []struct {
		text, name string
		rows       int
	}{
		{"pulsar", "pulsar", cachedRows}, {"mldsa", "mldsa", cachedRows}, {"fhe27", "fhe27", cachedRows / 4},
		{"4096,0x3ffffffffc001", "N = 4096, 50 bits", cachedRows / 16},
	} {
		plan, rival, err := both(one, ring.text)
		if err != nil {
			return nil, err
		}
		label := func(op string) string {
			return fmt.Sprintf("simd: ntt %s, %s, one thread (%s)", op, ring.name, simd.PlanWidth(plan))
		}
		src := random(ring.rows*plan.Ring().N(), plan.Ring().Q())
		pairs = append(pairs,
			pair{label("forward"), planUnary(plan.Forward, src, ring.rows), rival.unary(rival.ring.NTT, src)},
			pair{label("inverse"), planUnary(plan.Inverse, src, ring.rows), rival.unary(rival.ring.INTT, src)})
	}
	return pairs, nil
}

// simdScaling is calls in place: on two threads against two goroutines with half of
// the rows each, and of a large batch against one that stays in the cache.
func simdScaling(one, two backends.Backend) ([]pair, error) {
	alone, _, err := both(one, "pulsar")
	if err != nil {
		return nil, err
	}
	shared, err := two.NTT(alone.Ring())
	if err != nil {
		return nil, err
	}
	var pairs []pair
	for _, rows := range []int{64, 1024, 65536} {
		// What it takes to start goroutines is to weigh little.
		repeat := max(1, 16384/rows)
		pairs = append(pairs, pair{fmt.Sprintf("simd: ntt forward in place, pulsar, n = %d, two threads", rows),
			inPlace("ours, one call", shared, rows, repeat, 1), inPlace("two goroutines", alone, rows, repeat, 2)})
	}
	for _, x := range []struct {
		threads string
		plan    backends.Plan
	}{{"one thread", alone}, {"two threads", shared}} {
		pairs = append(pairs, pair{"simd: ntt forward in place, pulsar, n = 65536, " + x.threads,
			inPlace("ours", x.plan, 65536, 1, 1), inPlace("ours, n = 64", x.plan, 64, 1, 1)})
	}
	return pairs, nil
}

// inPlace transforms the same rows so many times in a run, parts of them on as many
// goroutines.
func inPlace(name string, plan backends.Plan, rows, repeat, parts int) side {
	const most = 65536
	s := random(most*plan.Ring().N(), plan.Ring().Q())[:rows*plan.Ring().N()]
	again := func(ctx context.Context, s []uint64) (err error) {
		for range repeat {
			if err == nil {
				err = plan.Forward(ctx, s, s)
			}
		}
		return err
	}
	return side{name, float64(rows * repeat), func(ctx context.Context) error {
		if parts == 1 {
			return again(ctx, s)
		}
		var wg sync.WaitGroup
		errs := make([]error, parts)
		for i := range parts {
			wg.Go(func() { errs[i] = again(ctx, s[i*len(s)/parts:(i+1)*len(s)/parts]) })
		}
		wg.Wait()
		return joined(errs)
	}, func() []byte { return bytesOf(s) }}
}

// joined returns the first error.
func joined(errs []error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
