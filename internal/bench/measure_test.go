package bench

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// trio is three tasks of 1, 2 and 3 ms, each long enough for a single
// repetition, so that the log has one entry per sample after the 2 calls of
// each task's preparation.
func trio(v *virtual) []Task {
	var ts []Task
	for i, name := range []string{"a", "b", "c"} {
		ts = append(ts, v.task(name, steady(time.Duration(i+1)*time.Millisecond), nil))
	}
	return ts
}

func orderOf(t *testing.T, seed uint64) []string {
	v := &virtual{}
	_, err := Measure(t.Context(), trio(v), Options{Clock: v, Seed: seed})
	require.NoError(t, err)
	require.Equal(t, "aabbcc", strings.Join(v.log[:6], ""), "warm-up and calibration")
	var rounds []string
	for r := range slices.Chunk(v.log[6:], 3) {
		rounds = append(rounds, strings.Join(r, ""))
	}
	return rounds
}

// Catches all samples of one task in a row, an order that is the same in every
// round, and one that ignores the seed or takes it from elsewhere.
func TestInterleaving(t *testing.T) {
	rounds := orderOf(t, 1)
	require.Len(t, rounds, 11)
	for _, r := range rounds {
		s := strings.Split(r, "")
		slices.Sort(s)
		require.Equal(t, "abc", strings.Join(s, ""), "each task once a round")
	}
	require.Greater(t, len(slices.Compact(slices.Sorted(slices.Values(rounds)))), 2, "orders vary: %v", rounds)
	require.Equal(t, rounds, orderOf(t, 1))
	require.NotEqual(t, rounds, orderOf(t, 2))
}

func TestMeasureInOrderGiven(t *testing.T) {
	v := &virtual{}
	rs, err := Measure(t.Context(), trio(v), Options{Clock: v})
	require.NoError(t, err)
	require.Len(t, rs, 3)
	for i, r := range rs {
		require.NoError(t, r.Err)
		require.Equal(t, string("abc"[i]), r.Name)
		require.Equal(t, 1, r.Reps)
		require.Equal(t, float64(i+1)*1e6, r.Stats.Median)
		require.Equal(t, 11, r.Stats.N)
	}
}

// Catches a first call that is sampled or calibrated on, and a Warmup that is
// not honoured.
func TestWarmupIsNoSample(t *testing.T) {
	for _, warm := range []int{0, 1, 4} {
		v := &virtual{}
		task := v.task("compiles", func(k int) time.Duration {
			if k < max(warm, 1) {
				return time.Second + time.Duration(k)
			}
			return 10 * time.Microsecond
		}, nil)
		rs, err := Measure(t.Context(), []Task{task}, Options{Clock: v, Warmup: warm})
		require.NoError(t, err)
		require.Equal(t, 1e9, rs[0].Warmup, "the first call, no other")
		require.Equal(t, 1e4, slices.Max(rs[0].Stats.Samples))
		require.GreaterOrEqual(t, rs[0].Reps, 100, "calibrated on the quick calls")
		require.LessOrEqual(t, rs[0].Reps, 200)
	}
}

// The clock ticks every 100 µs and the task takes 1.36 µs: without repetitions
// a sample reads 0 or 100 µs. Catches a sample not divided by its repetitions
// and one too short for the grain.
func TestRepetitionsBeatTheGrain(t *testing.T) {
	v := &virtual{grain: 100 * time.Microsecond}
	task := v.task("quick", steady(1360*time.Nanosecond), nil)
	rs, err := Measure(t.Context(), []Task{task}, Options{Clock: v, MinSample: 5 * time.Millisecond})
	require.NoError(t, err)
	require.InEpsilon(t, 1360, rs[0].Stats.Median, 0.02)
	require.GreaterOrEqual(t, time.Duration(rs[0].Reps)*1360, 5*time.Millisecond)
}

func TestRoundsFollowBudget(t *testing.T) {
	for _, c := range []struct {
		name   string
		o      Options
		rounds int
	}{
		{"no budget", Options{}, 11},
		{"a few are raised to 11", Options{MinSamples: 3}, 11},
		{"more on request", Options{MinSamples: 21}, 21},
		{"small budget", Options{Budget: time.Millisecond}, 11},
		{"budget over the mean of 1, 2 and 3 ms", Options{Budget: 100 * time.Millisecond}, 50},
		{"bounded", Options{Budget: time.Hour}, 1001},
		{"the bound is not above the request", Options{Budget: time.Hour, MinSamples: 1500}, 1500},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := &virtual{}
			c.o.Clock = v
			rs, err := Measure(t.Context(), trio(v), c.o)
			require.NoError(t, err)
			for _, r := range rs {
				require.Equal(t, c.rounds, r.Stats.N)
			}
		})
	}
}

// Catches a failure that ends the others, one that is swallowed, and one that
// leaves the other tasks' samples out of step.
func TestFailingTask(t *testing.T) {
	broken := errors.New("device lost")
	for name, at := range map[string]int{"warm-up": 0, "calibration": 1, "first round": 2, "round 5": 6} {
		t.Run(name, func(t *testing.T) {
			v := &virtual{}
			ts := trio(v)
			ts[1] = v.task("BAD", steady(time.Millisecond), func(k int) error {
				if k == at {
					return broken
				}
				return nil
			})
			rs, err := Measure(t.Context(), ts, Options{Clock: v})
			require.NoError(t, err)
			require.ErrorIs(t, rs[1].Err, broken)
			require.ErrorContains(t, rs[1].Err, "BAD")
			require.Zero(t, rs[1].Stats.N)
			require.True(t, math.IsNaN(rs[1].Stats.Median))
			for _, i := range []int{0, 2} {
				require.NoError(t, rs[i].Err)
				require.Equal(t, 11, rs[i].Stats.N)
				calls := strings.Count(strings.Join(v.log, ""), rs[i].Name)
				require.Equal(t, 2+11, calls, "a sample too many puts rounds out of step")
			}
		})
	}
}

func TestAllTasksFail(t *testing.T) {
	v := &virtual{}
	task := v.task("bad", steady(1), func(int) error { return errors.New("no") })
	rs, err := Measure(t.Context(), []Task{task, task}, Options{Clock: v})
	require.NoError(t, err)
	require.Error(t, rs[0].Err)
	require.Error(t, rs[1].Err)
}

// The second of three tasks is told to stop in call at. Catches samples of a
// round cut short, results thrown away, and a cancellation taken for a failure
// of the task.
func TestCancellation(t *testing.T) {
	for _, c := range []struct {
		name string
		at   int // call of the task that cancels: 2 calls precede its first sample
		want int // complete rounds
		done bool
	}{
		{"in warm-up", 0, 0, false},
		{"in calibration", 1, 0, false},
		{"in round 1", 2, 0, false},
		{"in round 6", 7, 5, false},
		{"past MinSamples", 15, 13, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			v := &virtual{}
			ts := trio(v)
			ts[1] = v.task("cancels", steady(2*time.Millisecond), func(k int) error {
				if k == c.at {
					cancel()
				}
				return ctx.Err()
			})
			rs, err := Measure(ctx, ts, Options{Clock: v, Budget: time.Second})
			require.ErrorIs(t, err, context.Canceled)
			require.Len(t, rs, 3)
			for _, r := range rs {
				require.Equal(t, c.want, r.Stats.N)
				if c.done {
					require.NoError(t, r.Err)
				} else {
					require.ErrorIs(t, r.Err, context.Canceled)
				}
			}
			if c.want > 0 {
				require.Equal(t, 1e6, rs[0].Stats.Median)
			}
		})
	}
}

// A context that ends with the very last sample leaves nothing undone.
func TestCancelledWhenDone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	v := &virtual{}
	task := v.task("last", steady(time.Millisecond), func(k int) error {
		if k == 12 {
			cancel()
		}
		return nil
	})
	rs, err := Measure(ctx, []Task{task}, Options{Clock: v})
	require.NoError(t, err)
	require.NoError(t, rs[0].Err)
	require.Equal(t, 11, rs[0].Stats.N)
}

// Catches a division by no time at all, and repetitions without end.
func TestClockStandsStill(t *testing.T) {
	v := &virtual{}
	calls := 0
	still := Task{Name: "still", Run: func(context.Context) error { calls++; return nil }}
	rs, err := Measure(t.Context(), []Task{still}, Options{Clock: v})
	require.NoError(t, err)
	require.ErrorIs(t, rs[0].Err, ErrClock)
	require.Less(t, calls, 4*maxReps)
}

func TestBadOptions(t *testing.T) {
	ok := Task{Run: func(context.Context) error { return nil }}
	for name, c := range map[string]struct {
		ts []Task
		o  Options
	}{
		"no Run":     {ts: []Task{ok, {Name: "empty"}}},
		"budget":     {ts: []Task{ok}, o: Options{Budget: -1}},
		"min sample": {ts: []Task{ok}, o: Options{MinSample: -1}},
	} {
		_, err := Measure(t.Context(), c.ts, c.o)
		require.ErrorIs(t, err, ErrOptions, name)
	}
	rs, err := Measure(t.Context(), nil, Options{})
	require.NoError(t, err)
	require.Empty(t, rs)
}

// The defaults on the machine's own clock.
func TestMeasureOnWallClock(t *testing.T) {
	sum := 0
	task := Task{Name: "loop", Run: func(context.Context) error {
		for i := range 1000 {
			sum += i
		}
		return nil
	}}
	rs, err := Measure(t.Context(), []Task{task, task}, Options{})
	require.NoError(t, err)
	for _, r := range rs {
		require.NoError(t, r.Err)
		require.Positive(t, r.Stats.Lo)
		require.LessOrEqual(t, r.Stats.Lo, r.Stats.Median)
		require.LessOrEqual(t, r.Stats.Median, r.Stats.Hi)
		require.Greater(t, r.Reps, 1)
	}
}
