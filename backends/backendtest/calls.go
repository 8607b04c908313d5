package backendtest

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/backends/katrun"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// countdown is a context that is cancelled by the look at it that finds none
// left, so that a call can be cancelled between any two of its chunks.
type countdown struct {
	context.Context
	cancel context.CancelFunc
	mu     sync.Mutex
	left   int
}

func newCountdown(ctx context.Context, looks int) *countdown {
	ctx, cancel := context.WithCancel(ctx)
	return &countdown{Context: ctx, cancel: cancel, left: looks}
}

func (c *countdown) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left--; c.left < 0 {
		c.cancel()
	}
	return c.Context.Err()
}

// checkCancel cancels calls before they start and on the way, and expects the
// finished rows to be as many as the error says, and the others untouched.
func checkCancel(ctx context.Context, e *env) error {
	return e.each([]testRing{pulsar, q97}, func(_ testRing, p backends.Plan) error {
		for _, op := range katrun.Operations() {
			for _, looks := range []int{0, 1, 2, 3} {
				if err := e.cancelled(ctx, p, op, 70, looks); err != nil {
					return err
				}
			}
		}
		for _, looks := range []int{1, 2, 4, 9} {
			if err := e.cancelled(ctx, p, katrun.Operations()[0], e.scale.late, looks); err != nil {
				return err
			}
		}
		return nil
	})
}

// cancelled runs an operation under a context with so many looks left.
func (e *env) cancelled(ctx context.Context, p backends.Plan, op katrun.Operation, size, looks int) error {
	r := p.Ring()
	x := arrange(op, separate, rows(r, size, 21), rows(r, size, 22), rows(r, size, 23))
	limited := newCountdown(ctx, looks)
	defer limited.cancel()
	err := x.call(limited, op, p)
	done := size
	if err != nil || looks == 0 {
		var be *backends.Error
		if be, err = e.expect(err, context.Canceled); err == nil {
			done = be.Done
		}
	}
	if err == nil && (done < 0 || done > size) {
		err = fmt.Errorf("%d rows are said to be done", done)
	}
	if err == nil && looks == 0 && done != 0 {
		err = fmt.Errorf("%d rows were done under a context that had ended", done)
	}
	if err == nil {
		err = partial(x, x, op, r, done)
	}
	if err != nil {
		return fmt.Errorf("%s of %d rows, cancelled at look %d: %w", op.Op, size, looks, err)
	}
	return nil
}

// checkConcurrent calls two plans from several goroutines at once.
func checkConcurrent(ctx context.Context, e *env) error {
	return e.each([]testRing{pulsar}, func(_ testRing, p backends.Plan) error {
		other, err := e.plan(mldsa)
		if err != nil {
			return err
		}
		const goroutines = 6
		errs := make([]error, goroutines)
		var wg sync.WaitGroup
		for g := range goroutines {
			wg.Go(func() {
				plan := []backends.Plan{p, other}[g%2]
				for i := range 5 {
					seed := uint64(100*g + i)
					if errs[g] = compareAll(ctx, plan, 1+(7*g+11*i)%40, seed, separate); errs[g] != nil {
						return
					}
				}
			})
		}
		wg.Wait()
		return errors.Join(errs...)
	})
}

// checkClosed opens another backend, closes what it gives, and expects
// ErrClosed from what is closed.
func checkClosed(ctx context.Context, e *env) error {
	b := e.open()
	p, err := newPlan(b, q97)
	if err != nil {
		return err
	}
	if err := e.releasedBatch(ctx, p); err != nil {
		return fmt.Errorf("a released batch: %w", err)
	}
	if err := p.Close(); err != nil {
		return fmt.Errorf("close of a plan: %w", err)
	}
	if err := e.closedPlan(ctx, p); err != nil {
		return fmt.Errorf("a closed plan: %w", err)
	}
	if err := b.Close(); err != nil {
		return fmt.Errorf("close of the backend: %w", err)
	}
	for _, r := range []*ntt.Ring{p.Ring(), nil} {
		_, err = b.NTT(r)
		if _, err := e.expect(err, backends.ErrClosed); err != nil {
			return fmt.Errorf("a closed backend, plan of %v: %w", r, err)
		}
	}
	return nil
}

func (e *env) releasedBatch(ctx context.Context, p backends.Plan) error {
	batch, err := p.NewBatch(2)
	if err != nil {
		return err
	}
	other, err := p.NewBatch(2)
	if err != nil {
		return err
	}
	defer other.Release()
	row := make([]uint64, p.Ring().N())
	batch.Release()
	if batch.Rows() != 2 {
		return fmt.Errorf("it says that it has %d rows, and had 2", batch.Rows())
	}
	over := cancelledContext(ctx)
	for name, err := range map[string]error{
		"write":         batch.Write(ctx, 0, row),
		"read":          batch.Read(ctx, 0, row),
		"forward":       batch.Forward(ctx, 0, 1),
		"inverse":       batch.Inverse(ctx, 0, 1),
		"mform":         batch.MForm(ctx, 0, 1),
		"imform":        batch.IMForm(ctx, 0, 1),
		"muladdmont":    batch.MulAddMont(ctx, other, other),
		"matmuladdmont": batch.MatMulAddMont(ctx, other, other, 1, 1, 1),
		"as an operand": other.MulAddMont(ctx, batch, batch),
		"sync":          batch.Sync(ctx),
		// What comes after ErrClosed where several things are wrong.
		"write of a part":      batch.Write(over, 7, row[1:]),
		"read of a part":       batch.Read(over, 7, row[1:]),
		"read of no rows":      batch.Read(over, 0, nil),
		"forward past the end": batch.Forward(over, 7, 1),
		"forward of no rows":   batch.Forward(over, 0, 0),
		"product with itself":  batch.MulAddMont(over, batch, nil),
		"product too large":    batch.MatMulAddMont(over, other, other, 7, 7, 7),
		"sync, cancelled":      batch.Sync(over),
	} {
		if _, err := e.expect(err, backends.ErrClosed); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func (e *env) closedPlan(ctx context.Context, p backends.Plan) error {
	r := p.Ring()
	for _, op := range katrun.Operations() {
		x := arrange(op, separate, rows(r, 1, 35), rows(r, 1, 36), rows(r, 1, 37))
		_, err := e.expect(x.call(ctx, op, p), backends.ErrClosed)
		if err == nil {
			err = partial(x, x, op, r, 0)
		}
		over := cancelledContext(ctx)
		for name, words := range map[string]int{"no rows": 0, "part of a row": 1} {
			s := poison(words)
			if _, e := e.expect(op.Plan(p, over, s, s, s), backends.ErrClosed); e != nil && err == nil {
				err = fmt.Errorf("%s: %w", name, e)
			}
		}
		if err != nil {
			return fmt.Errorf("%s: %w", op.Op, err)
		}
	}
	_, err := p.NewBatch(1)
	if _, err := e.expect(err, backends.ErrClosed); err != nil {
		return fmt.Errorf("batch: %w", err)
	}
	return nil
}
