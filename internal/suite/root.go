package suite

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/internal/report"
	"github.com/crosspoint-kernels/crosspoint/kat"
	"github.com/crosspoint-kernels/crosspoint/keccak"
	"github.com/crosspoint-kernels/crosspoint/stateroot"
)

// RootKind is a way to commit to a state.
type RootKind string

// The kinds of package stateroot.
const (
	MPT    RootKind = "mpt"
	Merkle RootKind = "merkle"
	Flat   RootKind = "flat" // one sponge: no batch that a device could hash
)

// RootKinds returns the kinds, the default one first.
func RootKinds() []RootKind { return []RootKind{MPT, Merkle, Flat} }

// RootSets returns the rules by which a state can be made, the default one
// first. They are those of the known answers, so that account and storage of n
// leaves with seed n are recorded there, with their roots.
func RootSets() []kat.Rule { return []kat.Rule{kat.RuleKV, kat.RuleAccount, kat.RuleStorage} }

var (
	// ErrKind is wrapped by errors about a kind of root that there is none of.
	ErrKind = errors.New("suite: unknown kind of root")
	// ErrSet is wrapped by errors about a set that there is none of, or that a
	// kind of root does not take.
	ErrSet = errors.New("suite: bad set")
)

// MaxLeaves is the largest state that a sweep takes.
const MaxLeaves = kat.MaxEntries

// RootCase is the root of states of growing size.
type RootCase struct {
	Kind RootKind
	Set  kat.Rule
	// Sizes are leaves, strictly increasing from 1 or more, the largest at most
	// MaxLeaves.
	Sizes []int
}

// Check returns an error that wraps ErrKind, ErrSet or ErrSizes unless c can be
// measured. Only MPT takes values of any length; the others take those of a state,
// which kv has.
func (c *RootCase) Check() error {
	if !slices.Contains(RootKinds(), c.Kind) {
		return fmt.Errorf("%w %q; there are %s", ErrKind, c.Kind, names(RootKinds()))
	}
	if !slices.Contains(RootSets(), c.Set) {
		return fmt.Errorf("%w %q; there are %s", ErrSet, c.Set, names(RootSets()))
	}
	if c.Kind != MPT && c.Set != kat.RuleKV {
		return fmt.Errorf("%w: a %s root is of a state's slots, as in %s, not of %s", ErrSet, c.Kind, kat.RuleKV, c.Set)
	}
	last, err := increasing(c.Sizes)
	if err == nil && last > MaxLeaves {
		err = fmt.Errorf("%w: %d leaves; the most are %d", ErrSizes, last, MaxLeaves)
	}
	return err
}

// Root measures the root of c's states on every contestant, from entries in the
// order in which they were made to the root, and the phases of each. A device
// hashes the levels of [stateroot.DefaultThreshold] nodes and more, and all cores
// do the rest; a CPU does all of it with its own threads. Each root was compared
// with that of the scalar hasher on one thread before it is timed. Results and
// errors are those of Sweep; a bad case is an error as Check's.
func Root(ctx context.Context, cs []Contestant, c RootCase, m Measuring) (*Result, error) {
	if err := c.Check(); err != nil {
		return &Result{}, err
	}
	w, err := newStates(c, m.Seed)
	if err != nil {
		return &Result{}, err
	}
	es := enterHashers(cs)
	defer closeAll(es)
	for _, e := range es {
		if e.err == nil && c.Kind == Flat && e.device() {
			e.err = &backends.Error{Backend: e.Name, Op: report.RootOp(string(Flat)),
				Err: fmt.Errorf("%w: one sponge over the whole state is no batch", backends.ErrUnsupported)}
		}
	}
	return m.sweep(ctx, es, subject{
		op: w.op, params: map[string]string{report.ParamSet: string(c.Set)},
		title: fmt.Sprintf("%s root of %s,", c.Kind, c.Set),
		sizes: c.Sizes, cost: work, work: w,
		root: func(n int) string { root := w.want[n]; return hex.EncodeToString(root[:]) },
	})
}

// states are the entries of one run, of which a state of n leaves is the first n.
type states struct {
	kind  RootKind
	op    string
	seed  uint64
	pairs []stateroot.Pair // where state is nil
	state stateroot.State
	plain *stateroot.Builder // the reference
	want  map[int][32]byte
}

func newStates(c RootCase, seed uint64) (*states, error) {
	entries, err := c.Set.Entries(c.Sizes[len(c.Sizes)-1], seed)
	if err != nil {
		return nil, err
	}
	w := &states{kind: c.Kind, op: report.RootOp(string(c.Kind)), seed: seed, want: map[int][32]byte{},
		plain: stateroot.NewBuilder(stateroot.Options{Small: keccak.Scalar(), Workers: 1})}
	if c.Set == kat.RuleKV {
		w.state = make(stateroot.State, len(entries))
	} else {
		w.pairs = make([]stateroot.Pair, len(entries))
	}
	for i, e := range entries {
		if w.state != nil {
			w.state[i] = stateroot.Entry{Key: [32]byte(e.Key), Value: [32]byte(e.Value)}
		} else {
			w.pairs[i] = stateroot.Pair(e)
		}
	}
	return w, nil
}

// compute returns the root of the first n entries.
func (w *states) compute(ctx context.Context, b *stateroot.Builder, n int) ([32]byte, error) {
	switch {
	case w.kind == Flat:
		return b.Flat(ctx, w.state[:n])
	case w.kind == Merkle:
		return b.Merkle(ctx, w.state[:n])
	case w.state != nil:
		return b.StateMPT(ctx, w.state[:n])
	}
	return b.SecureMPT(ctx, w.pairs[:n])
}

// reference returns the root of n leaves by the scalar hasher.
func (w *states) reference(ctx context.Context, n int) ([32]byte, error) {
	root, ok := w.want[n]
	if ok {
		return root, nil
	}
	root, err := w.compute(ctx, w.plain, n)
	if err == nil {
		w.want[n] = root
	}
	return root, err
}

// trial refuses a device the states of which it would hash nothing: their times
// would be the CPU's under its name.
func (w *states) trial(_ context.Context, e *entrant, n int) (trial, error) {
	if e.device() && n < stateroot.DefaultThreshold {
		return nil, &backends.Error{Backend: e.Name, Op: w.op,
			Err: fmt.Errorf("%w: no level of %d leaves reaches the %d nodes from which a device hashes them",
				backends.ErrUnsupported, n, stateroot.DefaultThreshold)}
	}
	return &rootTrial{states: w, builder: stateroot.NewBuilder(e.rootOptions()), n: n, log: phaseLog{}}, nil
}

// rootOptions lets a CPU hash every batch with its own threads, which it has
// Workers of, and a device the batches that are worth its while.
func (e *entrant) rootOptions() stateroot.Options {
	o := stateroot.Options{Big: e.hasher, Threshold: 1, Workers: e.Info.Workers}
	if e.device() {
		o.Threshold, o.Workers = stateroot.DefaultThreshold, runtime.GOMAXPROCS(0)
	}
	return o
}

// rootTrial is one contestant's builder. Its phases are those of the runs that
// are timed: a dozen time stamps are nothing to a root.
type rootTrial struct {
	*states
	builder *stateroot.Builder
	n       int
	log     phaseLog
	root    [32]byte
}

func (t *rootTrial) run(ctx context.Context) (err error) {
	t.root, err = t.compute(stateroot.WithPhases(ctx, t.note), t.builder, t.n)
	return err
}

func (t *rootTrial) note(p stateroot.Phases) {
	t.log.add(report.PhaseSort, p.Sort)
	t.log.add(report.PhaseHash, p.Hash)
	if t.kind == Flat {
		return // nothing is built
	}
	t.log.add(report.PhasePack, p.Pack)
	if t.kind == MPT {
		t.log.add(report.PhaseBuild, p.Build)
		t.log.add(report.PhaseEncode, p.Encode)
	}
}

func (t *rootTrial) phases() map[string]float64 { return t.log.medians() }

func (t *rootTrial) verify(ctx context.Context) error {
	want, err := t.reference(ctx, t.n)
	if err != nil {
		return err
	}
	t.root = poisoned(want)
	if err := t.run(ctx); err != nil {
		return err
	}
	if t.root != want {
		return &DigestError{Op: t.op, Message: -1, Got: t.root, Want: want, Seed: t.seed}
	}
	return nil
}

func (t *rootTrial) release() {}
