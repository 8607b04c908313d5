package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/crosspoint-kernels/crosspoint/internal/suite"
)

// quiet is how long plain progress says nothing: enough lines to see that the
// command lives, few enough for a log.
const quiet = 5 * time.Second

// meter shows the progress of a command that has several stages. It draws only
// when told, so never during a measurement.
type meter struct {
	bar   *progressbar.ProgressBar // nil where stderr is no terminal
	w     io.Writer
	now   func() time.Time
	last  time.Time
	total int // work of all stages
	past  int // work of the stages before this one
}

func newMeter(w io.Writer, total int) *meter {
	m := &meter{w: w, now: time.Now, total: total}
	if isTerminal(w) {
		m.bar = progressbar.NewOptions(total,
			progressbar.OptionSetWriter(w),
			progressbar.OptionSetWidth(24),
			progressbar.OptionSetPredictTime(false),
			progressbar.OptionClearOnFinish(),
			progressbar.OptionSetRenderBlankState(true))
	}
	return m
}

// stage returns the progress of the next stage, which has so much work.
func (m *meter) stage(work int) suite.Progress {
	start := m.past
	m.past += work
	return func(next string, done, _ int) { m.show(next, start+done) }
}

func (m *meter) show(next string, done int) {
	if m.bar != nil {
		m.bar.Describe(next)
		m.bar.Set(min(done, m.total-1)) // clearing is for finish
		return
	}
	if now := m.now(); next != "" && now.Sub(m.last) >= quiet {
		m.last = now
		fmt.Fprintf(m.w, "sweep: %3d %%  %s\n", 100*done/m.total, next)
	}
}

// finish takes the bar away, or ends the lines with a last one where all was done.
func (m *meter) finish(done bool) {
	switch {
	case m.bar != nil:
		m.bar.Finish()
	case done:
		fmt.Fprintf(m.w, "sweep: 100 %%\n")
	}
}

// isTerminal reports whether w is a character device, which of what a command's
// output is joined to only a terminal and the null device are.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
