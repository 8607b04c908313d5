package auto

import (
	"context"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
)

// paperSizes are those of the seed's table.
var paperSizes = []int{1, 4, 16, 64, 256, 1024, 2688, 4096, 16384, 65536}

// took is the time of a call on the clock of the test, and where it went.
func took(t *testing.T, f func(ctx context.Context) error) (time.Duration, string) {
	t.Helper()
	var x backends.Timing
	start := time.Now()
	require.NoError(t, f(backends.WithTiming(t.Context(), func(y backends.Timing) { x = y })))
	elapsed := time.Since(start)
	require.Equal(t, elapsed, x.Total)
	return elapsed, x.Route
}

// Backends that cost what the seed's paper measured, one with a step where its threads
// start, and a device that would rather not be chosen below 3,000 rows.
func TestChoiceIsTheBestOfThePlanted(t *testing.T) {
	step := func(n int) time.Duration {
		if n < 8 {
			return time.Duration(1360 * n)
		}
		return time.Duration(6000 + 170*n)
	}
	synctest.Test(t, func(t *testing.T) {
		one, many := newIdle("scalar", 1, line(0, 1360)), newIdle("many", 4, step)
		device := newIdle("device", 0, line(1_481_000, 30))
		b := open(t, Options{NoSplit: true}, one, many, device)
		p := planOf(t, b)
		for _, n := range paperSizes {
			s := residues(n)
			best := min(one.cost(n), many.cost(n), device.cost(n))
			forward := func(ctx context.Context) error { return p.Forward(ctx, s, s) }
			for range 9 { // which calibrate, and try what was not seen
				require.NoError(t, forward(t.Context()))
			}
			elapsed, route := took(t, forward)
			require.LessOrEqual(t, float64(elapsed), 1.1*float64(best), "%d rows went to %s", n, route)
			c, err := Explain(p, "forward", n)
			require.NoError(t, err)
			if c.Reason != Trial {
				require.Equal(t, route, c.String(), "the dry run says what the call does")
			}
		}
	})
}

// The first call pays for the measurements, whatever the backends cost.
func TestCalibrationIsBounded(t *testing.T) {
	for name, c := range map[string]struct{ cpu, device func(int) time.Duration }{
		"fast":           {line(0, 500), line(1e5, 20)},
		"slow device":    {line(0, 1e6), line(80e6, 1e6)},
		"slow rows":      {line(0, 20e6), line(1e6, 10e6)},
		"a stuck device": {line(0, 1000), line(150e6, 0)},
		"one slow row":   {line(0, 1000), line(600e6, 0)},
		"slow from 8 on": {line(0, 1000), func(n int) time.Duration { return time.Duration(n*n) * time.Millisecond }},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := planOf(t, open(t, Options{}, newIdle("cpu", 1, c.cpu), newIdle("device", 0, c.device)))
				start := time.Now()
				_, err := Explain(p, "forward", 1)
				require.NoError(t, err)
				require.Less(t, time.Since(start), time.Second)
				start = time.Now()
				_, err = Explain(p, "forward", 1)
				require.NoError(t, err)
				require.Zero(t, time.Since(start), "once")
			})
		})
	}
}

// A size past all that was measured is tried on each backend that may be best there,
// and the second best ever more seldom.
func TestTrialsAreFew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		device := newIdle("device", 0, line(1e6, 900))
		p := planOf(t, open(t, Options{NoSplit: true}, newIdle("cpu", 1, line(0, 1000)), device))
		const n = 1 << 16
		s := residues(n)
		trials := 0
		for range 100 {
			_, route := took(t, func(ctx context.Context) error { return p.Forward(ctx, s, s) })
			if strings.HasSuffix(route, string(Trial)) {
				trials++
			}
		}
		require.LessOrEqual(t, trials, 7, "one, and the powers of two")
		_, route := took(t, func(ctx context.Context) error { return p.Forward(ctx, s, s) })
		require.Equal(t, "device [0, 65536): fastest", route)
	})
}

// Two backends whose times differ by less than noise: once chosen, one stays.
func TestNoiseDoesNotFlap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		noisy := func(phase int) func(int) time.Duration {
			return func(n int) time.Duration {
				calls++
				swing := 0.03 * math.Sin(float64(calls)/7+float64(phase))
				return time.Duration(float64(n) * 1000 * (1 + swing))
			}
		}
		x, y := newIdle("x", 1, noisy(0)), newIdle("y", 2, noisy(2))
		p := planOf(t, open(t, Options{}, x, y))
		s := residues(256)
		require.NoError(t, p.Forward(t.Context(), s, s))
		before, changes := "", 0
		for range 2000 {
			_, route := took(t, func(ctx context.Context) error { return p.Forward(ctx, s, s) })
			if strings.HasSuffix(route, string(Trial)) {
				continue
			}
			name, _, _ := strings.Cut(route, " ")
			if before != "" && name != before {
				changes++
			}
			before = name
		}
		require.LessOrEqual(t, changes, 1)
	})
}

// A backend that becomes slow is left, and taken again when it is fast again.
func TestChangeIsFollowed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cpu, device := newIdle("cpu", 1, line(0, 1000)), newIdle("device", 0, line(50_000, 500))
		p := planOf(t, open(t, Options{NoSplit: true}, cpu, device))
		s := residues(1024)
		goes := func() string {
			_, route := took(t, func(ctx context.Context) error { return p.Forward(ctx, s, s) })
			return route
		}
		goes()
		require.Equal(t, "device [0, 1024): fastest", goes())
		device.set(line(50_000, 1500), nil)
		for range 20 {
			goes()
		}
		require.Equal(t, "cpu [0, 1024): fastest", goes())
		device.set(line(50_000, 500), nil)
		for range 12 * audit {
			goes()
		}
		require.Equal(t, "device [0, 1024): fastest", goes())
	})
}

// A short call looks at no clock and takes no memory, and each 64th is timed.
func TestShortCalls(t *testing.T) {
	cpu := newFake("cpu", 1, nil)
	p := planOf(t, open(t, Options{planted: flat(100, 1e6)}, cpu, newFake("device", 0, nil)))
	s := residues(1)
	require.NoError(t, p.Forward(t.Context(), s, s))
	d := p.routes.ops[forward].decision.Load()
	require.GreaterOrEqual(t, d.quickTo, 64)
	require.Less(t, d.quickTo, 128, "100 rows take 10 µs")
	r := &p.routes.ops[forward]
	was := r.timed
	for range 64 * 10 {
		require.NoError(t, p.Forward(t.Context(), s, s))
	}
	require.Equal(t, 10, r.timed-was)
}

func TestExplain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, Options{}, newIdle("cpu", 1, line(0, 1000)), newIdle("device", 0, line(1e6, 100)))
		p := planOf(t, b)
		c, err := Explain(p, "muladdmont", 16)
		require.NoError(t, err)
		require.Equal(t, []Part{{"cpu", 0, 16}}, c.Parts)
		require.Equal(t, Fastest, c.Reason)
		require.Len(t, c.Candidates, 2)
		require.InDelta(t, 16000, float64(c.Candidates[0].Expected), 200)
		require.InDelta(t, 1e6, float64(c.Candidates[1].D), 2e4)
		require.InDelta(t, 100, float64(c.Candidates[1].Tau), 3)

		for name, c := range map[string]struct {
			plan backends.Plan
			op   string
			rows int
			want error
		}{
			"no rows":        {p, "forward", 0, backends.ErrShape},
			"an unknown op":  {p, "fourier", 1, backends.ErrUnsupported},
			"another's plan": {p.plans[0], "forward", 1, backends.ErrUnsupported},
			"no plan":        {nil, "forward", 1, backends.ErrUnsupported},
		} {
			_, err := Explain(c.plan, c.op, c.rows)
			require.ErrorIs(t, err, c.want, name)
		}
		h, err := b.Keccak()
		require.NoError(t, err)
		for _, tree := range []bool{false, true} {
			c, err = ExplainHash(h, 100_000, 32, tree)
			require.NoError(t, err)
			require.NotEmpty(t, c.Parts)
		}
		_, err = ExplainHash(h, 0, 32, false)
		require.ErrorIs(t, err, backends.ErrShape)
		require.NoError(t, h.Close())
		_, err = ExplainHash(h, 1, 32, false)
		require.ErrorIs(t, err, backends.ErrClosed)
		require.NoError(t, p.Close())
		_, err = Explain(p, "forward", 1)
		require.ErrorIs(t, err, backends.ErrClosed)
	})
}
