package suite

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/internal/bench"
	"github.com/crosspoint-kernels/crosspoint/internal/report"
)

func crossover(t *testing.T, r *Result, backend, against string) report.Crossover {
	for _, c := range r.Crossovers {
		if c.Backend == backend && c.Against == against {
			return c
		}
	}
	require.Failf(t, "no crossover", "%s against %s", backend, against)
	return report.Crossover{}
}

func row(t *testing.T, rows []report.Row, backend string, n int) report.Row {
	for _, r := range rows {
		if r.Backend == backend && r.Batch == n {
			return r
		}
	}
	require.Failf(t, "no row", "%s at %d", backend, n)
	return report.Row{}
}

// A device that costs what Metal did in the seed crosses one thread near 11,100
// and four never; the virtual clock makes every number exact.
func TestSweepFindsPlantedCrossover(t *testing.T) {
	f := newField()
	r, err := Sweep(t.Context(), f.contestants(), forward(t, paperSizes()...), f.measuring())
	require.NoError(t, err)
	require.False(t, r.Partial)
	f.settled(t)

	require.Len(t, r.Rows, 3*10)
	for i, x := range r.Rows {
		require.Equal(t, []string{CPU, CPUMT, "metal"}[i%3], x.Backend)
		require.Equal(t, paperSizes()[i/3], x.Batch)
		require.Equal(t, "ntt/forward", x.Op)
		require.Equal(t, map[string]string{"ring": "tiny", "n": "8", "q": "0x61"}, x.Params)
		require.True(t, x.Verified)
		require.GreaterOrEqual(t, x.Samples, 11)
		require.Empty(t, x.Error)
		require.LessOrEqual(t, x.Lo, x.NsPerRow)
		require.LessOrEqual(t, x.NsPerRow, x.Hi)
	}
	require.InDelta(t, (metalD+metalTau*4096)/4096, row(t, r.Rows, "metal", 4096).NsPerRow, 1)
	require.InDelta(t, cpuTau, row(t, r.Rows, CPU, 65536).NsPerRow, 1)

	require.Empty(t, row(t, r.Rows, CPU, 4096).Speedup)
	require.Len(t, row(t, r.Rows, CPUMT, 4096).Speedup, 1)
	s := row(t, r.Rows, "metal", 4096).Speedup
	require.Len(t, s, 2)
	require.InEpsilon(t, cpuTau*4096/(metalD+metalTau*4096), s[CPU].Median, 0.001)
	require.InEpsilon(t, (2000+cpuTau/4.*4096)/(metalD+metalTau*4096), s[CPUMT].Median, 0.001)
	require.LessOrEqual(t, s[CPU].Lo, s[CPU].Median)

	c := crossover(t, r, "metal", CPU)
	exact := metalD / (cpuTau - metalTau) // 11,100
	require.Equal(t, report.VerdictFound, c.Verdict)
	require.InEpsilon(t, exact, *c.Batch, 0.10)
	require.InEpsilon(t, exact, *c.Predicted, 0.001)
	require.LessOrEqual(t, float64(c.Hi)/float64(c.Lo), 1.10)
	require.NotEmpty(t, r.Extra, "the sizes of the search are kept apart")
	for _, x := range r.Extra {
		require.NotContains(t, paperSizes(), x.Batch)
		require.True(t, x.Verified)
	}

	require.Equal(t, report.VerdictNever, crossover(t, r, "metal", CPUMT).Verdict)
	require.Equal(t, 65536, crossover(t, r, "metal", CPUMT).UpTo)
	require.Equal(t, report.VerdictFound, crossover(t, r, CPUMT, CPU).Verdict)
	require.Len(t, r.Crossovers, 3, "no question is asked about a CPU against itself")

	require.Len(t, r.Fits, 3)
	require.InEpsilon(t, metalD, r.Fits[2].DNs, 0.001)
	require.InEpsilon(t, metalTau, r.Fits[2].TauNs, 0.001)
}

// Two sizes make no line, nor does a time that shrinks as batches grow; a line that
// misses its points is listed with its error, and nothing is predicted from it.
func TestSweepFits(t *testing.T) {
	run := func(change func(*field), sizes ...int) *report.Report {
		f := newField()
		change(f)
		r, err := Sweep(t.Context(), f.contestants(), forward(t, sizes...), f.measuring())
		require.NoError(t, err)
		return &report.Report{Fits: r.Fits, Crossovers: r.Crossovers}
	}
	same := func(*field) {}
	require.Empty(t, run(same, 4096, 16384).Fits)
	for _, c := range run(same, 4096, 16384).Crossovers {
		require.Nil(t, c.Predicted)
	}
	require.Len(t, run(same, 4096, 16384, 65536).Fits, 3)

	shrinking := run(func(f *field) { f.metal.tau = -10 }, 4096, 16384, 65536)
	require.Len(t, shrinking.Fits, 2, "no fit of metal")

	slow := func(f *field) { // a device that needs ten times as long for one size
		f.metal.onCall = func(rows int) {
			if rows == 16384 {
				f.clock.now += 200 * time.Millisecond
			}
		}
	}
	bent := run(slow, 4096, 16384, 65536)
	require.Len(t, bent.Fits, 3)
	require.Greater(t, bent.Fits[2].MaxError, bench.GoodFit)
	for _, c := range bent.Crossovers {
		require.Equal(t, c.Backend == CPUMT, c.Predicted != nil, "%+v", c)
	}
}

// A fast device wins from the first row, a slow one at no size.
func TestSweepVerdictsOfFastAndSlow(t *testing.T) {
	for verdict, tau := range map[string]float64{report.VerdictAlways: 10, report.VerdictNever: 20000} {
		f := newField()
		f.metal.d, f.metal.tau = 0, tau
		r, err := Sweep(t.Context(), f.contestants(), forward(t, 1, 16, 256), f.measuring())
		require.NoError(t, err)
		require.Equal(t, verdict, crossover(t, r, "metal", CPU).Verdict)
		require.Equal(t, verdict, crossover(t, r, "metal", CPUMT).Verdict)
		require.Empty(t, row(t, r.Rows, "metal", 16).Error)
	}
}

// Every operation is verified, resident or not, and devices have phases where
// the transfers are part of the time.
func TestSweepOperations(t *testing.T) {
	for _, op := range Ops() {
		for _, resident := range []bool{false, true} {
			f := newField()
			c := forward(t, 1, 64, 70)
			c.Op, c.Resident = op, resident
			r, err := Sweep(t.Context(), f.contestants(), c, f.measuring())
			require.NoError(t, err, "%s resident=%v", op, resident)
			f.settled(t)
			for _, x := range r.Rows {
				require.True(t, x.Verified, "%s %s", op, x.Error)
				require.Equal(t, resident, x.Resident)
				require.Equal(t, x.Backend == "metal" && !resident, len(x.Phases) == 3, "%v", x)
			}
			if !resident {
				operands := map[Op]float64{Forward: 1, Inverse: 1, MulAdd: 3}[op]
				p := row(t, r.Rows, "metal", 70).Phases
				require.InDelta(t, 70*100*operands, p[report.PhaseUpload], 1)
				require.InDelta(t, metalD+70*metalTau, p[report.PhaseKernel], 1)
				require.InDelta(t, 70*200, p[report.PhaseDownload], 1)
			}
		}
	}
}

// Whatever is wrong with an output stops the run, with everything that is needed
// to see it again, and nothing of that size is timed.
func TestSweepStopsAtMismatch(t *testing.T) {
	offByOne := func(row, coefficient, ofRows int) func([]uint64, int) {
		return func(dst []uint64, rows int) {
			if rows == ofRows {
				x := &dst[row*8+coefficient]
				*x = (*x + 1) % 97
			}
		}
	}
	for name, c := range map[string]struct {
		bend     func([]uint64, int)
		idle     bool
		row, col int
	}{
		"first coefficient":    {bend: offByOne(0, 0, 70)},
		"last coefficient":     {bend: offByOne(69, 7, 70), row: 69, col: 7},
		"start of a block":     {bend: offByOne(64, 3, 70), row: 64, col: 3},
		"does nothing":         {idle: true},
		"forgets the last row": {bend: func(dst []uint64, rows int) { poison(dst[(rows-1)*8:]) }, row: 69},
		"not fully reduced": {bend: func(dst []uint64, rows int) {
			if rows == 70 {
				dst[5] += 97
			}
		}, col: 5},
	} {
		for _, op := range Ops() {
			t.Run(name+"/"+string(op), func(t *testing.T) {
				f := newField()
				f.metal.bend, f.metal.idle = c.bend, c.idle
				cs := forward(t, 70)
				cs.Op = op
				m := f.measuring()
				m.Seed = 42
				r, err := Sweep(t.Context(), f.contestants(), cs, m)
				var wrong *MismatchError
				require.ErrorAs(t, err, &wrong)
				require.ErrorIs(t, err, ErrMismatch)
				require.Empty(t, r.Rows)
				require.False(t, r.Partial)
				require.Equal(t, 1, f.metal.calls, "nothing was timed")
				f.settled(t)

				require.Equal(t, "metal", wrong.Backend)
				require.Equal(t, "ntt/"+string(op), wrong.Op)
				require.Equal(t, uint64(42), wrong.Seed)
				require.Equal(t, 70, wrong.Batch)
				require.NotEqual(t, wrong.Got, wrong.Want)
				if !c.idle {
					require.Equal(t, [2]int{c.row, c.col}, [2]int{wrong.Row, wrong.Coefficient})
				}
				for _, word := range []string{"metal", string(op), "batch 70", "row", "coefficient", "got", "want", "seed 42"} {
					require.Contains(t, err.Error(), word)
				}
			})
		}
	}
}

// The resident path is checked before its phases are timed, and what was
// measured before a mismatch is kept.
func TestSweepChecksResidentPath(t *testing.T) {
	f := newField()
	f.metal.bend = func(dst []uint64, rows int) {
		if rows == 16 && f.metal.batches > 0 {
			dst[0] ^= 1
		}
	}
	r, err := Sweep(t.Context(), f.contestants(), forward(t, 4, 16), f.measuring())
	require.ErrorIs(t, err, ErrMismatch)
	require.Len(t, r.Rows, 3, "size 4 was finished")
	f.settled(t)
}

// A context that ends leaves what was finished, marked partial, at whatever
// point it ends.
func TestSweepCancelled(t *testing.T) {
	for stop := 1; stop <= 60; stop += 7 {
		f := newField()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		at16 := 0
		f.metal.onCall = func(rows int) {
			if rows == 16 {
				if at16++; at16 == stop {
					cancel()
				}
			}
		}
		r, err := Sweep(ctx, f.contestants(), forward(t, 1, 4, 16, 64), f.measuring())
		require.NoError(t, err)
		f.settled(t)
		if at16 < stop {
			require.False(t, r.Partial)
			require.Len(t, r.Rows, 12)
			continue
		}
		require.True(t, r.Partial)
		require.Contains(t, []int{6, 9}, len(r.Rows), "stop %d: whole sizes only", stop)
		require.Len(t, r.Crossovers, 3, "the finished sizes are judged")
		require.Equal(t, r.Rows[len(r.Rows)-1].Batch, crossover(t, r, "metal", CPU).UpTo)
		for _, x := range r.Rows {
			require.GreaterOrEqual(t, x.Samples, 11)
			require.Empty(t, x.Error)
		}
	}
}

func TestSweepCancelledBeforehand(t *testing.T) {
	f := newField()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, err := Sweep(ctx, f.contestants(), forward(t, 1), f.measuring())
	require.NoError(t, err)
	require.True(t, r.Partial)
	require.Empty(t, r.Rows)
}

// A software device is labelled in every row that it has.
func TestSweepLabelsSoftware(t *testing.T) {
	f := newField()
	f.metal.info.Software, f.metal.info.Device = true, "llvmpipe"
	r, err := Sweep(t.Context(), f.contestants(), forward(t, paperSizes()...), f.measuring())
	require.NoError(t, err)
	for _, x := range append(r.Rows, r.Extra...) {
		require.Equal(t, x.Backend == "metal", x.Software)
		require.Equal(t, x.Backend == "metal", x.Device == "llvmpipe")
	}
}

// Calls that take far longer than the budget have no phases: they would double
// the time of the run.
func TestSweepBudgetBoundsPhases(t *testing.T) {
	f := newField()
	m := f.measuring()
	m.Budget = 10 * time.Millisecond
	f.metal.d, f.metal.tau = 0, 1e6 // 1 ms per row
	r, err := Sweep(t.Context(), f.contestants(), forward(t, 1, 64), m)
	require.NoError(t, err)
	require.Len(t, row(t, r.Rows, "metal", 1).Phases, 3)
	require.Empty(t, row(t, r.Rows, "metal", 64).Phases)
}

// A search for a crossover stays within its share of the budget.
func TestSweepBudgetBoundsSearch(t *testing.T) {
	for budget, searched := range map[time.Duration]bool{time.Millisecond: false, time.Second: true} {
		f := newField()
		m := f.measuring()
		m.Budget = budget
		r, err := Sweep(t.Context(), f.contestants()[:1], forward(t, 4096), m)
		require.NoError(t, err)
		require.Empty(t, r.Crossovers)
		cs := []Contestant{f.cpu.contestant(CPU), f.metal.contestant("metal")}
		r, err = Sweep(t.Context(), cs, forward(t, 4096, 65536), m)
		require.NoError(t, err)
		require.Equal(t, searched, len(r.Extra) > 0, "%v", budget)
		require.Equal(t, report.VerdictFound, crossover(t, r, "metal", CPU).Verdict)
	}
}

func TestSweepRefusesSizes(t *testing.T) {
	f := newField()
	for _, sizes := range [][]int{nil, {0}, {-1, 2}, {4, 4}, {4, 2}, {1, MaxBatch(small(t), Forward) + 1}} {
		_, err := Sweep(t.Context(), f.contestants(), forward(t, sizes...), f.measuring())
		require.ErrorIs(t, err, ErrSizes, "%v", sizes)
	}
}

// The bound is on the memory of a run, whatever the operation holds.
func TestMaxBatchCountsBuffers(t *testing.T) {
	ring := small(t)
	for _, op := range Ops() {
		d := newData(ring, op, 1, 1)
		held := 0
		for _, buffer := range [][]uint64{d.a, d.b, d.c, d.dst} {
			held += cap(buffer)
		}
		require.Equal(t, maxCoefficients, held*MaxBatch(ring, op), op)
	}
	c := forward(t, MaxBatch(ring, Forward))
	c.Op = MulAdd
	_, err := Sweep(t.Context(), nil, c, Measuring{})
	require.ErrorIs(t, err, ErrSizes)
}

// Progress begins at nothing, never goes back, and ends at the whole.
func TestSweepProgress(t *testing.T) {
	f := newField()
	m := f.measuring()
	var labels []string
	last, total := 0, 0
	m.Progress = func(next string, done, all int) {
		require.GreaterOrEqual(t, done, last)
		last, total = done, all
		labels = append(labels, next)
	}
	_, err := Sweep(t.Context(), f.contestants(), forward(t, 1, 16), m)
	require.NoError(t, err)
	require.Equal(t, "forward tiny n = 1", labels[0])
	require.Empty(t, labels[len(labels)-1])
	require.Equal(t, total, last)
	require.Equal(t, Work([]int{1, 16}, 1), total)
}

// Equal seeds give equal input, and other seeds other input.
func TestInputIsSeeded(t *testing.T) {
	const q = 0x1000000004A01
	a := randomRows(2048, q, 7)
	require.Equal(t, a[:256], randomRows(256, q, 7), "a prefix")
	require.NotEqual(t, a[:256], randomRows(256, q, 8))
	for _, x := range a {
		require.Less(t, x, uint64(q))
	}
}
