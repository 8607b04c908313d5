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
	if strings.HasPrefix(c.Op, hotPathPrefix) {
		return hotPathVerdict(c, backend, against)
	}
	w := wordsOf(c.Op)
	switch c.Verdict {
	case VerdictFound:
		if c.Batch != nil {
			return fmt.Sprintf("%s overtakes %s at %s%s", backend, against, w.size(*c.Batch), bracket(c))
		}
	case VerdictNever:
		return fmt.Sprintf("%s never overtakes %s up to %s", backend, against, w.size(c.UpTo))
	case VerdictAlways:
		return fmt.Sprintf("%s beats %s %s", backend, against, w.everySize(c.UpTo))
	}
	return fmt.Sprintf("too noisy to say where %s overtakes %s%s", backend, against, undecided(c, w))
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
		backend, against, undecided(c, words{before: "k = "}))
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
func undecided(c *Crossover, w words) string {
	switch {
	case c.Lo > 0 && c.Hi > 0:
		return ": somewhere between " + w.between(c.Lo, c.Hi)
	case c.Lo > 0:
		return fmt.Sprintf(": not up to %s, undecided up to %d", w.size(c.Lo), c.UpTo)
	case c.Hi > 0:
		return ": certainly from " + w.size(c.Hi)
	}
	return " up to " + w.size(c.UpTo)
}

func joinInts(ns []int) string {
	parts := make([]string, len(ns))
	for i, n := range ns {
		parts[i] = strconv.Itoa(n)
	}
	return strings.Join(parts, ", ")
}
