package blocksuite

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/crosspoint-kernels/crosspoint/blockstm"
	"github.com/crosspoint-kernels/crosspoint/blockstm/workload"
	"github.com/crosspoint-kernels/crosspoint/internal/report"
	"github.com/crosspoint-kernels/crosspoint/stateroot"
)

// The types of the workload's blocks.
type (
	block   = blockstm.Block[workload.Key, workload.Value, workload.Output]
	outcome = blockstm.Outcome[workload.Key, workload.Value, workload.Output]
	change  = blockstm.Change[workload.Key, workload.Value]
)

// Execute runs a block on so many workers; commit is told of every transaction.
type Execute func(ctx context.Context, b *block, workers int, commit func(tx int, writes []change)) (*outcome, error)

// Harness compares blocks with the sequential run: their state, its root, the
// outputs, and the changes that the rolling commit told of.
type Harness struct {
	Loads        []Load
	Batches      int // with seeds 1 to Batches
	Transactions int // in each
	Workers      []int
	// Execute is the executor of package blockstm if it is nil. A test puts a
	// wrong one here.
	Execute Execute
}

// DefaultHarness is the comparison in full: 6 loads of 200 blocks of 200
// transactions on 1, 2, 4, 8 and 16 workers, 6,000 comparisons.
func DefaultHarness() Harness {
	return Harness{Loads: HarnessLoads(), Batches: 200, Transactions: 200, Workers: []int{1, 2, 4, 8, 16}}
}

// Check returns an error that wraps ErrCase unless h can be run.
func (h *Harness) Check() error {
	switch {
	case len(h.Loads) == 0 || len(h.Workers) == 0:
		return fmt.Errorf("%w: nothing to compare", ErrCase)
	case h.Batches < 1:
		return fmt.Errorf("%w: %d batches", ErrCase, h.Batches)
	case h.Transactions < 1 || h.Transactions > workload.MaxTransactions:
		return fmt.Errorf("%w: batches of %d transactions", ErrCase, h.Transactions)
	}
	return checkWorkers(h.Workers)
}

func checkWorkers(workers []int) error {
	for i, w := range workers {
		if w < 1 || w > MaxWorkers {
			return fmt.Errorf("%w: %d workers; there can be 1 to %d", ErrCase, w, MaxWorkers)
		}
		if i > 0 && w <= workers[i-1] {
			return fmt.Errorf("%w: %d workers after %d: they must increase", ErrCase, w, workers[i-1])
		}
	}
	return nil
}

// MaxWorkers is the largest number of workers that is measured.
const MaxWorkers = 1024

// Run makes the comparisons. It goes on after a mismatch, to count them: the error
// is the first *MismatchError, and every load and number of workers that has one
// says so in its block. Another error, or a context that ends, stops it; it is then
// joined to that mismatch, and the blocks count what was compared before.
func (h *Harness) Run(ctx context.Context, progress Progress) ([]report.Block, error) {
	if err := h.Check(); err != nil {
		return nil, err
	}
	run := h.Execute
	if run == nil {
		run = newExecutors().execute
	}
	var blocks []report.Block
	var first error
	for l, load := range h.Loads {
		t := h.newTally(load)
		for seed := uint64(1); seed <= uint64(h.Batches); seed++ {
			progress.tell("comparing "+load.Name, l*h.Batches+int(seed)-1, len(h.Loads)*h.Batches)
			if err := t.batch(ctx, h, run, seed); err != nil {
				return append(blocks, t.blocks(h)...), errors.Join(first, t.first, err)
			}
		}
		blocks = append(blocks, t.blocks(h)...)
		if first == nil {
			first = t.first
		}
	}
	progress.tell("", len(h.Loads)*h.Batches, len(h.Loads)*h.Batches)
	return blocks, first
}

// tally is what came of the comparisons of a load, for each number of workers.
type tally struct {
	load       Load
	rows       []report.Block
	executions []int
	first      error // the first mismatch
}

func (h *Harness) newTally(load Load) *tally {
	t := &tally{load: load, rows: make([]report.Block, len(h.Workers)), executions: make([]int, len(h.Workers))}
	for i, w := range h.Workers {
		t.rows[i] = report.Block{Table: report.BlockHarness, Load: load.Name, Transactions: h.Transactions,
			Run: report.RunParallel, Workers: w, Verified: true}
	}
	return t
}

// batch compares the block of one seed. The error is not about a mismatch.
func (t *tally) batch(ctx context.Context, h *Harness, run Execute, seed uint64) error {
	c, err := newComparison(ctx, t.load, seed, h.Transactions)
	if err != nil {
		return err
	}
	for i, w := range h.Workers {
		stats, err := c.compare(ctx, run, w)
		if err != nil && !errors.Is(err, ErrMismatch) {
			return err
		}
		t.rows[i].Samples++
		t.executions[i] += stats.Executions
		if err != nil {
			t.rows[i].Mismatches++
			t.rows[i].Verified, t.rows[i].Error = false, err.Error()
			if t.first == nil {
				t.first = err
			}
		}
	}
	return nil
}

// blocks are the rows of what was compared, also before an end that came early.
func (t *tally) blocks(h *Harness) []report.Block {
	var all []report.Block
	for i, b := range t.rows {
		if b.Samples > 0 {
			b.Abort = abortShare(t.executions[i], h.Transactions*b.Samples)
			all = append(all, b)
		}
	}
	return all
}

// abortShare is how many executions more than transactions there were, in them.
func abortShare(executions, transactions int) float64 {
	return float64(max(executions-transactions, 0)) / float64(max(transactions, 1))
}

// executors are those of package blockstm, one for each number of workers, each
// with the memory of the blocks before. The parallel path is taken however small
// the block.
type executors struct {
	byWorkers map[int]*blockstm.Executor[workload.Key, workload.Value, workload.Output]
	commit    func(tx int, writes []change)
}

func newExecutors() *executors {
	return &executors{byWorkers: map[int]*blockstm.Executor[workload.Key, workload.Value, workload.Output]{}}
}

func (e *executors) execute(ctx context.Context, b *block, workers int, commit func(int, []change)) (*outcome, error) {
	e.commit = commit
	x := e.byWorkers[workers]
	if x == nil {
		x = blockstm.New[workload.Key, workload.Value, workload.Output](blockstm.Options[workload.Key, workload.Value]{
			Workers: workers, Small: -1,
			Commit: func(tx int, writes []change) { e.commit(tx, writes) },
		})
		e.byWorkers[workers] = x
	}
	return x.Execute(ctx, b)
}

// comparison is a block and what running it sequentially gave.
type comparison struct {
	load    string
	seed    uint64
	block   *block
	state   map[workload.Key]change
	root    [32]byte
	outputs [32]byte
	results []blockstm.Result[workload.Output]
}

// newComparison makes the block of a seed. The seed also decides how long its
// transactions take, since short ones seldom meet; odd seeds of Dynamic have deltas,
// and even ones compare reads by their version alone.
func newComparison(ctx context.Context, load Load, seed uint64, n int) (*comparison, error) {
	config := load.Config
	config.N, config.Seed, config.Gas = n, seed, int(seed%4)
	config.Deltas = config.Profile == workload.Dynamic && seed%2 == 1
	w, err := workload.Generate(config)
	if err != nil {
		return nil, err
	}
	c := &comparison{load: load.Name, seed: seed, block: w.Block(nil)}
	if seed%2 == 0 {
		c.block.Equal = nil
	}
	out, err := blockstm.Sequential(ctx, c.block)
	if err != nil {
		return nil, err
	}
	c.state, c.results, c.outputs = stateOf(out), out.Results, workload.Digest(out.Results)
	c.root, err = rootOf(ctx, c.state)
	return c, err
}

func stateOf(out *outcome) map[workload.Key]change {
	state := map[workload.Key]change{}
	for c := range out.Changes() {
		state[c.Key] = c
	}
	return state
}

func rootOf(ctx context.Context, state map[workload.Key]change) ([32]byte, error) {
	var s stateroot.State
	for k, c := range state {
		e := stateroot.Entry{Key: k.Bytes()}
		if !c.Deleted {
			e.Value = c.Value.Bytes()
		}
		s = append(s, e)
	}
	return stateroot.StateMPT(ctx, s, stateroot.Options{Workers: 1})
}

// compare runs the block on so many workers. The error is a *MismatchError, the
// executor's or the context's.
func (c *comparison) compare(ctx context.Context, run Execute, workers int) (blockstm.Stats, error) {
	rolling := map[workload.Key]change{}
	next := 0
	ordered := true
	out, err := run(ctx, c.block, workers, func(tx int, writes []change) {
		ordered = ordered && tx == next
		next++
		for _, w := range writes {
			rolling[w.Key] = w
		}
	})
	if err != nil {
		return blockstm.Stats{}, err
	}
	wrong := func(what, format string, args ...any) (blockstm.Stats, error) {
		return out.Stats, &MismatchError{c.load, c.seed, workers, what, fmt.Sprintf(format, args...)}
	}
	state := stateOf(out)
	if detail := differ(c.state, state); detail != "" {
		return wrong("state", "%s", detail)
	}
	if detail := differ(c.state, rolling); detail != "" {
		return wrong("state", "as the commit told of it: %s", detail)
	}
	if !ordered || next != c.block.N {
		return wrong("commit", "%d of %d transactions, in order: %t", next, c.block.N, ordered)
	}
	root, err := rootOf(ctx, state)
	if err != nil {
		return out.Stats, err
	}
	if root != c.root {
		return wrong("root", "%s, not %s", hex.EncodeToString(root[:]), hex.EncodeToString(c.root[:]))
	}
	if workload.Digest(out.Results) != c.outputs {
		return wrong("outputs", "%s", firstDifference(c.results, out.Results))
	}
	return out.Stats, nil
}

// differ says where two states do, or nothing.
func differ(want, got map[workload.Key]change) string {
	for k, w := range want {
		if g, ok := got[k]; !ok || g != w {
			return fmt.Sprintf("key %#x: %+v, not %+v", uint64(k), g, w)
		}
	}
	if len(got) != len(want) {
		return fmt.Sprintf("%d keys, not %d", len(got), len(want))
	}
	return ""
}

func firstDifference(want, got []blockstm.Result[workload.Output]) string {
	for i := range min(len(want), len(got)) {
		if workload.Digest(got[i:i+1]) != workload.Digest(want[i:i+1]) {
			return fmt.Sprintf("transaction %d: %+v, not %+v", i, got[i], want[i])
		}
	}
	return fmt.Sprintf("%d results, not %d", len(got), len(want))
}
