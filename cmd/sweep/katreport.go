package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/backends/katrun"
	"github.com/crosspoint-kernels/crosspoint/internal/report"
)

// katSchema names the JSON that sweep kat writes.
const katSchema = "crosspoint-kat-outcome/1"

// What can become of a vector.
const (
	statusPassed  = "passed"
	statusFailed  = "failed"
	statusSkipped = "skipped" // the backend does not support it
)

// katReport is what became of the known answers.
type katReport struct {
	Schema   string         `json:"schema"`
	Machine  report.Machine `json:"machine"`
	Commit   string         `json:"commit"`
	Command  string         `json:"command"`
	Backends []katBackend   `json:"backends"`
}

type katBackend struct {
	Backend  string `json:"backend"`
	Device   string `json:"device"`
	Software bool   `json:"software"`
	// Absent says why the backend is not here; empty for one that is.
	Absent string `json:"absent,omitempty"`
	// Required says that it had to be here and to pass.
	Required bool      `json:"required,omitempty"`
	Passed   int       `json:"passed"`
	Failed   int       `json:"failed"`
	Skipped  int       `json:"skipped"`
	Cases    []katCase `json:"cases"`
}

type katCase struct {
	File   string `json:"file"`
	Vector string `json:"vector"`
	Ring   string `json:"ring,omitempty"` // of an operation of the NTT
	Op     string `json:"op"`
	Status string `json:"status"`
	Reason string `json:"reason,omitempty"`
	// Time is in ns; it shows where a run spends its time, and measures nothing.
	Time time.Duration `json:"time_ns"`
}

// add appends the outcomes of one contestant.
func (r *katReport) add(name string, info backends.Info, outcomes []katrun.Outcome) {
	b := katBackend{Backend: name, Device: info.Device, Software: info.Software}
	for _, o := range outcomes {
		k := katCase{File: o.File, Vector: o.Vector, Ring: o.Ring, Op: o.Op, Status: statusPassed, Time: o.Time}
		switch {
		case o.Err == nil:
			b.Passed++
		case o.Unsupported:
			k.Status = statusSkipped
			b.Skipped++
		default:
			k.Status = statusFailed
			b.Failed++
		}
		if o.Err != nil {
			k.Reason = o.Err.Error()
		}
		b.Cases = append(b.Cases, k)
	}
	r.Backends = append(r.Backends, b)
}

func writeKATJSON(w *bytes.Buffer, r *katReport) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

func writeKATJUnit(w *bytes.Buffer, r *katReport) error {
	var suites []report.Suite
	for _, b := range r.Backends {
		s := report.Suite{Backend: b.Backend, Device: b.Device, Software: b.Software}
		switch {
		case b.Absent != "" && b.Required:
			s.Cases = []report.Case{{Name: "open", Failure: "required: " + b.Absent}}
		case b.Absent != "":
			s.Skipped = b.Absent
		}
		for _, c := range b.Cases {
			rc := report.Case{Name: c.File + "/" + c.Vector, Time: c.Time}
			switch c.Status {
			case statusFailed:
				rc.Failure = c.Reason
			case statusSkipped:
				rc.Skipped = c.Reason
			}
			s.Cases = append(s.Cases, rc)
		}
		suites = append(suites, s)
	}
	return report.WriteJUnit(w, suites)
}

// writeKATMarkdown prints a line per backend, then every failure, then the
// reasons of skips with how often each was given.
func writeKATMarkdown(w *bytes.Buffer, r *katReport) error {
	fmt.Fprintf(w, "| backend | device | passed | failed | skipped |\n|---|---|---:|---:|---:|\n")
	for _, b := range r.Backends {
		device := b.Device
		if b.Software {
			device += " (software)"
		}
		if b.Absent != "" {
			fmt.Fprintf(w, "| %s | not here | - | - | - |\n", b.Backend)
			continue
		}
		fmt.Fprintf(w, "| %s | %s | %d | %d | %d |\n", b.Backend, device, b.Passed, b.Failed, b.Skipped)
	}
	var notes strings.Builder
	for _, b := range r.Backends {
		if b.Absent != "" {
			fmt.Fprintf(&notes, "- %s is not here: %s\n", b.Backend, b.Absent)
		}
		b.notes(&notes)
	}
	if notes.Len() > 0 {
		fmt.Fprintf(w, "\n%s", notes.String())
	}
	return nil
}

func (b *katBackend) notes(w *strings.Builder) {
	skips := map[string]int{}
	var reasons []string // in order of appearance
	for _, c := range b.Cases {
		switch c.Status {
		case statusFailed:
			fmt.Fprintf(w, "- %s failed %s/%s: %s\n", b.Backend, c.File, c.Vector, c.Reason)
		case statusSkipped:
			if skips[c.Reason]++; skips[c.Reason] == 1 {
				reasons = append(reasons, c.Reason)
			}
		}
	}
	for _, reason := range reasons {
		fmt.Fprintf(w, "- %s skipped %d: %s\n", b.Backend, skips[reason], reason)
	}
}
