package report

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
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
	case row.Error != "":
		return "failed"
	case !row.Verified:
		return "unverified"
	}
	return noCell
}

// speedTable tells how many times faster each of the columns is than ref, a row
// per batch size; outright wins are bold. Columns without any time are left out.
// It is nil where ref has no times or there is nothing to compare.
func (g *group) speedTable(columns []column, ref func(n int) *Row) *table {
	columns = slices.DeleteFunc(columns, func(c column) bool {
		return !slices.ContainsFunc(g.batches, func(n int) bool { return g.at(c, n) != nil })
	})
	t := &table{head: []string{g.words().n}}
	for _, c := range columns {
		t.head = append(t.head, c.label())
	}
	for _, n := range g.batches {
		base := ref(n)
		if base == nil {
			continue
		}
		row := []cell{plain(strconv.Itoa(n))}
		for _, c := range columns {
			row = append(row, speedCell(g.at(c, n), base))
		}
		t.add(row...)
	}
	if len(columns) == 0 || len(t.rows) == 0 {
		return nil
	}
	return t
}

func speedCell(row, base *Row) cell {
	if row == nil {
		return plain(noCell)
	}
	_, slowest := row.interval()
	baseFastest, _ := base.interval()
	return cell{text: fixed(base.NsPerRow/row.NsPerRow, 3) + "×", bold: slowest < baseFastest}
}

// addFastest adds a column that names the fastest backends of each row.
func (g *group) addFastest(t *table) {
	t.left = map[int]bool{len(t.head): true}
	t.head = append(t.head, "fastest")
	for i, row := range t.rows {
		n, err := strconv.Atoi(row[0].text)
		if err == nil {
			t.rows[i] = append(row, plain(g.fastest(n)))
		}
	}
}

// fastest names the backends at n that no other beats outright, software devices
// left out.
func (g *group) fastest(n int) string {
	best := g.best(n, func(column) bool { return true })
	if best == nil {
		return noCell
	}
	_, limit := best.interval()
	var names []string
	for _, c := range g.columns {
		row := g.at(c, n)
		if row == nil || c.software {
			continue
		}
		if lo, _ := row.interval(); row == best || lo <= limit {
			names = append(names, c.backend)
		}
	}
	return strings.Join(names, " ≈ ")
}

// speedups are the speed-up tables of a group with their captions: against one
// thread of the scalar code and, where the CPU was also measured otherwise,
// against whatever CPU code was fastest.
func (g *group) speedups() (tables []*table, captions []string) {
	var others, devices []column
	cpus := 0
	for _, c := range g.columns {
		if c.backend != reference {
			others = append(others, c)
		}
		if isCPU(c.backend) {
			cpus++
		} else {
			devices = append(devices, c)
		}
	}
	onReference := func(c column) bool { return c.backend == reference }
	if t := g.speedTable(others, func(n int) *Row { return g.best(n, onReference) }); t != nil {
		g.addFastest(t)
		tables, captions = append(tables, t), append(captions, "Speed-up over cpu, one thread")
	}
	if cpus > 1 {
		onCPU := func(c column) bool { return isCPU(c.backend) }
		if t := g.speedTable(devices, func(n int) *Row { return g.best(n, onCPU) }); t != nil {
			tables, captions = append(tables, t), append(captions, "Speed-up over the best CPU code")
		}
	}
	return tables, captions
}

// fitTable lists the fitted lines.
func (r *Report) fitTable() *table {
	t := &table{head: []string{"operation", "backend", "D", "τ", "largest error"}, left: map[int]bool{0: true, 1: true}}
	for i := range r.Fits {
		f := &r.Fits[i]
		t.add(plain(shortTitle(f.Op, f.Params, f.Resident)), plain(label(f.Backend, r.software(f.Backend))),
			plain(Duration(f.DNs)), plain(Duration(f.TauNs)), plain(percent(f.MaxError)))
	}
	if len(t.rows) == 0 {
		return nil
	}
	return t
}
