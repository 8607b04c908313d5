package device

import (
	"context"
	"time"

	"github.com/crosspoint-kernels/crosspoint/backends"
)

// stopwatch splits the time of a call into phases. Its methods do nothing on a
// nil one, so a call that nobody times takes no time stamps.
type stopwatch struct {
	now         func() time.Time
	report      func(backends.Timing)
	t           backends.Timing
	start, last time.Time
}

// newStopwatch starts a stopwatch if the context asks for one.
func newStopwatch(ctx context.Context, now func() time.Time, op string) *stopwatch {
	f := backends.TimingFrom(ctx)
	if f == nil {
		return nil
	}
	t := now()
	return &stopwatch{now: now, report: f, t: backends.Timing{Op: op}, start: t, last: t}
}

// uploaded, computed and downloaded end a phase of the kind that they name, which
// began when the one before it ended.
func (w *stopwatch) uploaded() {
	if w != nil {
		w.lap(&w.t.Upload)
	}
}

func (w *stopwatch) computed() {
	if w != nil {
		w.lap(&w.t.Kernel)
	}
}

func (w *stopwatch) downloaded() {
	if w != nil {
		w.lap(&w.t.Download)
	}
}

func (w *stopwatch) lap(d *time.Duration) {
	t := w.now()
	*d += t.Sub(w.last)
	w.last = t
}

// submitted counts a chunk.
func (w *stopwatch) submitted() {
	if w != nil {
		w.t.Chunks++
	}
}

// stop reports the timing of a call that took that many rows to the end.
func (w *stopwatch) stop(rows int) {
	if w != nil {
		w.t.Rows, w.t.Total = rows, w.now().Sub(w.start)
		w.report(w.t)
	}
}
