package wgsl

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// TestHeadroom proves for every ring that no value leaves the range that the
// functions of its field state: it runs the written text over intervals, apart
// from the bounds that the emitter kept.
func TestHeadroom(t *testing.T) {
	for _, r := range rings(t) {
		p := program(t, r)
		require.NoError(t, checkHeadroom(r, p.Forward.Text), "forward of %s", r)
		require.NoError(t, checkHeadroom(r, p.Inverse.Text), "inverse of %s", r)
	}
}

// TestHeadroomCatches plants an error that no vector need show: a reduction that
// is missing, a bias too small, a final reduction too few.
func TestHeadroomCatches(t *testing.T) {
	pulsar, largest, narrow := named(t, "pulsar"), below(t, 256, 1<<61), below(t, 256, 1<<31)
	for _, m := range []struct {
		name     string
		ring     *ntt.Ring
		inverse  bool
		old, new string
	}{
		{"bias", pulsar, false, "vec4<u32>(132615u, 132615u, 0x1c00000u, 0x1c00000u)", "vec4<u32>(113670u, 113670u, 0x1800000u, 0x1800000u)"},
		{"fold", pulsar, true, "  r0 = fold(r0);\n", ""},
		{"last reduction", largest, false, "pack(reduce(", "pack(("},
		{"reduction", largest, false, "  r0 = reduce(", "  r0 = ("},
		{"reduction of a difference", largest, true, "  r0 = reduce(", "  r0 = ("},
		{"narrow reduction", narrow, false, "  r0 = reduce(", "  r0 = ("},
		{"strength", narrow, false, "mul_strict(r", "mul_exact(r"},
	} {
		t.Run(m.name, func(t *testing.T) {
			p := program(t, m.ring)
			text := p.Forward.Text
			if m.inverse {
				text = p.Inverse.Text
			}
			require.Contains(t, text, m.old)
			require.Error(t, checkHeadroom(m.ring, strings.Replace(text, m.old, m.new, 1)))
		})
	}
}

// An interval holds lo and hi.
type interval struct{ lo, hi *big.Int }

func span(lo, hi *big.Int) interval { return interval{lo, hi} }

func (v interval) within(lo, hi *big.Int) bool { return v.lo.Cmp(lo) >= 0 && v.hi.Cmp(hi) < 0 }

// A walker runs the passes of a text over intervals.
type walker struct {
	q, multiple *big.Int
	logN        uint
	kind        string // narrow, wide or sliced
	regs        map[string]interval
	between     interval // of the values between two passes
	err         error
}

func checkHeadroom(r *ntt.Ring, text string) error {
	w := &walker{q: number(r.Q()), logN: uint(r.LogN()), kind: "wide"}
	switch {
	case isSliced(r.LogN(), r.Q()):
		w.kind = "sliced"
	case r.Q() < 1<<31:
		w.kind = "narrow"
	}
	text = text[strings.Index(text, "// pass_1"):]
	for _, body := range strings.Split(text, "\nfn pass_")[1:] {
		w.regs = map[string]interval{}
		var out interval
		for _, line := range strings.Split(body, "\n") {
			for _, s := range strings.Split(strings.TrimSpace(line), "; ") {
				w.statement(strings.TrimSuffix(s, ";"), &out)
				if w.err != nil {
					return fmt.Errorf("%q: %w", line, w.err)
				}
			}
		}
		w.between = out
	}
	if w.between.lo == nil || !w.between.within(big.NewInt(0), w.q) {
		return fmt.Errorf("the result is in %v", w.between)
	}
	return nil
}

var assignment = regexp.MustCompile(`^(?:var |let )?(r\d+|t|o\d+_\d+|data\[.*\]) = (.*)$`)

// statement runs an assignment of a Lanes; out collects what goes to memory.
func (w *walker) statement(s string, out *interval) {
	m := assignment.FindStringSubmatch(s)
	if m == nil || strings.HasPrefix(m[2], "vec4<u32>(o") {
		return // no arithmetic, or the transposition of values that were seen
	}
	v := w.eval(m[2])
	if w.err != nil {
		return
	}
	if m[1][0] != 'r' && m[1] != "t" {
		if out.lo == nil {
			*out = v
		}
		*out = span(minOf(out.lo, v.lo), maxOf2(out.hi, v.hi))
		return
	}
	w.regs[m[1]] = v
}

func minOf(a, b *big.Int) *big.Int {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}

func maxOf2(a, b *big.Int) *big.Int {
	if a.Cmp(b) > 0 {
		return a
	}
	return b
}

// eval returns the interval of an expression.
func (w *walker) eval(e string) interval {
	if v, ok := w.regs[e]; ok {
		return v
	}
	open := strings.IndexByte(e, '(')
	if open < 0 {
		w.err = fmt.Errorf("unknown value %q", e)
		return interval{}
	}
	name, args := e[:open], arguments(e[open+1:len(e)-1])
	switch name {
	case "unpack":
		return span(big.NewInt(0), new(big.Int).Sub(w.q, big.NewInt(1)))
	case "lazy_in":
		return w.between
	case "vec4<u32>":
		return w.constant(args)
	case "":
		return w.eval(args[0]) // (x, …): a mutant
	}
	var v []interval
	for _, a := range args {
		if !regexp.MustCompile(`^w\d+$`).MatchString(a) {
			v = append(v, w.eval(a))
		}
		if w.err != nil {
			return interval{}
		}
	}
	return w.call(name, v)
}

// arguments splits at the commas outside parentheses.
func arguments(s string) (args []string) {
	depth, from := 0, 0
	for i, c := range s {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				args = append(args, strings.TrimSpace(s[from:i]))
				from = i + 1
			}
		}
	}
	return append(args, strings.TrimSpace(s[from:]))
}

// constant returns the value of a literal Lanes.
func (w *walker) constant(args []string) interval {
	var x []uint64
	for _, a := range args {
		v, err := strconv.ParseUint(strings.TrimSuffix(a, "u"), 0, 32)
		if err != nil {
			w.err = err
			return interval{}
		}
		x = append(x, v)
	}
	v := number(x[0])
	if w.kind != "narrow" {
		shift := uint(32)
		if w.kind == "sliced" {
			shift = 26
		}
		v.Add(v, new(big.Int).Lsh(number(x[2]), shift))
	}
	return span(v, v)
}
