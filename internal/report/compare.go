package report

import (
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Change compares one cell of two reports.
type Change struct {
	Op       string
	Params   map[string]string
	Backend  string
	Software bool
	Resident bool
	Batch    int
	// Base and Now are nanoseconds per row (per signature on the hot path); Now
	// is 0 for a cell that has failed since.
	Base, Now float64
	// Delta is Now/Base - 1.
	Delta float64
	// Significant says that the two 95 % intervals do not overlap.
	Significant bool
	// Regression says that the cell became slower by more than the tolerance,
	// significantly, or that it was measured before and fails now.
	Regression bool
	// Note tells what limits the comparison: a failure, or another device.
	Note string
}

// Compare lists the cells that both reports have, in the order of now. A cell is
// slower only if the intervals do not overlap, and a regression only if it is
// also slower by more than tolerance, a fraction (0.1 is 10 %); a tolerance that
// is negative or not a number counts as 0. Cells of one report alone are left
// out, since two runs may ask for different sizes, and so are those of now that
// only a search measured: it looks where two backends are equal, with no thought
// of what can be told from a base. For the cells of base alone see [Missing].
func Compare(base, now *Report, tolerance float64) []Change {
	if !(tolerance > 0) {
		tolerance = 0
	}
	before := map[place]Row{}
	for _, row := range base.allRows() {
		if row.measured() {
			before[row.place()] = row
		}
	}
	var changes []Change
	for _, row := range now.allRows() {
		if old, ok := before[row.place()]; ok && !row.Searched {
			changes = append(changes, compareRows(&old, &row, tolerance))
		}
	}
	return changes
}

// Lost counts the cells of one backend that a report has and another has not.
type Lost struct {
	Backend string
	Cells   int
}

// Missing counts, by backend in the order of base, the cells that base has a time
// for and now has not tried: of a backend that is not here, or at a size that was
// not asked for. What only a search measured is not missed.
func Missing(base, now *Report) []Lost {
	here := map[place]bool{}
	for _, row := range now.allRows() {
		here[row.place()] = true
	}
	var lost []Lost
	for _, row := range base.allRows() {
		if !row.measured() || row.Searched || here[row.place()] {
			continue
		}
		i := slices.IndexFunc(lost, func(l Lost) bool { return l.Backend == row.Backend })
		if i < 0 {
			i, lost = len(lost), append(lost, Lost{Backend: row.Backend})
		}
		lost[i].Cells++
	}
	return lost
}

// A place is what two cells have in common that can be compared.
type place struct {
	group, backend string
	batch          int
}

func (row *Row) place() place {
	return place{groupKey(row.Op, row.Params, row.Resident), row.Backend, row.Batch}
}

func compareRows(old, row *Row, tolerance float64) Change {
	c := Change{
		Op: row.Op, Params: row.Params, Backend: row.Backend, Software: row.Software,
		Resident: row.Resident, Batch: row.Batch, Base: old.NsPerRow,
	}
	if !row.measured() {
		c.Significant, c.Regression = true, true
		c.Note = "fails now"
		if row.Error != "" {
			c.Note += ": " + oneLine(row.Error)
		}
		return c
	}
	c.Now = row.NsPerRow
	c.Delta = c.Now/c.Base - 1
	oldLo, oldHi := old.interval()
	lo, hi := row.interval()
	c.Significant = lo > oldHi || hi < oldLo
	c.Regression = c.Significant && c.Delta > tolerance
	if old.Device != row.Device {
		c.Note = oneLine("was on " + old.Device + ", now on " + row.Device)
	}
	return c
}

// Regressions counts the changes that are regressions.
func Regressions(changes []Change) int {
	n := 0
	for i := range changes {
		if changes[i].Regression {
			n++
		}
	}
	return n
}

// WriteChanges writes a comparison as a Markdown table: the change of each cell,
// "~" where the intervals overlap, regressions in bold, and a line that counts
// them.
func WriteChanges(w io.Writer, changes []Change) error {
	var b strings.Builder
	if len(changes) == 0 {
		b.WriteString("The two reports have no measured cell in common.\n")
		_, err := io.WriteString(w, b.String())
		return err
	}
	t := &table{
		head: []string{"operation", "backend", "n", "base", "now", "change", "note"},
		left: map[int]bool{0: true, 1: true, 6: true},
	}
	for i := range changes {
		c := &changes[i]
		now := Duration(c.Now)
		if c.Now <= 0 {
			now = noCell
		}
		t.add(plain(shortTitle(c.Op, c.Params, c.Resident)), plain(label(c.Backend, c.Software)),
			plain(strconv.Itoa(c.Batch)), plain(Duration(c.Base)), plain(now),
			cell{text: c.delta(), bold: c.Regression}, plain(c.Note))
	}
	t.writeMarkdown(&b)
	b.WriteString("\nTime per row; ~ where the 95 % intervals overlap. ")
	b.WriteString(capital(plural(Regressions(changes), "regression")) + ".\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func (c *Change) delta() string {
	switch {
	case c.Now <= 0:
		return "failed"
	case !c.Significant || math.IsNaN(c.Delta):
		return "~"
	}
	return signedPercent(c.Delta)
}
