package report

import (
	"strconv"
	"unicode/utf8"

	"github.com/crosspoint-kernels/crosspoint/internal/bench"
)

const (
	microsecond = 1e3 // ns
	noCell      = "-" // not measured
)

// timeTable is the paper's table: a row per batch size n, the time per
// polynomial (message, leaf) and per batch (root) for each backend, in
// microseconds.
func (g *group) timeTable() *table {
	w := g.words()
	t := &table{head: []string{w.n}}
	for _, c := range g.columns {
		t.head = append(t.head, c.label()+"/"+w.per)
	}
	for _, c := range g.columns {
		t.head = append(t.head, c.label()+"/"+w.call)
	}
	for _, n := range g.batches {
		t.rows = append(t.rows, make([]cell, len(t.head)))
		t.rows[len(t.rows)-1][0] = plain(strconv.Itoa(n))
	}
	for j, c := range g.columns {
		perPoly := g.timeColumn(c, func(row *Row) (x, lo, hi float64) {
			lo, hi = row.interval()
			return row.NsPerRow / microsecond, lo / microsecond, hi / microsecond
		})
		perBatch := g.timeColumn(c, func(row *Row) (x, lo, hi float64) {
			x = row.NsPerRow * float64(row.Batch) / microsecond
			return x, x, x
		})
		for i := range t.rows {
			t.rows[i][1+j] = plain(perPoly[i])
			t.rows[i][1+len(g.columns)+j] = plain(perBatch[i])
		}
	}
	return t
}

// timeColumn formats one column, all its numbers with the same decimals and the
// same room for their intervals, so that right-justified points line up.
func (g *group) timeColumn(c column, value func(*Row) (x, lo, hi float64)) []string {
	decimals, width := 2, 0
	spreads := make([]string, len(g.batches))
	for i, n := range g.batches {
		if row := g.at(c, n); row != nil {
			x, lo, hi := value(row)
			decimals = decimalsFor(x, 2, decimals)
			spreads[i] = spread(x, lo, hi)
			width = max(width, utf8.RuneCountInString(spreads[i]))
		}
	}
	texts := make([]string, len(g.batches))
	for i, n := range g.batches {
		row := g.at(c, n)
		if row == nil {
			texts[i] = g.absence(c, n)
			continue
		}
		x, _, _ := value(row)
		texts[i] = fixed(x, decimals)
		if width > 0 {
			texts[i] += " " + spaces(width-utf8.RuneCountInString(spreads[i])) + spreads[i]
		}
	}
	return texts
}

// absence says in a word why a cell holds no time.
func (g *group) absence(c column, n int) string {
	row := g.cells[cellKey{c, n}]
	switch {
	case row == nil:
		return noCell
	case row.Unsupported:
		return "unsupported"
	case row.Error != "":
		return "failed"
	case !row.Verified:
		return "unverified"
	}
	return noCell
}

// fitTable lists the fitted lines, and marks those that do not describe their
// points.
func (r *Report) fitTable() *table {
	t := &table{head: []string{"operation", "backend", "D", "τ", "largest error"}, left: map[int]bool{0: true, 1: true}}
	for i := range r.Fits {
		f := &r.Fits[i]
		miss := percent(f.MaxError)
		if f.poor() {
			miss += ", no line"
		}
		t.add(plain(shortTitle(f.Op, f.Params, f.Resident)), plain(label(f.Backend, r.software(f.Backend))),
			plain(Duration(f.DNs)), plain(Duration(f.TauNs)), plain(miss))
	}
	if len(t.rows) == 0 {
		return nil
	}
	return t
}

// poor says that the line does not describe the times that it was fitted to.
func (f *Fit) poor() bool { return !bench.Fit{Tau: f.TauNs, MaxError: f.MaxError}.Good() }
