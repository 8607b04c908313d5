package stateroot

import (
	"context"
	"time"
)

// Phases is where the time of one root went, as the calling goroutine saw it.
type Phases struct {
	Kind string // "flat", "merkle", "mpt"
	// Sort puts the pairs in ascending key order and gathers the keys; Build
	// finds the shape of the trie and the length of each node; Pack gives each
	// node its place in its level; Encode writes the nodes; Hash is the time in
	// Hashers, that of hashing keys included.
	Sort, Build, Pack, Encode, Hash time.Duration
	Total                           time.Duration
	// Levels is the number of nodes hashed in each level, leaves first.
	Levels []int
}

type phasesKey struct{}

// WithPhases returns a context under which each root of a Builder that succeeds
// reports its Phases to f, before it returns and on its goroutine, as
// net/http/httptrace does. A call without it takes no time stamps.
func WithPhases(ctx context.Context, f func(Phases)) context.Context {
	return context.WithValue(ctx, phasesKey{}, f)
}

// phase is one of the stretches that a root is made of.
type phase int

const (
	sortPhase phase = iota
	buildPhase
	packPhase
	encodePhase
	hashPhase
	phases
)

// watch adds the time between two marks to a phase. A nil watch, with no one to
// report to, does nothing.
type watch struct {
	report      func(Phases)
	kind        string
	start, last time.Time
	spent       [phases]time.Duration
	levels      []int
}

func newWatch(ctx context.Context, kind string) *watch {
	f, _ := ctx.Value(phasesKey{}).(func(Phases))
	if f == nil {
		return nil
	}
	now := time.Now()
	return &watch{report: f, kind: kind, start: now, last: now}
}

// mark ends a stretch of phase p.
func (w *watch) mark(p phase) {
	if w == nil {
		return
	}
	now := time.Now()
	w.spent[p] += now.Sub(w.last)
	w.last = now
}

// level notes that a level of n nodes was hashed.
func (w *watch) level(n int) {
	if w != nil {
		w.levels = append(w.levels, n)
	}
}

// done reports.
func (w *watch) done() {
	if w == nil {
		return
	}
	w.report(Phases{
		Kind:   w.kind,
		Sort:   w.spent[sortPhase],
		Build:  w.spent[buildPhase],
		Pack:   w.spent[packPhase],
		Encode: w.spent[encodePhase],
		Hash:   w.spent[hashPhase],
		Total:  time.Since(w.start),
		Levels: w.levels,
	})
}
