package report

import (
	"fmt"
	"strconv"
	"strings"
)

// sentence states a crossover in one line of prose, without a full stop:
// "ntt forward, pulsar: wgsl overtakes cpu at batch 512 [384, 768]".
func (r *Report) sentence(c *Crossover) string {
	s := shortTitle(c.Op, c.Params, c.Resident) + ": " + r.verdict(c)
	if c.Predicted != nil && isFinite(*c.Predicted) && *c.Predicted >= 0 {
		s += "; the fits cross at " + significant(*c.Predicted, significantDigits)
	}
	if len(c.SignChanges) > 1 {
		s += "; the winner changes at " + joinInts(c.SignChanges)
	}
	return oneLine(s)
}

func (r *Report) verdict(c *Crossover) string {
	backend := label(c.Backend, r.software(c.Backend))
	against := label(c.Against, r.software(c.Against))
	if isHotPath(c.Op) {
		return hotPathVerdict(c, backend, against)
	}
	switch c.Verdict {
	case VerdictFound:
		if c.Batch != nil {
			return fmt.Sprintf("%s overtakes %s at batch %d%s", backend, against, *c.Batch, bracket(c))
		}
	case VerdictNever:
		return fmt.Sprintf("%s never overtakes %s up to batch %d", backend, against, c.UpTo)
	case VerdictAlways:
		return fmt.Sprintf("%s beats %s at every batch size up to %d", backend, against, c.UpTo)
	}
	return fmt.Sprintf("too noisy to say where %s overtakes %s%s", backend, against, undecided(c, "batch"))
}

// hotPathVerdict answers the aggregator's question: from how many signatures in
// flight does the device pay?
func hotPathVerdict(c *Crossover, backend, against string) string {
	switch c.Verdict {
	case VerdictFound:
		if c.Batch != nil {
			return fmt.Sprintf("%s pays against %s from %s in flight%s",
				backend, against, signatures(*c.Batch), bracket(c))
		}
	case VerdictNever:
		return fmt.Sprintf("%s never pays against %s up to %s in flight", backend, against, signatures(c.UpTo))
	case VerdictAlways:
		return fmt.Sprintf("%s pays against %s from %s in flight", backend, against, signatures(max(c.Hi, 1)))
	}
	return fmt.Sprintf("too noisy to say from how many signatures in flight %s pays against %s%s",
		backend, against, undecided(c, "k ="))
}

func signatures(k int) string {
	if k == 1 {
		return "1 signature"
	}
	return strconv.Itoa(k) + " signatures"
}

// bracket prints the interval of a crossover; a side that was not seen is left
// open.
func bracket(c *Crossover) string {
	if c.Lo <= 0 && c.Hi <= 0 {
		return ""
	}
	return " [" + bound(c.Lo) + ", " + bound(c.Hi) + "]"
}

func bound(n int) string {
	if n <= 0 {
		return "?"
	}
	return strconv.Itoa(n)
}

// undecided says how far the doubt reaches.
func undecided(c *Crossover, what string) string {
	switch {
	case c.Lo > 0 && c.Hi > 0:
		return fmt.Sprintf(": somewhere between %s %d and %d", what, c.Lo, c.Hi)
	case c.Lo > 0:
		return fmt.Sprintf(": not up to %s %d, undecided up to %d", what, c.Lo, c.UpTo)
	case c.Hi > 0:
		return fmt.Sprintf(": certainly from %s %d", what, c.Hi)
	}
	return fmt.Sprintf(" up to %s %d", what, c.UpTo)
}

func joinInts(ns []int) string {
	parts := make([]string, len(ns))
	for i, n := range ns {
		parts[i] = strconv.Itoa(n)
	}
	return strings.Join(parts, ", ")
}
