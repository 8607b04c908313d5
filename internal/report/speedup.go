package report

import (
	"slices"
	"strconv"
	"strings"
)

// speedup is how many times as fast as base the row is, with its 95 % interval: by
// paired samples where one of the two has them, else by their medians, with the
// quotients of the ends of their intervals.
func (row *Row) speedup(base *Row) Ratio {
	if s, ok := row.Speedup[base.Backend]; ok {
		return s
	}
	if s, ok := base.Speedup[row.Backend]; ok {
		return Ratio{1 / s.Median, 1 / s.Hi, 1 / s.Lo}
	}
	lo, hi := row.interval()
	baseLo, baseHi := base.interval()
	return Ratio{base.NsPerRow / row.NsPerRow, baseLo / hi, baseHi / lo}
}

// beats reports whether the row is faster than base outright.
func (row *Row) beats(base *Row) bool { return row.speedup(base).Lo > 1 }

// A comparison is one column of the table of speed-ups.
type comparison struct {
	head   string
	column column
	base   func(n int) *Row
}

// comparisons are those of every backend with one thread of the scalar code and,
// where other CPU code beats that at some batch, of every device with the best CPU
// code. Columns without any time are left out.
func (g *group) comparisons() []comparison {
	differ := slices.ContainsFunc(g.batches, func(n int) bool { return g.bestCPU(n) != g.scalar(n) })
	var all, best []comparison
	for _, c := range g.columns {
		if c.backend == reference || !slices.ContainsFunc(g.batches, func(n int) bool { return g.at(c, n) != nil }) {
			continue
		}
		all = append(all, comparison{c.label(), c, g.scalar})
		if differ && !isCPU(c.backend) {
			best = append(best, comparison{c.label() + " over best CPU", c, g.bestCPU})
		}
	}
	return append(all, best...)
}

// scalar is the row of one thread of the scalar code.
func (g *group) scalar(n int) *Row {
	return g.best(n, func(c column) bool { return c.backend == reference })
}

// bestCPU is the fastest row among those of the CPU that beat one thread of the
// scalar code outright, and that one where none does.
func (g *group) bestCPU(n int) *Row {
	scalar := g.scalar(n)
	best := g.best(n, func(c column) bool {
		return isCPU(c.backend) && (scalar == nil || g.at(c, n).beats(scalar))
	})
	if best == nil {
		return scalar
	}
	return best
}

// speedCaption says what the columns of the table of speed-ups are that do not say so
// themselves.
const speedCaption = "Speed-up over cpu, one thread"

// speedTable has a row per batch size with the comparisons, outright wins in bold,
// and the names of the fastest. It is nil where there is nothing to compare.
func (g *group) speedTable() *table {
	columns := g.comparisons()
	t := &table{head: []string{g.words().n}, left: map[int]bool{len(columns) + 1: true}}
	for _, c := range columns {
		t.head = append(t.head, c.head)
	}
	t.head = append(t.head, "fastest")
	for _, n := range g.batches {
		row, any := []cell{plain(strconv.Itoa(n))}, false
		for _, c := range columns {
			base := c.base(n)
			any = any || base != nil
			row = append(row, speedCell(g.at(c.column, n), base))
		}
		if any {
			t.add(append(row, plain(g.fastest(n)))...)
		}
	}
	if len(t.rows) == 0 {
		return nil
	}
	return t
}

func speedCell(row, base *Row) cell {
	if row == nil || base == nil {
		return plain(noCell)
	}
	return cell{text: fixed(row.speedup(base).Median, 3) + "×", bold: row.beats(base)}
}

// fastest names the backends at n that no other beats outright, software devices
// left out.
func (g *group) fastest(n int) string {
	var rows []*Row
	for _, c := range g.columns {
		if row := g.at(c, n); row != nil && !c.software {
			rows = append(rows, row)
		}
	}
	var names []string
	for _, row := range rows {
		if !slices.ContainsFunc(rows, func(other *Row) bool { return other != row && other.beats(row) }) {
			names = append(names, row.Backend)
		}
	}
	if len(names) == 0 {
		return noCell
	}
	return strings.Join(names, " ≈ ")
}
