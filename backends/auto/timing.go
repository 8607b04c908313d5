package auto

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/crosspoint-kernels/crosspoint/backends"
)

// timing collects what the members say of their parts of a call.
type timing struct {
	mu     sync.Mutex
	sum    backends.Timing
	reason Reason
	parts  []Part
}

// watch returns a context under which the members report to a new timing, or ctx
// and nil where nobody asked for any.
func watch(ctx context.Context) (context.Context, *timing) {
	if backends.TimingFrom(ctx) == nil {
		return ctx, nil
	}
	t := &timing{}
	return backends.WithTiming(ctx, func(x backends.Timing) {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.sum.Chunks += x.Chunks
		t.sum.Upload += x.Upload
		t.sum.Kernel += x.Kernel
		t.sum.Download += x.Download
	}), t
}

// because notes why the call goes where it goes. A device that failed is the reason
// that stays.
func (t *timing) because(why Reason) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.reason != Resumed {
		t.reason = why
	}
}

func (t *timing) part(backend string, from, to int) {
	if t == nil || from == to {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.parts = append(t.parts, Part{Backend: backend, From: from, To: to})
}

// report gives the timing of a call that has ended to whoever asked for it under ctx.
func (t *timing) report(ctx context.Context, op string, rows int, total time.Duration) {
	if t == nil {
		return
	}
	t.sum.Op, t.sum.Rows, t.sum.Total = op, rows, total
	if t.reason != "" {
		t.sum.Route = routeText(t.parts, t.reason)
	}
	backends.TimingFrom(ctx)(t.sum)
}

// partsShown is how many parts of a call are told one by one.
const partsShown = 4

// routeText says in a line which rows went where, and why.
func routeText(parts []Part, why Reason) string {
	parts = slices.Clone(parts)
	slices.SortFunc(parts, func(a, b Part) int { return cmp.Compare(a.From, b.From) })
	var b strings.Builder
	if len(parts) > partsShown {
		b.WriteString(totals(parts))
		parts = nil
	}
	for i, p := range parts {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s [%d, %d)", p.Backend, p.From, p.To)
	}
	return b.String() + ": " + string(why)
}

// totals says how many rows each backend had.
func totals(parts []Part) string {
	var names []string
	rows := map[string]int{}
	for _, p := range parts {
		if rows[p.Backend] == 0 {
			names = append(names, p.Backend)
		}
		rows[p.Backend] += p.To - p.From
	}
	for i, name := range names {
		names[i] = fmt.Sprintf("%s %d rows", name, rows[name])
	}
	return strings.Join(names, " and ") + " in " + fmt.Sprint(len(parts)) + " parts"
}
