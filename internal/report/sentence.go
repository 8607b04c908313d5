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
	if len(c.SignChanges) > 0 && !c.onlyAtLo() {
		s += "; the winner changes after " + joinInts(c.SignChanges)
	}
	return oneLine(s)
}

// onlyAtLo says that the winner changes but once, where the bracket of the
// crossover shows it already.
func (c *Crossover) onlyAtLo() bool {
	return c.Verdict == VerdictFound && len(c.SignChanges) == 1 && c.SignChanges[0] == c.Lo
}

func (r *Report) verdict(c *Crossover) string {
	backend := label(c.Backend, r.software(c.Backend))
	against := label(c.Against, r.software(c.Against))
	if isHotPath(c.Op) {
		return hotPathVerdict(c, backend, against)
	}
	w := wordsOf(c.Op)
	if c.wonButLast() {
		return wonVerdict(c, w, backend, against)
	}
	switch c.Verdict {
	case VerdictFound:
		if c.Batch != nil {
			return fmt.Sprintf("%s overtakes %s at %s%s", backend, against, w.size(*c.Batch), bracket(c))
		}
	case VerdictNever:
		if len(c.SignChanges) > 0 {
			return fmt.Sprintf("%s does not stay ahead of %s, which wins at %s, the %s", backend, against, w.size(c.UpTo), w.most)
		}
		return fmt.Sprintf("%s never overtakes %s up to %s", backend, against, w.size(c.UpTo))
	case VerdictAlways:
		return fmt.Sprintf("%s beats %s %s", backend, against, w.everySize(c.UpTo))
	}
	return fmt.Sprintf("too noisy to say where %s overtakes %s%s", backend, against, undecided(c, w, backend, against))
}

// hotPathVerdict answers the aggregator's question: from how many signatures in
// flight does the device pay?
func hotPathVerdict(c *Crossover, backend, against string) string {
	if c.wonButLast() {
		return wonVerdict(c, wordsOf(c.Op), backend, against)
	}
	switch c.Verdict {
	case VerdictFound:
		if c.Batch != nil {
			return fmt.Sprintf("%s pays against %s from %s in flight%s",
				backend, against, signatures(*c.Batch), bracket(c))
		}
	case VerdictNever:
		if len(c.SignChanges) > 0 {
			return fmt.Sprintf("%s does not go on to pay against %s, which wins with %s in flight, the most",
				backend, against, signatures(c.UpTo))
		}
		return fmt.Sprintf("%s never pays against %s up to %s in flight", backend, against, signatures(c.UpTo))
	case VerdictAlways:
		return fmt.Sprintf("%s pays against %s from %s in flight", backend, against, signatures(max(c.Hi, 1)))
	}
	return fmt.Sprintf("too noisy to say from how many signatures in flight %s pays against %s%s",
		backend, against, undecided(c, wordsOf(c.Op), backend, against))
}

// wonButLast says that nothing stands against a backend that wins from the smallest
// size but that the largest is undecided: that is no noise about where it wins.
func (c *Crossover) wonButLast() bool {
	return c.Verdict == VerdictNoise && c.Lo == 0 && c.Hi == 0 && c.WonTo > 0
}

func wonVerdict(c *Crossover, w words, backend, against string) string {
	return fmt.Sprintf("%s wins against %s up to %s; at %d neither wins outright", backend, against, w.size(c.WonTo), c.UpTo)
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

// undecided says what was seen instead of a crossover: the last size at which the
// reference won, and the first from which the backend won, where there are such. A
// side that won at the largest size has made another verdict of it, so where only
// the reference won, nobody wins there.
func undecided(c *Crossover, w words, backend, against string) string {
	switch {
	case c.Lo > 0 && c.Hi > 0:
		return fmt.Sprintf(": %s still won at %s, %s wins from %d on", against, w.size(c.Lo), backend, c.Hi)
	case c.Lo > 0:
		return fmt.Sprintf(": %s still won at %s, and at %d neither wins outright", against, w.size(c.Lo), c.UpTo)
	case c.Hi > 0:
		return fmt.Sprintf(": %s wins from %s on, and below it %s nowhere outright", backend, w.size(c.Hi), against)
	}
	return fmt.Sprintf(": %s won nowhere outright, and at %s neither does", against, w.size(c.UpTo))
}

func joinInts(ns []int) string {
	parts := make([]string, len(ns))
	for i, n := range ns {
		parts[i] = strconv.Itoa(n)
	}
	return strings.Join(parts, ", ")
}
