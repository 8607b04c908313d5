package report

import (
	"maps"
	"slices"
	"strconv"
)

// phaseTable splits the time of a batch into its phases, in microseconds; nil if
// no row of the group has any.
func (g *group) phaseTable() *table {
	names := map[string]bool{}
	for _, row := range g.cells {
		for name := range row.Phases {
			names[name] = true
		}
	}
	if len(names) == 0 {
		return nil
	}
	phases := phaseOrder(names)
	t := &table{head: append(append([]string{g.words().n, "backend"}, phases...), "whole"), left: map[int]bool{1: true}}
	for _, n := range g.batches {
		for _, c := range g.columns {
			row := g.at(c, n)
			if row == nil || len(row.Phases) == 0 {
				continue
			}
			cells := []cell{plain(strconv.Itoa(n)), plain(c.label())}
			for _, name := range phases {
				text := noCell
				if ns, ok := row.Phases[name]; ok {
					text = fixed(ns/microsecond, 2)
				}
				cells = append(cells, plain(text))
			}
			t.add(append(cells, plain(fixed(row.NsPerRow*float64(n)/microsecond, 2)))...)
		}
	}
	if len(t.rows) == 0 {
		return nil
	}
	return t
}

// phaseOrder lists the usual phases in the order in which they happen, then any
// others by name.
func phaseOrder(names map[string]bool) []string {
	var order []string
	usual := []string{PhaseUpload, PhaseKernel, PhaseDownload,
		PhaseSort, PhaseBuild, PhasePack, PhaseEncode, PhaseHash}
	for _, name := range usual {
		if names[name] {
			order = append(order, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if !slices.Contains(usual, name) {
			order = append(order, name)
		}
	}
	return order
}
