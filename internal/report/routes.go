package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// What a choice among backends may take: so many times the best of them, and so many
// nanoseconds.
const (
	routeFactor = 1.10
	routeNs     = 100
)

// Routes is a comparison of what chooses among backends with each of them.
type Routes struct {
	Op   string // as in a Row
	Ring string
	// FirstNs is the time of the first call, of one row: it measures what there is to
	// choose from.
	FirstNs float64
	Rows    []Route // by size, ascending
	Partial bool    // interrupted: the rows are those that finished
}

// Route is one size.
type Route struct {
	Batch  int
	Best   string  // the fastest backend that is always the same
	BestNs float64 // the median time of its call
	AutoNs float64
	Ratio  Ratio  // of AutoNs to BestNs, over pairs of samples
	Route  string // which rows went where, and why
}

// Within reports whether the choice took no more than 1.10 times the best and 100 ns,
// by the ratio of samples from the same rounds.
func (r *Route) Within() bool { return r.Ratio.Median <= routeFactor+routeNs/r.BestNs }

// WriteRoutes writes r for people.
func WriteRoutes(w io.Writer, r *Routes) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s: times of whole calls; the first call of auto took %s\n\n", r.Op, r.Ring, Duration(r.FirstNs))
	t := &table{head: []string{"n", "best", "takes", "auto", "ratio", "interval", "goes to"},
		left: map[int]bool{1: true, 6: true}}
	over := 0
	for i := range r.Rows {
		x := &r.Rows[i]
		ratio := fixed(x.Ratio.Median, 2)
		if !x.Within() {
			over++
			ratio += " over"
		}
		t.add(plain(strconv.Itoa(x.Batch)), plain(x.Best), plain(Duration(x.BestNs)), plain(Duration(x.AutoNs)),
			plain(ratio), plain(fixed(x.Ratio.Lo, 2)+"-"+fixed(x.Ratio.Hi, 2)), plain(oneLine(x.Route)))
	}
	t.writeText(&b)
	if over > 0 {
		fmt.Fprintf(&b, "\nover: more than %.2f times the best and %d ns\n", routeFactor, routeNs)
	}
	if r.Partial {
		b.WriteString("\nInterrupted: these are the sizes that had finished.\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
