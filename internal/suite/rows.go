package suite

import (
	"errors"
	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/internal/bench"
	"github.com/crosspoint-kernels/crosspoint/internal/report"
)

// rows states cells in the terms of a report.
func (s *sweep) rows(cells []cell) []report.Row {
	var rows []report.Row
	for _, c := range cells {
		row := report.Row{
			Op: s.op, Backend: c.Name, Device: c.Info.Device, Software: c.Info.Software,
			Params: s.params, Batch: c.n, Resident: s.resident,
		}
		if c.err != nil {
			row.Error, row.Unsupported = c.err.Error(), errors.Is(c.err, backends.ErrUnsupported)
		} else {
			n := float64(c.n)
			row.NsPerRow, row.Lo, row.Hi = c.stats.Median/n, c.stats.Lo/n, c.stats.Hi/n
			row.Phases, row.Samples, row.Verified = c.phases, c.stats.N, true
			row.Speedup = speedups(c.speedup)
			if s.root != nil {
				row.Root = s.root(c.n)
			}
			if c.phaseErr != nil {
				row.PhaseError = c.phaseErr.Error()
			}
		}
		rows = append(rows, row)
	}
	return rows
}

func speedups(ratios map[string]bench.Ratio) map[string]report.Ratio {
	m := map[string]report.Ratio{}
	for name, r := range ratios {
		m[name] = report.Ratio{Median: r.Median, Lo: r.Lo, Hi: r.Hi}
	}
	return m
}

func (s *sweep) reportCrossover(p pair, c bench.Crossover) report.Crossover {
	r := asReport(p, c)
	r.Op, r.Params, r.Resident = s.op, s.params, s.resident
	return r
}

// asReport states a crossover but for what it is a crossover of.
func asReport(p pair, c bench.Crossover) report.Crossover {
	return report.Crossover{
		Backend: p.sub.Name, Against: p.ref.Name,
		Verdict: string(c.Verdict), Batch: c.Batch, Lo: c.Lo, Hi: c.Hi, WonTo: c.WonTo, UpTo: c.UpTo,
		Predicted: c.Predicted, SignChanges: c.SignChanges,
	}
}
