package auto

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// Two backends that take equally long finish together in little more than half of it.
func TestSplitFinishesSooner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cpu, device := newIdle("cpu", 1, line(0, 1000)), newIdle("device", 0, line(500_000, 600))
		p := planOf(t, open(t, Options{}, cpu, device))
		explained(t, p, "forward", 1) // which measures
		cpu.idle, device.idle = false, false
		const n = 16384
		s, want := residues(n), residues(n)
		require.NoError(t, p.ring.Forward(want, want))
		var elapsed time.Duration
		var route string
		for range 6 {
			s = residues(n)
			elapsed, route = took(t, func(ctx context.Context) error { return p.Forward(ctx, s, s) })
			require.Equal(t, want, s)
		}
		require.True(t, strings.HasSuffix(route, "split"), route)
		// cpu·x = 0.5 ms + 0.6·(n-x) at x = 6,456 rows.
		require.InDelta(t, 6.456e6, float64(elapsed), 0.05*6.456e6, route)
		c, err := Explain(p, "forward", n)
		require.NoError(t, err)
		require.Equal(t, route, c.String())
		require.Len(t, c.Candidates, 3)
	})
}

// A device that slows the CPU down while it works, as a driver does, gets no part
// once that was seen; nor does one that is software.
func TestSplitThatDoesNotPayIsLeft(t *testing.T) {
	for name, c := range map[string]struct{ software bool }{"one processor": {false}, "software": {true}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				cpu, device := newIdle("cpu", 1, line(0, 1000)), newIdle("device", 0, line(0, 1100))
				device.info.Software = c.software
				p := planOf(t, open(t, Options{Options: backends.Options{AllowSoftware: true}}, cpu, device))
				const n = 8192
				s := residues(n)
				_, err := Explain(p, "forward", n)
				require.NoError(t, err)
				// Beside the other each takes twice as long.
				cpu.set(func(rows int) time.Duration {
					if rows < n {
						rows *= 2
					}
					return time.Duration(1000 * rows)
				}, nil)
				device.set(line(0, 2200), nil)
				splits := 0
				for range 50 {
					_, route := took(t, func(ctx context.Context) error { return p.Forward(ctx, s, s) })
					if strings.Contains(route, ",") && strings.Contains(route, "split") {
						splits++
					}
				}
				require.LessOrEqual(t, splits, map[bool]int{false: 2, true: 0}[c.software])
			})
		})
	}
}

// The device of a split is lost after some of its rows: in this round the CPU does
// what it left, and all of the rounds behind.
func TestLostWhileSplit(t *testing.T) {
	const n = 1000
	for _, done := range []int{0, 100, 1 << 20} {
		device := newFake("device", 0, nil)
		b := open(t, Options{planted: flat(1e6, 1e6)}, newFake("cpu", 1, nil), device) // 20 rounds of 25 ms and more
		p := planOf(t, b)
		s, want := residues(n), residues(n)
		require.NoError(t, p.ring.Forward(want, want))
		calls := 0
		device.set(nil, func(rows int) (int, error) {
			if calls++; calls < 3 {
				return 0, nil
			}
			return min(done, rows), backends.ErrDeviceLost
		})
		require.NoError(t, p.Forward(t.Context(), s, s))
		require.Equal(t, want, s)
		require.Equal(t, 3, calls)
		require.Len(t, b.Events(), 1)
	}
}

// Nothing is written of a split call with a coefficient out of range, and whole
// rounds of one whose context ends.
func TestSplitKeepsDone(t *testing.T) {
	const n = 1000
	b := open(t, Options{planted: flat(1e6, 1e6), frozen: true}, newFake("cpu", 1, nil), newFake("device", 0, nil))
	p := planOf(t, b)
	for _, row := range []int{0, 499, 999} {
		s := residues(n)
		s[16*row+5] = 1 << 40
		was := slices.Clone(s)
		err := p.MulAddMont(t.Context(), s, residues(n), residues(n))
		var bad *ntt.RangeError
		require.ErrorAs(t, err, &bad)
		require.Equal(t, ntt.RangeError{Arg: "dst", Row: row, Index: 5}, *bad)
		require.Equal(t, was, s)
	}
	want := residues(n)
	require.NoError(t, p.ring.Forward(want, want))
	for looks := range 8 {
		s := residues(n)
		err := p.Forward(&countdown{t.Context(), looks}, s, s)
		var e *backends.Error
		require.ErrorAs(t, err, &e)
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, looks > 1, e.Done > 0)
		require.Less(t, e.Done, n)
		require.Equal(t, want[:16*e.Done], s[:16*e.Done])
		require.Equal(t, residues(n)[16*e.Done:], s[16*e.Done:])
	}
}

// countdown is a context that ends after so many looks at it.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// The check of many rows is the ring's, wherever the first coefficient is.
func TestCheckRange(t *testing.T) {
	r, err := ntt.NewRing(16, 97)
	require.NoError(t, err)
	s := residues(70_000)
	require.NoError(t, checkRange(r, "a", s))
	for _, at := range []int{0, 16*35_000 - 1, 16 * 35_000, len(s) - 1} {
		x := slices.Clone(s)
		x[at], x[len(x)-1] = 97, 97
		require.Equal(t, r.CheckRange("a", x), checkRange(r, "a", x))
	}
}
