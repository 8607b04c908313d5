package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/crosspoint-kernels/crosspoint/internal/report"
	"github.com/crosspoint-kernels/crosspoint/internal/suite"
)

// An output is where a report goes. It is made before anything is measured, so
// that a path that cannot be written, or a base that cannot be read, is refused
// in time.
type output struct {
	outputOptions
	*sink        // of the report
	figure *sink // nil where none is asked for
	times  *sink // of auto's table; nil where none is asked for
	base   *report.Report
}

func (a *app) newOutput(o outputOptions) (*output, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	out := &output{outputOptions: o}
	if o.base != "" {
		f, err := os.Open(o.base)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		if out.base, err = report.ReadJSON(f); err != nil {
			return nil, fmt.Errorf("%s: %w", o.base, err)
		}
	}
	var err error
	if out.sink, err = a.newSink(o.out); err != nil {
		return nil, err
	}
	for path, s := range map[string]**sink{o.plot: &out.figure, o.table: &out.times} {
		if path == "" {
			continue
		}
		if *s, err = a.newSink(path); err != nil {
			out.discard()
			return nil, err
		}
	}
	return out, nil
}

// discard leaves no trace of what was not published.
func (o *output) discard() {
	o.sink.discard()
	o.figure.discard()
	o.times.discard()
}

// publish prints what was found: the report, the plot, and the comparison with
// the base. What fails of these does not keep the others from being done. It
// returns an error of code 2 after a regression.
func (a *app) publish(o *output, r *report.Report, found *suite.Result) error {
	full := *r
	for _, row := range found.Extra {
		row.Searched = true
		full.Rows = append(full.Rows, row)
	}
	for _, h := range found.ExtraHotPath {
		h.Searched = true
		full.HotPath = append(full.HotPath, h)
	}
	// Tables for people have the sizes asked for; a machine gets all of them.
	printed := &full
	if o.format == "md" || o.format == "latex" {
		printed = r
	}
	var b bytes.Buffer
	if err := report.Write(&b, o.format, printed); err != nil {
		return err
	}
	if o.format == "md" && len(r.HotPath) > 0 {
		fmt.Fprint(&b, "\n", shareNote())
	}
	errs := []error{o.deliver(b.Bytes())}
	if o.figure != nil {
		errs = append(errs, o.draw(&full))
	}
	return errors.Join(append(errs, a.compare(o, &full))...)
}

func (o *output) draw(r *report.Report) error {
	var b bytes.Buffer
	if err := report.Plot(&b, o.plot, r); err != nil {
		return err
	}
	return o.figure.deliver(b.Bytes())
}

// compare prints the changes since the base beside the report, or where nothing
// else is expected to be read by a machine. Without a cell in common it returns an
// error of code 3: a comparison that nothing came of must not look like one that
// found no regression.
func (a *app) compare(o *output, r *report.Report) error {
	if o.base == nil {
		return nil
	}
	w := a.stderr
	if o.format == "md" || o.outputOptions.out != "" {
		w = a.stdout
	}
	changes := report.Compare(o.base, r, o.tolerance)
	fmt.Fprintf(w, "\n## Against %s\n\n", o.outputOptions.base)
	if err := report.WriteChanges(w, changes); err != nil {
		return err
	}
	if lost := report.Missing(o.base, r); len(lost) > 0 {
		fmt.Fprintf(w, "\n%s\n", missingNote(lost, o.outputOptions.base))
	}
	if len(changes) == 0 {
		return &exitError{exitNothing, fmt.Errorf("nothing to compare: %s has no cell that was measured here", o.outputOptions.base)}
	}
	if n := report.Regressions(changes); n > 0 {
		return &exitError{exitRegression, fmt.Errorf("%d of %d cells are slower than in %s by more than %g %%",
			n, len(changes), o.outputOptions.base, 100*o.tolerance)}
	}
	return nil
}

// missingNote says in a line how many cells of the base have no counterpart.
func missingNote(lost []report.Lost, base string) string {
	total, cells := 0, "cells of %s were"
	var parts []string
	for _, l := range lost {
		total += l.Cells
		parts = append(parts, fmt.Sprintf("%s %d", l.Backend, l.Cells))
	}
	if total == 1 {
		cells = "cell of %s was"
	}
	return fmt.Sprintf("%d "+cells+" not measured here: %s.", total, base, strings.Join(parts, ", "))
}

// shareNote says what the shares of the hot path are shares of.
func shareNote() string {
	p := suite.Round1Profile()
	return fmt.Sprintf("Arithmetic in the ring is %.1f %% of Round 1 in Go: transforms %.1f %%, Montgomery form %.1f %%,\n"+
		"the matrix product %.1f %%, of %.1f ms (profile of %s, on\n"+
		"%s: another machine's figure). So no device makes Round 1 more than %.2f times as\n"+
		"fast. A share above is the time measured here beside the %.1f ms that the rest took there.\n",
		100*p.Ring(), 100*p.NTT, 100*p.MForm, 100*p.MatMul, p.Wall.Seconds()*1e3, p.Source,
		p.Machine, 1/(1-p.Ring()), p.Rest().Seconds()*1e3)
}
