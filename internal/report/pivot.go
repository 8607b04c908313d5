package report

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// column is one backend on one device: a column of a table, a line of a plot.
type column struct {
	backend, device string
	software        bool
}

// label names the column, a software device as such.
func (c column) label() string { return label(c.backend, c.software) }

func label(backend string, software bool) string {
	if software {
		return backend + " (software)"
	}
	return backend
}

// isCPU says whether a backend runs on the host's own cores: the scalar or the
// vector code, on one thread or on all.
func isCPU(backend string) bool {
	base := strings.TrimSuffix(backend, "-mt")
	return base == "cpu" || base == "simd"
}

// reference is the backend that speed-ups are told against.
const reference = "cpu"

// group holds the rows that may be compared: one operation, resident or not.
type group struct {
	op       string
	params   map[string]string
	resident bool
	batches  []int    // ascending
	columns  []column // in order of appearance, the reference first
	cells    map[cellKey]*Row
}

type cellKey struct {
	column column
	batch  int
}

// groupRows gathers rows into groups, in order of first appearance. Of two rows
// for the same cell the later one counts.
func groupRows(rows []Row) []*group {
	var groups []*group
	byKey := map[string]*group{}
	for i := range rows {
		row := &rows[i]
		key := groupKey(row.Op, row.Params, row.Resident)
		g := byKey[key]
		if g == nil {
			g = &group{op: row.Op, params: row.Params, resident: row.Resident, cells: map[cellKey]*Row{}}
			byKey[key] = g
			groups = append(groups, g)
		}
		g.add(row)
	}
	for _, g := range groups {
		slices.Sort(g.batches)
		slices.SortStableFunc(g.columns, func(a, b column) int {
			return rank(a.backend) - rank(b.backend)
		})
	}
	return groups
}

func rank(backend string) int {
	if backend == reference {
		return 0
	}
	return 1
}

func (g *group) words() words { return wordsOf(g.op) }

// isOf reports whether a crossover is about the rows of the group. One of the hot
// path names the ring, which its rows need not.
func (g *group) isOf(c *Crossover) bool {
	if isHotPath(g.op) {
		return c.Op == g.op
	}
	return groupKey(c.Op, c.Params, c.Resident) == groupKey(g.op, g.params, g.resident)
}

func (g *group) add(row *Row) {
	c := column{row.Backend, row.Device, row.Software}
	if !slices.Contains(g.columns, c) {
		g.columns = append(g.columns, c)
	}
	if !slices.Contains(g.batches, row.Batch) {
		g.batches = append(g.batches, row.Batch)
	}
	g.cells[cellKey{c, row.Batch}] = row
}

// at returns the measured row of a cell, nil if it failed or was not run.
func (g *group) at(c column, batch int) *Row {
	row := g.cells[cellKey{c, batch}]
	if row == nil || !row.measured() {
		return nil
	}
	return row
}

// best returns the fastest measured row of a batch among the columns that keep
// accepts, nil if there is none. Software devices never count.
func (g *group) best(batch int, keep func(column) bool) *Row {
	var best *Row
	for _, c := range g.columns {
		row := g.at(c, batch)
		if row == nil || c.software || !keep(c) {
			continue
		}
		if best == nil || row.NsPerRow < best.NsPerRow {
			best = row
		}
	}
	return best
}

// measured says whether the row holds a time that may be shown: its bytes were
// checked and nothing failed.
func (row *Row) measured() bool {
	return row.Error == "" && row.Verified && row.NsPerRow > 0 && isFinite(row.NsPerRow)
}

// interval returns the row's interval, shrunk to its median where none is given.
func (row *Row) interval() (lo, hi float64) {
	if row.Lo <= 0 || row.Hi < row.Lo || !isFinite(row.Hi) {
		return row.NsPerRow, row.NsPerRow
	}
	return row.Lo, row.Hi
}

// rowOf states one hot path timing as a row, with signatures for polynomials.
func (h *HotPath) row() Row {
	k := float64(max(h.Signers, 1))
	return Row{
		Op: HotPathOp(h.Reading), Backend: h.Backend, Device: h.Device, Software: h.Software,
		Batch: h.Signers, Resident: h.Reading == ReadingRound1,
		NsPerRow: h.Ns / k, Lo: h.Lo / k, Hi: h.Hi / k,
		Samples: h.Samples, Verified: h.Verified, Error: h.Error,
	}
}

func (r *Report) hotPathRows() []Row {
	var rows []Row
	for i := range r.HotPath {
		rows = append(rows, r.HotPath[i].row())
	}
	return rows
}

// allRows are the rows and, after them, the hot path and the blocks that were timed
// stated as rows.
func (r *Report) allRows() []Row {
	rows := append(slices.Clone(r.Rows), r.hotPathRows()...)
	for i := range r.Blocks {
		if row, ok := r.Blocks[i].row(); ok {
			rows = append(rows, row)
		}
	}
	return rows
}

// software says whether a backend ran on a software device.
func (r *Report) software(backend string) bool {
	for _, d := range r.Machine.Devices {
		if d.Backend == backend && d.Software {
			return true
		}
	}
	for _, row := range r.allRows() {
		if row.Backend == backend && row.Software {
			return true
		}
	}
	return false
}

// groupKey is equal for what belongs to one group and different otherwise.
func groupKey(op string, params map[string]string, resident bool) string {
	var b strings.Builder
	b.WriteString(strconv.Quote(op))
	b.WriteString(strconv.FormatBool(resident))
	for _, k := range slices.Sorted(maps.Keys(params)) {
		b.WriteString(strconv.Quote(k) + "=" + strconv.Quote(params[k]))
	}
	return b.String()
}
