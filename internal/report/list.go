package report

import (
	"io"
	"strings"
)

// Listing is one line of "sweep list": a backend and its device, or why there is
// none.
type Listing struct {
	Backend   string `json:"backend"`
	Device    string `json:"device,omitempty"`
	Driver    string `json:"driver,omitempty"`
	Software  bool   `json:"software,omitempty"`
	Available bool   `json:"available"`
	// Supports are the operations that it has, "ntt to N = 4096", "keccak".
	Supports []string `json:"supports,omitempty"`
	// Reason says why the backend is absent and what to do about it; empty for one
	// that is there.
	Reason string `json:"reason,omitempty"`
}

// WriteList writes a plain table of the backends, in the order given: those that
// are there, then those that are not, each with its reason.
func WriteList(w io.Writer, list []Listing) error {
	var b strings.Builder
	t := &table{head: []string{"backend", "device", "driver", "supports"},
		left: map[int]bool{0: true, 1: true, 2: true, 3: true}}
	absent := 0
	for _, l := range list {
		if !l.Available {
			absent++
			continue
		}
		t.add(plain(l.Backend), plain(label(l.Device, l.Software)), plain(l.Driver), plain(strings.Join(l.Supports, ", ")))
	}
	if len(t.rows) > 0 {
		t.writeText(&b)
	} else {
		b.WriteString("No backend is available.\n")
	}
	if absent > 0 {
		b.WriteString("\nNot available:\n")
	}
	for _, l := range list {
		if l.Available {
			continue
		}
		b.WriteString("  " + oneLine(l.Backend) + ": " + orUnknown(l.Reason) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func orUnknown(reason string) string {
	if reason = oneLine(reason); reason == "" {
		return "no reason given"
	}
	return reason
}
