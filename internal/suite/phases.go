package suite

import (
	"context"
	"time"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/internal/bench"
	"github.com/crosspoint-kernels/crosspoint/internal/report"
)

// phaseBudgets bounds the calls whose phases are measured: where one end-to-end
// call takes longer than this many budgets, its phases would double the time of
// the run for the sake of a device that is slow (a software one, as a rule).
const phaseBudgets = 5

// split measures the phases of every device among cells: upload to its resident
// rows, the operation from submission to completion on them, and download. They
// are measured apart from the whole call, which may overlap them or reuse other
// buffers, and so need not add up to it. Whoever has no resident rows has no
// phases, and whoever fails in them keeps its time. The error is as race's.
func (m *Measuring) split(ctx context.Context, d *data, cells []cell) error {
	for i := range cells {
		c := &cells[i]
		if c.err != nil || !c.device() || !m.worthSplitting(c.stats) || !c.hasBatches(d) {
			continue
		}
		t, err := checked(ctx, resident{d}, c.entrant, c.n)
		if fatal(ctx, err) {
			return err
		}
		if err != nil {
			c.failPhases(err)
			continue
		}
		err = m.phases(ctx, c, t.(*batchTrial))
		t.release()
		if err != nil {
			return err
		}
	}
	return nil
}

func (m *Measuring) worthSplitting(s bench.Stats) bool {
	return m.Budget == 0 || s.Median <= phaseBudgets*float64(m.Budget)
}

func (c *cell) hasBatches(d *data) bool {
	return c.Backend.Supports(backends.Op{Kind: backends.Resident, Ring: d.ring, Rows: c.n}) == nil
}

// phases measures the steps of t against one another, with the least number of
// samples: they explain a time and decide nothing.
func (m *Measuring) phases(ctx context.Context, c *cell, t *batchTrial) error {
	o := m.options()
	o.Budget = 0 * time.Second
	results, err := bench.Measure(ctx, []bench.Task{
		{Name: report.PhaseUpload, Run: t.upload},
		{Name: report.PhaseKernel, Run: t.run},
		{Name: report.PhaseDownload, Run: t.download},
	}, o)
	if err != nil {
		return err
	}
	phases := map[string]float64{}
	for _, r := range results {
		if r.Err != nil {
			c.failPhases(r.Err)
			return nil
		}
		phases[r.Name] = r.Stats.Median
	}
	c.phases = phases
	return nil
}
