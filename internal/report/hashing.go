package report

import "strconv"

const (
	rateCaption = "Millions of hashes and of message bytes per second"
	rootCaption = "Root of each state, equal on every backend that has a time"
)

// rateTable turns the times of messages into hashes and bytes per second, both
// in millions; nil where the rows are no messages.
func (g *group) rateTable() *table {
	t := &table{head: []string{g.words().n}}
	for _, c := range g.columns {
		t.head = append(t.head, c.label()+" M/s", "MB/s")
	}
	any := false
	for _, n := range g.batches {
		cells := []cell{plain(strconv.Itoa(n))}
		for _, c := range g.columns {
			row := g.at(c, n)
			if row == nil || row.messageLen() == 0 {
				cells = append(cells, plain(noCell), plain(noCell))
				continue
			}
			any = true
			perSecond := 1e3 / row.NsPerRow // in millions
			cells = append(cells, plain(significant(perSecond, significantDigits)),
				plain(significant(perSecond*float64(row.messageLen()), significantDigits)))
		}
		t.add(cells...)
	}
	if !any {
		return nil
	}
	return t
}

// rootTable lists the root of each state; nil where the rows are no roots. Rows
// that differ, as those of two runs may, have none.
func (g *group) rootTable() *table {
	t := &table{head: []string{g.words().n, "root"}, left: map[int]bool{1: true}}
	for _, n := range g.batches {
		root := ""
		for _, c := range g.columns {
			row := g.at(c, n)
			switch {
			case row == nil || row.Root == "" || row.Root == root:
			case root == "":
				root = oneLine(row.Root)
			default:
				root = "differs from backend to backend"
			}
		}
		if root != "" {
			t.add(plain(strconv.Itoa(n)), plain(root))
		}
	}
	if len(t.rows) == 0 {
		return nil
	}
	return t
}
