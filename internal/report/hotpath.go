package report

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// readings lists the readings of the hot path in order of appearance.
func (r *Report) readings() []string {
	var names []string
	for i := range r.HotPath {
		if !slices.Contains(names, r.HotPath[i].Reading) {
			names = append(names, r.HotPath[i].Reading)
		}
	}
	return names
}

// hotPathTable has a row per number k of signatures in flight and, for each
// backend, the time of all k with its interval and, where it is known, the share
// of a signature that this work makes up.
func (r *Report) hotPathTable(reading string) *table {
	var rows []Row
	share, shares := map[cellKey]float64{}, false
	for i := range r.HotPath {
		h := &r.HotPath[i]
		if h.Reading == reading {
			rows = append(rows, h.row())
			share[cellKey{column{h.Backend, h.Device, h.Software}, h.Signers}] = h.Share
			shares = shares || h.Share > 0
		}
	}
	g := groupRows(rows)[0]
	t := &table{head: []string{"k"}}
	for _, c := range g.columns {
		t.head = append(t.head, c.label())
		if shares {
			t.head = append(t.head, "share")
		}
	}
	for _, k := range g.batches {
		cells := []cell{plain(strconv.Itoa(k))}
		for _, c := range g.columns {
			cells = append(cells, hotPathCell(g, c, k))
			if shares {
				cells = append(cells, shareCell(g, c, k, share))
			}
		}
		t.add(cells...)
	}
	for j := range t.head {
		alignSpreads(t, j)
	}
	return t
}

func hotPathCell(g *group, c column, k int) cell {
	row := g.at(c, k)
	if row == nil {
		return plain(g.absence(c, k))
	}
	text := Duration(row.NsPerRow * float64(k))
	lo, hi := row.interval()
	if s := spread(row.NsPerRow, lo, hi); s != "" {
		text += " " + s
	}
	return plain(text)
}

func shareCell(g *group, c column, k int, share map[cellKey]float64) cell {
	s := share[cellKey{c, k}]
	if g.at(c, k) == nil || s <= 0 {
		return plain(noCell)
	}
	return plain(percent(s))
}

// alignSpreads gives the intervals of a column the same room.
func alignSpreads(t *table, j int) {
	width := 0
	spreadOf := func(text string) (head, tail string) {
		if at := strings.LastIndex(text, " ±"); at >= 0 {
			return text[:at], text[at+1:]
		}
		return text, ""
	}
	t.column(j, func(c *cell) {
		_, tail := spreadOf(c.text)
		width = max(width, utf8.RuneCountInString(tail))
	})
	if width == 0 {
		return
	}
	t.column(j, func(c *cell) {
		if head, tail := spreadOf(c.text); tail != "" {
			c.text = head + " " + spaces(width-utf8.RuneCountInString(tail)) + tail
		}
	})
}
