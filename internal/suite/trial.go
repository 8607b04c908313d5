package suite

import (
	"context"
	"errors"
	"time"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/internal/bench"
)

// A workload is a kind of work that every contestant does at several sizes.
type workload interface {
	// trial prepares the work of e at size n: what is set up once is set up here.
	trial(ctx context.Context, e *entrant, n int) (trial, error)
}

// A trial is the work of one contestant at one size.
type trial interface {
	// run does the work once; it is what is timed.
	run(ctx context.Context) error
	// verify does the work on the known input and compares every coefficient of
	// the output. The error wraps ErrMismatch if they differ.
	verify(ctx context.Context) error
	release()
}

// A phased trial knows where the time of its runs went, in ns by phase; nil where
// it does not after all.
type phased interface {
	phases() map[string]float64
}

// phaseLog gathers what many runs tell of their phases, in ns.
type phaseLog map[string][]float64

func (l phaseLog) add(phase string, d time.Duration) { l[phase] = append(l[phase], float64(d)) }

// medians returns the median of each phase, nil for those of no runs.
func (l phaseLog) medians() map[string]float64 {
	if len(l) == 0 {
		return nil
	}
	phases := map[string]float64{}
	for name, ns := range l {
		phases[name] = bench.NewStats(ns).Median
	}
	return phases
}

// endToEnd is an operation from host memory to host memory.
type endToEnd struct{ *data }

func (w endToEnd) trial(_ context.Context, e *entrant, n int) (trial, error) {
	return &planTrial{w.data, e.plan, n}, nil
}

type planTrial struct {
	*data
	plan backends.Plan
	rows int
}

func (t *planTrial) run(ctx context.Context) error {
	return t.op.onPlan(ctx, t.plan, t.span(t.dst, 0, t.rows), t.span(t.a, 0, t.rows), t.span(t.b, 0, t.rows))
}

func (t *planTrial) verify(ctx context.Context) error {
	dst := t.begin(t.rows)
	if err := t.run(ctx); err != nil {
		return err
	}
	return t.check(dst)
}

func (t *planTrial) release() {}

// resident is an operation on rows that stay on the device, from submission to
// completion. Repeated runs transform what the last one left, which takes the
// same time: nothing depends on a coefficient.
type resident struct{ *data }

func (w resident) trial(_ context.Context, e *entrant, n int) (trial, error) {
	t := &batchTrial{data: w.data, rows: n}
	batches := []*backends.Batch{&t.x}
	if w.op == MulAdd {
		batches = append(batches, &t.a, &t.b)
	}
	if err := allocate(e.plan, n, batches...); err != nil {
		return nil, err
	}
	return t, nil
}

// allocate makes batches of n rows each, all of them or none.
func allocate(p backends.Plan, n int, batches ...*backends.Batch) error {
	for i, b := range batches {
		var err error
		if *b, err = p.NewBatch(n); err != nil {
			release(batches[:i]...)
			return err
		}
	}
	return nil
}

func release(batches ...*backends.Batch) {
	for _, b := range batches {
		if *b != nil {
			(*b).Release()
		}
	}
}

type batchTrial struct {
	*data
	rows int
	x    backends.Batch // transformed, or accumulated into
	a, b backends.Batch // operands of MulAdd; nil else
}

func (t *batchTrial) upload(ctx context.Context) error {
	var err error
	if t.op == MulAdd {
		err = errors.Join(
			t.x.Write(ctx, 0, t.span(t.c, 0, t.rows)),
			t.a.Write(ctx, 0, t.span(t.data.a, 0, t.rows)),
			t.b.Write(ctx, 0, t.span(t.data.b, 0, t.rows)))
	} else {
		err = t.x.Write(ctx, 0, t.span(t.data.a, 0, t.rows))
	}
	if err != nil {
		return err
	}
	return t.x.Sync(ctx)
}

func (t *batchTrial) run(ctx context.Context) error {
	var err error
	switch t.op {
	case Inverse:
		err = t.x.Inverse(ctx, 0, t.rows)
	case MulAdd:
		err = t.x.MulAddMont(ctx, t.a, t.b)
	default:
		err = t.x.Forward(ctx, 0, t.rows)
	}
	if err != nil {
		return err
	}
	return t.x.Sync(ctx)
}

func (t *batchTrial) download(ctx context.Context) error {
	return t.x.Read(ctx, 0, t.span(t.dst, 0, t.rows))
}

func (t *batchTrial) verify(ctx context.Context) error {
	dst := t.span(t.dst, 0, t.rows)
	poison(dst)
	for _, step := range []func(context.Context) error{t.upload, t.run, t.download} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return t.check(dst)
}

func (t *batchTrial) release() { release(&t.x, &t.a, &t.b) }
