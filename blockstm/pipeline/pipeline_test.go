package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/blockstm"
	"github.com/crosspoint-kernels/crosspoint/blockstm/pipeline"
	"github.com/crosspoint-kernels/crosspoint/blockstm/workload"
	"github.com/crosspoint-kernels/crosspoint/keccak"
	"github.com/crosspoint-kernels/crosspoint/stateroot"
)

type options = pipeline.Options[workload.Key, workload.Value]

func newPipeline(t *testing.T, o options) *pipeline.Pipeline[workload.Key, workload.Value, workload.Output] {
	t.Helper()
	o.Key, o.Value = workload.Key.Bytes, workload.Value.Bytes
	p, err := pipeline.New[workload.Key, workload.Value, workload.Output](o)
	require.NoError(t, err)
	return p
}

func generate(t *testing.T, c workload.Config) *workload.Workload {
	t.Helper()
	w, err := workload.Generate(c)
	require.NoError(t, err)
	return w
}

// reference is the root of a block by package stateroot alone.
func reference(t *testing.T, kind pipeline.Kind, w *workload.Workload) [32]byte {
	t.Helper()
	out, err := blockstm.Sequential(t.Context(), w.Block(nil))
	require.NoError(t, err)
	var raw, secure stateroot.State
	for c := range out.Changes() {
		e := stateroot.Entry{Key: c.Key.Bytes()}
		if !c.Deleted {
			e.Value = c.Value.Bytes()
		}
		raw = append(raw, e)
		e.Key = keccak.Sum256(e.Key[:])
		secure = append(secure, e)
	}
	var root [32]byte
	switch kind {
	case pipeline.Flat:
		root, err = stateroot.Flat(t.Context(), raw)
	case pipeline.Merkle:
		root, err = stateroot.Merkle(t.Context(), secure, stateroot.Options{})
	case pipeline.MPT:
		root, err = stateroot.StateMPT(t.Context(), raw, stateroot.Options{})
	}
	require.NoError(t, err)
	return root
}

// loads are blocks of every kind, the first with more keys than one goroutine
// gathers and sorts.
func loads(t *testing.T) []*workload.Workload {
	var all []*workload.Workload
	for _, c := range []workload.Config{
		{N: 5000},
		{N: 500, Conflict: 100_000},
		{N: 500, Conflict: 500_000, Deltas: true},
		{N: 500, Profile: workload.Hot},
		{N: 50, Profile: workload.OneSlot},
		{N: 500, Profile: workload.Dynamic, Seed: 4},
		{N: 0},
		{N: 1},
		{N: 2, Profile: workload.Transfers},
	} {
		all = append(all, generate(t, c))
	}
	return all
}

// One pipeline serves all blocks, so that nothing of one may reach the next; the large
// one is first and last.
func TestRootsAreThoseOfTheSequentialRun(t *testing.T) {
	all := loads(t)
	all = append(all, all[0])
	counts := []int{1, 2, 9}
	if testing.Short() {
		counts = counts[1:]
	}
	for _, kind := range pipeline.Kinds() {
		var wants [][32]byte
		for _, w := range all {
			wants = append(wants, reference(t, kind, w))
		}
		check := func(name string, o options) {
			t.Run(fmt.Sprintf("%s/%s", kind, name), func(t *testing.T) {
				o.Kind = kind
				p := newPipeline(t, o)
				for i, w := range all {
					r, err := p.Run(t.Context(), w.Block(nil))
					require.NoError(t, err)
					require.Equal(t, wants[i], r.Root, "%+v", w.Config())
					require.Equal(t, r.Outcome.Len(), r.Keys)
				}
			})
		}
		check("sequential", options{Sequential: true})
		for _, workers := range counts {
			h := keccak.NewParallel(workers)
			defer h.Close()
			for _, overlap := range []pipeline.Overlap{pipeline.Always, pipeline.Never} {
				check(fmt.Sprintf("workers=%d/overlap=%d", workers, overlap), options{
					Workers: workers, Overlap: overlap,
					Execution: blockstm.Options[workload.Key, workload.Value]{Small: -1},
					Root:      stateroot.Options{Big: h, Threshold: 64},
				})
			}
		}
	}
}

// A key that is written early, and again when the rest of the block is committed,
// has its last value.
func TestOverlapTakesTheLastValue(t *testing.T) {
	p := newPipeline(t, options{Overlap: pipeline.Always, Workers: 2, Kind: pipeline.MPT})
	w := generate(t, workload.Config{N: 1500, Conflict: 500_000})
	r, err := p.Run(t.Context(), w.Block(nil))
	require.NoError(t, err)
	require.Equal(t, reference(t, pipeline.MPT, w), r.Root)
	require.Positive(t, r.Early)
	require.LessOrEqual(t, r.Early, r.Keys)
}

func TestPhases(t *testing.T) {
	for _, overlap := range []pipeline.Overlap{pipeline.Always, pipeline.Never} {
		p := newPipeline(t, options{Overlap: overlap, Workers: 2})
		r, err := p.Run(t.Context(), generate(t, workload.Config{N: 1500}).Block(nil))
		require.NoError(t, err)
		ph := r.Phases
		require.Positive(t, ph.Exec.Exposed)
		require.Equal(t, ph.Exec.Exposed+ph.Commit.Exposed+ph.Root.Exposed, ph.EndToEnd())
		require.Equal(t, ph.EndToEnd()-ph.Exec.Exposed, ph.Tail())
		for _, phase := range []pipeline.Phase{ph.Exec, ph.Commit, ph.Root} {
			require.GreaterOrEqual(t, phase.Busy, phase.Exposed)
		}
		if overlap == pipeline.Never {
			require.Equal(t, ph.Root.Exposed, ph.Root.Busy)
			require.Zero(t, r.Early)
		} else {
			require.Greater(t, ph.Root.Busy, ph.Root.Exposed)
			require.Greater(t, ph.Commit.Busy, ph.Commit.Exposed)
		}
	}
}

// failing is a Hasher that works for so many calls.
type failing struct {
	keccak.Hasher
	left int
}

var errLost = errors.New("device lost")

func (f *failing) SumFixed(ctx context.Context, dst [][32]byte, data []byte, width int) error {
	if f.left--; f.left < 0 {
		return errLost
	}
	return f.Hasher.SumFixed(ctx, dst, data, width)
}

func TestHasherErrors(t *testing.T) {
	w := generate(t, workload.Config{N: 1000})
	for _, overlap := range []pipeline.Overlap{pipeline.Always, pipeline.Never} {
		for calls := range 3 {
			h := &failing{keccak.Scalar(), calls}
			p := newPipeline(t, options{Overlap: overlap, Workers: 2, Root: stateroot.Options{Small: h}})
			_, err := p.Run(t.Context(), w.Block(nil))
			var at *pipeline.Error
			require.ErrorAs(t, err, &at)
			require.Equal(t, "root", at.Phase)
			require.ErrorIs(t, err, errLost)

			h.left = 1 << 30 // and it goes on afterwards
			r, err := p.Run(t.Context(), w.Block(nil))
			require.NoError(t, err)
			require.Equal(t, reference(t, pipeline.Merkle, w), r.Root)
		}
	}
}

func TestExecutionErrors(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w := generate(t, workload.Config{N: 100})
	for _, o := range []options{{Sequential: true}, {Overlap: pipeline.Always, Workers: 2}, {Overlap: pipeline.Never, Workers: 2}} {
		p := newPipeline(t, o)
		_, err := p.Run(ctx, w.Block(nil))
		var at *pipeline.Error
		require.ErrorAs(t, err, &at)
		require.Equal(t, "exec", at.Phase)
		require.ErrorIs(t, err, context.Canceled)
		require.Contains(t, err.Error(), "exec")

		_, err = p.Run(t.Context(), &blockstm.Block[workload.Key, workload.Value, workload.Output]{N: -1})
		var block *blockstm.BlockError
		require.ErrorAs(t, err, &block)
	}
}

func TestOptionsErrors(t *testing.T) {
	ok := options{Key: workload.Key.Bytes, Value: workload.Value.Bytes}
	for field, change := range map[string]func(o *options){
		"Key":     func(o *options) { o.Key = nil },
		"Value":   func(o *options) { o.Value = nil },
		"Kind":    func(o *options) { o.Kind = "verkle" },
		"Overlap": func(o *options) { o.Overlap = pipeline.Never + 1 },
	} {
		o := ok
		change(&o)
		_, err := pipeline.New[workload.Key, workload.Value, workload.Output](o)
		var bad *pipeline.OptionsError
		require.ErrorAs(t, err, &bad)
		require.Equal(t, field, bad.Field)
		require.Contains(t, err.Error(), field)
	}
}
