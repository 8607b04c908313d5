package suite

import (
	"fmt"
	"strconv"

	"github.com/crosspoint-kernels/crosspoint/internal/bench"
	"github.com/crosspoint-kernels/crosspoint/internal/report"
)

// params are what defines the operation in a report.
func (c *Case) params() map[string]string {
	name := c.RingName
	if name == "" {
		name = c.Ring.String()
	}
	return map[string]string{
		"ring": name,
		"n":    strconv.Itoa(c.Ring.N()),
		"q":    fmt.Sprintf("0x%X", c.Ring.Q()),
	}
}

// state adds what was measured to r, in the terms of a report.
func (s *sweep) state(r *Result) {
	r.Rows, r.Extra = s.rows(s.cells), s.rows(s.extra)
	r.failures(s.cells)
	r.failures(s.extra)
	for _, e := range s.entrants {
		f, err := fitOf(s.cells, e.Name)
		if err != nil {
			continue // no line
		}
		r.Fits = append(r.Fits, report.Fit{
			Op: s.Op.reportName(), Params: s.params(), Backend: e.Name, Resident: s.Resident,
			DNs: f.D, TauNs: f.Tau, MaxError: f.MaxError,
		})
	}
}

func (s *sweep) rows(cells []cell) []report.Row {
	var rows []report.Row
	for _, c := range cells {
		row := report.Row{
			Op: s.Op.reportName(), Backend: c.Name, Device: c.Info.Device, Software: c.Info.Software,
			Params: s.params(), Batch: c.n, Resident: s.Resident,
		}
		if c.err != nil {
			row.Error = c.err.Error()
		} else {
			n := float64(c.n)
			row.NsPerRow, row.Lo, row.Hi = c.stats.Median/n, c.stats.Lo/n, c.stats.Hi/n
			row.Phases, row.Samples, row.Verified = c.phases, c.stats.N, true
			row.Speedup = speedups(c.speedup)
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
	r.Op, r.Params, r.Resident = s.Op.reportName(), s.params(), s.Resident
	return r
}

// asReport states a crossover but for what it is a crossover of.
func asReport(p pair, c bench.Crossover) report.Crossover {
	return report.Crossover{
		Backend: p.sub.Name, Against: p.ref.Name,
		Verdict: string(c.Verdict), Batch: c.Batch, Lo: c.Lo, Hi: c.Hi, UpTo: c.UpTo,
		Predicted: c.Predicted, SignChanges: c.SignChanges,
	}
}
