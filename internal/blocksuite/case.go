package blocksuite

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"github.com/crosspoint-kernels/crosspoint/blockstm/pipeline"
	"github.com/crosspoint-kernels/crosspoint/blockstm/workload"
	"github.com/crosspoint-kernels/crosspoint/internal/report"
)

// Case is what is measured: every load at every cost of a transaction, run in every
// way.
type Case struct {
	Table        string // a Block constant of package report
	Loads        []Load
	Gas          []int
	Transactions int
	Workers      []int // of the executor; 1 is the executor on one, not the baseline
	Reps         int
	Seed         uint64 // draws the blocks and the order
	Deltas       bool
	// Kind is the root; empty for the execution alone.
	Kind    pipeline.Kind
	Hashing *Hashing // nil without a root
	Overlap pipeline.Overlap
}

// MaxReps is the largest number of repetitions.
const MaxReps = 1001

// Check returns an error that wraps ErrCase, or a *workload.ConfigError, unless c
// can be measured.
func (c *Case) Check() error {
	switch {
	case len(c.Loads) == 0 || len(c.Gas) == 0 || len(c.Workers) == 0:
		return fmt.Errorf("%w: nothing to measure", ErrCase)
	case c.Reps < 1 || c.Reps > MaxReps:
		return fmt.Errorf("%w: %d repetitions; there can be 1 to %d", ErrCase, c.Reps, MaxReps)
	case c.Transactions < 1:
		return fmt.Errorf("%w: blocks of %d transactions", ErrCase, c.Transactions)
	case c.Kind != "" && c.Hashing == nil:
		return fmt.Errorf("%w: a root, and nobody to hash it", ErrCase)
	}
	for _, gas := range c.Gas {
		for _, load := range c.Loads {
			config := c.config(load, gas)
			if err := config.Check(); err != nil {
				return err
			}
		}
	}
	return checkWorkers(c.Workers)
}

func (c *Case) config(load Load, gas int) workload.Config {
	config := load.Config
	config.N, config.Gas, config.Seed = c.Transactions, gas, c.Seed
	config.Deltas = config.Deltas || c.Deltas
	return config
}

// Work is the progress that measuring c makes.
func (c *Case) Work() int { return len(c.Loads) * len(c.Gas) * (c.Reps + 1) }

// Run measures c. A context that ends leaves the blocks that were finished beside
// its error; a *MismatchError ends the run.
func (c *Case) Run(ctx context.Context, progress Progress) ([]report.Block, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	defer c.processors()()
	var blocks []report.Block
	for g, gas := range c.Gas {
		for l, load := range c.Loads {
			m, err := c.newMeasurement(load, gas)
			if err != nil {
				return blocks, err
			}
			done := (g*len(c.Loads) + l) * (c.Reps + 1)
			if err := m.run(ctx, progress, done, c.Work()); err != nil {
				return blocks, err
			}
			blocks = append(blocks, m.blocks()...)
		}
	}
	progress.tell("", c.Work(), c.Work())
	return blocks, nil
}

// processors gives the runtime as many processors as there are workers where reads
// of the state block a thread, and returns what takes them back. A blocked thread
// keeps its processor until the runtime's monitor notices, after 20 µs or later, so
// that with two of them a hundred blocked reads would not overlap but by fives.
func (c *Case) processors() (restore func()) {
	for _, load := range c.Loads {
		if load.Config.Latency > 0 {
			before := runtime.GOMAXPROCS(0)
			runtime.GOMAXPROCS(max(before, slices.Max(c.Workers)))
			return func() { runtime.GOMAXPROCS(before) }
		}
	}
	return func() {}
}

// measurement is one block, run in every way in every repetition.
type measurement struct {
	*Case
	load     Load
	gas      int
	workload *workload.Workload
	runners  []*runner // the sequential one first
	truth    truth     // of the repetition at hand
	keys     int
	root     [32]byte
	latency  time.Duration // of a read, as measured
	order    *rand.Rand
}

func (c *Case) newMeasurement(load Load, gas int) (*measurement, error) {
	w, err := workload.Generate(c.config(load, gas))
	if err != nil {
		return nil, err
	}
	m := &measurement{Case: c, load: load, gas: gas, workload: w, order: rand.New(rand.NewPCG(c.Seed, 0))}
	if d := load.Config.Latency; d > 0 {
		m.latency = workload.MeasureLatency(d, 100)
	}
	add := func(run string, workers int) {
		var r *runner
		if r, err = m.newRunner(run, workers); err == nil {
			m.runners = append(m.runners, r)
		}
	}
	add(report.RunSequential, 1)
	for _, n := range c.controls() {
		if err == nil {
			add(report.RunControl, n)
		}
	}
	for _, n := range c.Workers {
		if err == nil {
			add(report.RunParallel, n)
		}
	}
	return m, err
}

// controls are the numbers of goroutines that a control is measured with: those of
// the workers, as far as there are processors for them.
func (c *Case) controls() []int {
	var all []int
	for _, n := range c.Workers {
		if n = controlOf(n); n > 1 && (len(all) == 0 || all[len(all)-1] != n) {
			all = append(all, n)
		}
	}
	return all
}

// controlOf is how many goroutines the control for so many workers has: more than
// there are processors would get no more done.
func controlOf(workers int) int { return min(workers, runtime.GOMAXPROCS(0)) }

// run makes a repetition that does not count, and then those that do.
func (m *measurement) run(ctx context.Context, progress Progress, done, total int) error {
	for rep := range m.Reps + 1 {
		progress.tell(m.name(), done+rep, total)
		// The sequential run tells what is right, so the first repetition begins
		// with it; later ones compare with what it gave, which is always the same.
		order := m.order.Perm(len(m.runners))
		if rep == 0 {
			for i := range order {
				order[i] = i
			}
		}
		for _, i := range order {
			if err := m.step(ctx, m.runners[i], rep > 0); err != nil {
				return err
			}
		}
	}
	return nil
}

// step runs the block one way, and compares what that gave with the sequential run.
func (m *measurement) step(ctx context.Context, r *runner, counts bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	runtime.GC() // so that no run pays for the garbage of another
	s, out, err := r.run(ctx)
	if err != nil {
		return fmt.Errorf("%s, %d workers: %w", m.name(), r.workers, err)
	}
	if out != nil { // a control comes to no state
		if err := m.verify(r, s, out); err != nil {
			return err
		}
	}
	if counts {
		r.samples = append(r.samples, s)
	}
	return nil
}

// verify compares a run with the truth, which is what the first sequential run
// gave.
func (m *measurement) verify(r *runner, s sample, out *outcome) error {
	if m.truth.state == nil {
		m.truth = newTruth(out)
		m.keys, m.root = len(m.truth.state), s.root
	}
	err := m.truth.check(out)
	if err == nil && r.kind != runClocked && s.root != m.root {
		err = &MismatchError{What: "root", Detail: hex.EncodeToString(s.root[:]) + ", not " + hex.EncodeToString(m.root[:])}
	}
	var wrong *MismatchError
	if errors.As(err, &wrong) {
		wrong.Load, wrong.Seed, wrong.Workers = m.name(), m.Seed, r.workers
	}
	return err
}

// name is what tells the block and its root from others of a command.
func (m *measurement) name() string {
	s := fmt.Sprintf("%s, gas %d", m.load.Name, m.gas)
	if m.Kind != "" {
		s += fmt.Sprintf(", %s root on %s", m.Kind, m.Hashing.Name)
	}
	return s
}

// truth is what a block leads to.
type truth struct {
	state   map[workload.Key]change
	outputs [32]byte
}

func newTruth(out *outcome) truth { return truth{stateOf(out), workload.Digest(out.Results)} }

// check returns a *MismatchError unless out is the truth.
func (t *truth) check(out *outcome) error {
	n := 0
	for c := range out.Changes() {
		if want, ok := t.state[c.Key]; !ok || want != c {
			return &MismatchError{What: "state", Detail: fmt.Sprintf("key %#x: %+v, not %+v", uint64(c.Key), c, want)}
		}
		n++
	}
	if n != len(t.state) {
		return &MismatchError{What: "keys", Detail: fmt.Sprintf("%d, not %d", n, len(t.state))}
	}
	if workload.Digest(out.Results) != t.outputs {
		return &MismatchError{What: "outputs"}
	}
	return nil
}
