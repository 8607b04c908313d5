package suite

import (
	"context"
	"fmt"
	"strconv"

	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// Case is one operation over batches of growing size.
type Case struct {
	Op   Op
	Ring *ntt.Ring
	// RingName is what a report calls the ring; empty stands for N,q,psi.
	RingName string
	// Resident measures the operation on rows that stay on the device, without
	// the transfers.
	Resident bool
	// Sizes are the batches, in rows, strictly increasing from 1 or more, the
	// largest at most MaxBatch(Ring, Op).
	Sizes []int
}

// Sweep measures c on every contestant: all cells of one size interleaved, the
// phases of devices, then a fit per contestant and the crossovers of each against
// one thread, of devices also against the best CPU code, end to end.
//
// A context that ends leaves a partial result and is no error. An error wraps
// ErrSizes, or ErrMismatch where a contestant's output was wrong; the result then
// holds what was finished before.
func Sweep(ctx context.Context, cs []Contestant, c Case, m Measuring) (*Result, error) {
	if err := checkSizes(c.Ring, c.Op, c.Sizes, 1); err != nil {
		return &Result{}, err
	}
	var es []*entrant
	for _, contestant := range cs {
		e := enter(contestant, c.Ring, c.Op.kinds(c.Resident)...)
		defer e.close()
		es = append(es, e)
	}
	d := newData(c.Ring, c.Op, c.Sizes[len(c.Sizes)-1], m.Seed)
	s := subject{
		op: c.Op.reportName(), params: c.params(), resident: c.Resident,
		title: fmt.Sprintf("%s %s", c.Op, c.ringName()),
		sizes: c.Sizes, cost: work,
	}
	if c.Resident {
		s.work = resident{d}
	} else {
		s.work = endToEnd{d}
		s.explain = func(ctx context.Context, cells []cell) error { return m.split(ctx, d, cells) }
	}
	return m.sweep(ctx, es, s)
}

// params are what defines the operation in a report.
func (c *Case) params() map[string]string {
	return map[string]string{
		"ring": c.ringName(),
		"n":    strconv.Itoa(c.Ring.N()),
		"q":    fmt.Sprintf("0x%X", c.Ring.Q()),
	}
}

func (c *Case) ringName() string {
	if c.RingName != "" {
		return c.RingName
	}
	return c.Ring.String()
}
