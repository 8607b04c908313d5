package blocksuite

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/blockstm"
	"github.com/crosspoint-kernels/crosspoint/blockstm/workload"
	"github.com/crosspoint-kernels/crosspoint/internal/report"
)

func TestDefaultHarnessIsSixThousandComparisons(t *testing.T) {
	h := DefaultHarness()
	require.Equal(t, 6000, len(h.Loads)*h.Batches*len(h.Workers))
	require.Len(t, h.Loads, 6)
	require.Equal(t, []int{1, 2, 4, 8, 16}, h.Workers)
}

func TestHarness(t *testing.T) {
	h := DefaultHarness()
	h.Batches = 4
	last := 0
	blocks, err := h.Run(t.Context(), func(_ string, done, total int) {
		require.GreaterOrEqual(t, done, last)
		require.Equal(t, 24, total)
		last = done
	})
	require.NoError(t, err)
	require.Equal(t, 24, last)
	require.Len(t, blocks, 30)
	total := 0
	for _, b := range blocks {
		require.True(t, b.Verified)
		require.Equal(t, report.BlockHarness, b.Table)
		total += b.Samples
	}
	require.Equal(t, 120, total)
}

// mutant is an executor with something wrong about it: it runs the block
// sequentially and then bends what came of it.
type mutant struct {
	block  func(b *block)                                      // before the run
	commit func(tx int, writes []change) (int, []change, bool) // false: not told of
	after  func(out *outcome)
}

func (m mutant) execute(ctx context.Context, b *block, _ int, commit func(int, []change)) (*outcome, error) {
	c := *b
	if m.block != nil {
		m.block(&c)
	}
	out, err := blockstm.New[workload.Key, workload.Value, workload.Output](settings{Workers: 1,
		Commit: func(tx int, writes []change) {
			if m.commit != nil {
				var told bool
				if tx, writes, told = m.commit(tx, writes); !told {
					return
				}
			}
			commit(tx, writes)
		}}).Execute(ctx, &c)
	if err == nil && m.after != nil {
		m.after(out)
	}
	return out, err
}

// deaf loses the writes of one transaction to one key.
type deaf struct {
	blockstm.View[workload.Key, workload.Value]
	bend func(v workload.Value) (workload.Value, bool)
}

func (d deaf) Put(k workload.Key, v workload.Value) {
	if v, ok := d.bend(v); ok {
		d.View.Put(k, v)
	}
}

// bendOne makes transaction 17 write something else.
func bendOne(bend func(v workload.Value) (workload.Value, bool)) func(b *block) {
	return func(b *block) {
		run := b.Run
		b.Run = func(v blockstm.View[workload.Key, workload.Value], tx int) (workload.Output, error) {
			if tx == 17 {
				v = deaf{v, bend}
			}
			return run(v, tx)
		}
	}
}

func TestHarnessCatches(t *testing.T) {
	for name, m := range map[string]struct {
		mutant
		what string
	}{
		"a write that is dropped": {mutant{block: bendOne(func(v workload.Value) (workload.Value, bool) { return v, false })}, "state"},
		"a write that is wrong":   {mutant{block: bendOne(func(v workload.Value) (workload.Value, bool) { return v + 1, true })}, "state"},
		"an output that is wrong": {mutant{after: func(out *outcome) { out.Results[3].Output.Reads++ }}, "outputs"},
		"a status that is wrong":  {mutant{after: func(out *outcome) { out.Results[3].Output.Status++ }}, "outputs"},
		"an error that is lost":   {mutant{after: func(out *outcome) { out.Results[3].Err = errors.New("none") }}, "outputs"},
		"a commit out of order": {mutant{commit: func(tx int, writes []change) (int, []change, bool) {
			return tx ^ 1, writes, true
		}}, "commit"},
		"a commit that is not told of": {mutant{commit: func(tx int, writes []change) (int, []change, bool) {
			return tx, writes, tx != 199
		}}, ""},
		"a commit without a write": {mutant{commit: func(tx int, writes []change) (int, []change, bool) {
			return tx, writes[:len(writes)*min(tx, 1)], true
		}}, "state"},
	} {
		t.Run(name, func(t *testing.T) {
			h := Harness{Loads: []Load{Conflict(0)}, Batches: 1, Transactions: 200, Workers: []int{2}, Execute: m.execute}
			blocks, err := h.Run(t.Context(), nil)
			var wrong *MismatchError
			require.ErrorAs(t, err, &wrong)
			require.ErrorIs(t, err, ErrMismatch)
			if m.what != "" {
				require.Equal(t, m.what, wrong.What)
			}
			require.Equal(t, "0 %", wrong.Load)
			require.Contains(t, err.Error(), "seed 1, 2 workers")
			require.Len(t, blocks, 1)
			require.False(t, blocks[0].Verified)
			require.NotEmpty(t, blocks[0].Error)
		})
	}
	// And nothing where nothing is wrong.
	h := Harness{Loads: HarnessLoads(), Batches: 2, Transactions: 200, Workers: []int{2}, Execute: mutant{}.execute}
	_, err := h.Run(t.Context(), nil)
	require.NoError(t, err)
}

// A mismatch does not keep the rest from being compared.
func TestHarnessCountsMismatches(t *testing.T) {
	h := Harness{Loads: []Load{OneSlotLoad()}, Batches: 3, Transactions: 20, Workers: []int{1, 2}}
	right, wrong := mutant{}, mutant{after: func(out *outcome) { out.Results[3].Output.Reads++ }}
	h.Execute = func(ctx context.Context, b *block, workers int, commit func(int, []change)) (*outcome, error) {
		if workers == 2 {
			return wrong.execute(ctx, b, workers, commit)
		}
		return right.execute(ctx, b, workers, commit)
	}
	blocks, err := h.Run(t.Context(), nil)
	require.ErrorIs(t, err, ErrMismatch)
	require.Len(t, blocks, 2)
	require.Equal(t, []int{3, 3}, []int{blocks[0].Samples, blocks[1].Samples})
	require.True(t, blocks[0].Verified)
	require.False(t, blocks[1].Verified)
	require.Equal(t, 3, blocks[1].Mismatches)
}

// An interrupt leaves what was compared, and a mismatch that was found before it.
func TestHarnessInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	wrong := mutant{after: func(out *outcome) { out.Results[3].Output.Reads++ }}
	h := Harness{Loads: HarnessLoads(), Batches: 9, Transactions: 20, Workers: []int{1, 2}, Execute: wrong.execute}
	blocks, err := h.Run(ctx, func(_ string, done, _ int) {
		if done == h.Batches+2 {
			cancel()
		}
	})
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, err, ErrMismatch)
	require.Len(t, blocks, 4)
	for i, samples := range []int{9, 9, 2, 2} {
		require.Equal(t, samples, blocks[i].Samples)
		require.Equal(t, samples, blocks[i].Mismatches)
	}
}

func TestHarnessErrors(t *testing.T) {
	lost := errors.New("lost")
	h := Harness{Loads: []Load{OneSlotLoad()}, Batches: 1, Transactions: 20, Workers: []int{1},
		Execute: func(context.Context, *block, int, func(int, []change)) (*outcome, error) { return nil, lost }}
	_, err := h.Run(t.Context(), nil)
	require.ErrorIs(t, err, lost)

	for _, bend := range []func(h *Harness){
		func(h *Harness) { h.Loads = nil },
		func(h *Harness) { h.Workers = nil },
		func(h *Harness) { h.Workers = []int{0} },
		func(h *Harness) { h.Workers = []int{2, 2} },
		func(h *Harness) { h.Workers = []int{MaxWorkers + 1} },
		func(h *Harness) { h.Batches = 0 },
		func(h *Harness) { h.Transactions = 0 },
		func(h *Harness) { h.Transactions = workload.MaxTransactions + 1 },
	} {
		h := DefaultHarness()
		bend(&h)
		_, err := h.Run(t.Context(), nil)
		require.ErrorIs(t, err, ErrCase)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	h = DefaultHarness()
	_, err = h.Run(ctx, nil)
	require.ErrorIs(t, err, context.Canceled)
}
