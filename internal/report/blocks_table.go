package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const millisecond = 1e6 // ns

// table is the group as a table.
func (g *blockGroup) grid() *table {
	switch g.table {
	case BlockHarness:
		return g.harnessTable()
	case BlockBench:
		return g.benchTable()
	case BlockSimulate:
		return g.simulationTable()
	}
	return g.phasesTable()
}

func (g *blockGroup) harnessTable() *table {
	t := &table{head: []string{"load", "W", "comparisons", "abort"}, left: map[int]bool{0: true}}
	for _, b := range g.blocks {
		t.add(plain(b.Load), plain(strconv.Itoa(b.Workers)), plain(thousands(b.Samples)), plain(percent(b.Abort)))
	}
	return t
}

// who names a run in the first column.
func (b *Block) who() string {
	switch b.Run {
	case RunSequential:
		return "sequential"
	case RunControl:
		return "control " + strconv.Itoa(b.Workers)
	case RunEvenControl:
		return "even control " + strconv.Itoa(b.Workers)
	}
	return strconv.Itoa(b.Workers)
}

// phasesTable has a row for each run, as the report that the load reconstructs.
// Columns that nothing fills are left out.
func (g *blockGroup) phasesTable() *table {
	t := &table{head: []string{"W", "exec", "commit", "root", "end to end", "exec speed-up", "end to end speed-up",
		"ceiling", "exec of control", "end to end of control", "exec of even", "end to end of even", "TPS", "abort", "tail", "CPU", "commit busy", "root busy"}}
	lead := 0
	if g.table == BlockGas {
		t.head = append([]string{"gas", "load"}, t.head...)
		t.left = map[int]bool{1: true}
		lead = 2
	}
	for _, b := range g.blocks {
		var cells []cell
		if lead > 0 {
			cells = append(cells, plain(strconv.Itoa(b.Gas)), plain(b.Load))
		}
		t.rows = append(t.rows, append(cells, b.phaseCells()...))
	}
	t.dropEmpty(lead + 1)
	for j := range t.head {
		alignSpreads(t, j)
	}
	return t
}

func (b *Block) phaseCells() []cell {
	if b.Error != "" {
		return []cell{plain(b.who()), plain("failed")}
	}
	whole := b.RootKind != "" && (b.Run == RunSequential || b.Run == RunParallel)
	cells := []cell{
		plain(b.who()), plain(milliseconds(b.Exec, true)),
		unless(whole, milliseconds(b.Commit, false)), unless(whole, milliseconds(b.RootTime, false)),
		unless(whole, milliseconds(b.EndToEnd, true)),
		plain(times(b.ExecSpeedup)), plain(factor(b.EndToEndSpeedup, "x"+flagged(b.aboveCeiling()))), plain(times(b.Ceiling)),
		plain(ratio(b.ExecOfControl)), plain(ratio(b.EndToEndOfControl)), plain(ratio(b.ExecOfEven)), plain(ratio(b.EndToEndOfEven)),
		unless(b.TPS > 0, thousands(int(b.TPS+0.5))), unless(b.Run == RunParallel, percent(b.Abort)),
		unless(whole, percent(b.Tail)), plain(times(b.CPU)),
	}
	hidden := b.CommitBusy > b.Commit.Median || b.RootBusy > b.RootTime.Median
	return append(cells,
		unless(hidden, fixed(b.CommitBusy/millisecond, 2)), unless(hidden, fixed(b.RootBusy/millisecond, 2)))
}

// aboveCeiling says that the speed-up is, or that of more than half of the repetitions
// was.
func (b *Block) aboveCeiling() bool {
	if b.Simulated || b.Ceiling == nil || b.EndToEndSpeedup == nil {
		return false
	}
	return b.EndToEndSpeedup.Median > b.Ceiling.Median || 2*b.AboveCeiling > b.Samples
}

func flagged(above bool) string {
	if above {
		return " (!)"
	}
	return ""
}

func unless(there bool, text string) cell {
	if !there {
		text = noCell
	}
	return plain(text)
}

func milliseconds(s Span, interval bool) string {
	text := fixed(s.Median/millisecond, 2)
	if reach := spread(s.Median, s.Lo, s.Hi); interval && reach != "" {
		text += " " + reach
	}
	return text
}

// times formats a factor: "1.94x", with the reach of its interval.
func times(r *Ratio) string { return factor(r, "x") }

// ratio formats a share of something: "0.97".
func ratio(r *Ratio) string { return factor(r, "") }

func factor(r *Ratio, unit string) string {
	if r == nil {
		return noCell
	}
	text := fixed(r.Median, 2) + unit
	if reach := spread(r.Median, r.Lo, r.Hi); reach != "" {
		text += " " + reach
	}
	return text
}

// dropEmpty leaves out the columns from the given one on that no row fills.
func (t *table) dropEmpty(from int) {
	for j := len(t.head) - 1; j >= from; j-- {
		empty := true
		t.column(j, func(c *cell) { empty = empty && (c.text == noCell || c.text == "") })
		if !empty {
			continue
		}
		t.head = slices.Delete(t.head, j, j+1)
		for i := range t.rows {
			if j < len(t.rows[i]) {
				t.rows[i] = slices.Delete(t.rows[i], j, j+1)
			}
		}
	}
}

// benchTable has a row for each load and a column for each number of workers, and
// beside it what the control allowed.
func (g *blockGroup) benchTable() *table {
	var loads []string
	var workers []int
	for _, b := range g.blocks {
		if !slices.Contains(loads, b.Load) {
			loads = append(loads, b.Load)
		}
		if b.Run == RunParallel && !slices.Contains(workers, b.Workers) {
			workers = append(workers, b.Workers)
		}
	}
	slices.Sort(workers)
	const each = 5 // columns of a number of workers
	t := &table{head: []string{"load", "sequential"}, left: map[int]bool{0: true}}
	for _, w := range workers {
		t.head = append(t.head, fmt.Sprintf("W = %d", w), "of control", "of even", "abort", "CPU")
	}
	for _, load := range loads {
		cells := []cell{plain(load), plain(noCell)}
		for range each * len(workers) {
			cells = append(cells, plain(noCell))
		}
		for _, b := range g.blocks {
			if b.Load != load || b.Error != "" {
				continue
			}
			switch b.Run {
			case RunSequential:
				cells[1] = plain(milliseconds(b.Exec, false) + " ms")
			case RunParallel:
				copy(cells[2+each*slices.Index(workers, b.Workers):], []cell{plain(times(b.ExecSpeedup)),
					plain(ratio(b.ExecOfControl)), plain(ratio(b.ExecOfEven)), plain(percent(b.Abort)), plain(times(b.CPU))})
			}
		}
		t.rows = append(t.rows, cells)
	}
	t.dropEmpty(2)
	for j := range t.head {
		alignSpreads(t, j)
	}
	return t
}

// simulationTable has the runs that were measured beside the simulated ones.
func (g *blockGroup) simulationTable() *table {
	t := &table{head: []string{"W", "", "exec", "end to end", "exec speed-up", "end to end speed-up", "TPS", "abort", "off the measured"},
		left: map[int]bool{1: true}}
	for _, b := range g.blocks {
		how := "measured"
		if b.Simulated {
			how = "simulated"
		}
		off := noCell
		if b.Deviation != nil {
			off = signedPercent(*b.Deviation)
		}
		t.add(plain(b.who()), plain(how), plain(milliseconds(b.Exec, false)), plain(milliseconds(b.EndToEnd, false)),
			plain(times(b.ExecSpeedup)), plain(times(b.EndToEndSpeedup)), unless(b.TPS > 0, thousands(int(b.TPS+0.5))),
			unless(b.Run == RunParallel, percent(b.Abort)), plain(off))
	}
	t.dropEmpty(3)
	return t
}

func (r *Report) markdownBlocks(b *strings.Builder) {
	for _, g := range r.groupBlocks() {
		b.WriteString("## " + escapeMarkdown(g.title) + "\n\n")
		b.WriteString(escapeMarkdown(g.caption()) + "\n\n")
		g.grid().writeMarkdown(b)
		b.WriteString("\n")
		for _, line := range g.notes() {
			b.WriteString("- " + escapeMarkdown(line) + "\n")
		}
		if len(g.notes()) > 0 {
			b.WriteString("\n")
		}
	}
}

func (r *Report) latexBlocks(b *strings.Builder) {
	for _, g := range r.groupBlocks() {
		g.grid().writeLaTeX(b, strings.Join(append([]string{g.title + ".", g.caption()}, g.notes()...), " "))
	}
}
