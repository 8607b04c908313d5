package pipeline

import (
	"context"
	"fmt"
	"time"

	"github.com/crosspoint-kernels/crosspoint/blockstm"
)

// Pipeline makes roots of blocks. It keeps its memory from block to block. It is
// not safe for concurrent use, but uses several goroutines itself.
type Pipeline[K comparable, V, O any] struct {
	options  Options[K, V]
	executor *blockstm.Executor[K, V, O]
	rolling  *rolling[K, V] // nil unless the commit overlaps
	leaves   leaves
	rooter   rooter
	now      func() time.Duration
}

// Result is what a block led to.
type Result[K comparable, V, O any] struct {
	// Outcome is the executor's. Its changes are readable until the next Run.
	Outcome *blockstm.Outcome[K, V, O]
	// Root commits to the final value of every key that the block wrote.
	Root [32]byte
	// Keys is the number of keys written, those deleted again included.
	Keys int
	// Early is how many of them were entered into the state while transactions
	// were still running.
	Early  int
	Phases Phases
}

// Error says which phase of a block failed, "exec" or "root". It wraps the error
// of the executor or of package stateroot.
type Error struct {
	Phase string
	Err   error
}

func (e *Error) Error() string { return fmt.Sprintf("pipeline: %s: %v", e.Phase, e.Err) }
func (e *Error) Unwrap() error { return e.Err }

// New returns a Pipeline, or an *OptionsError.
func New[K comparable, V, O any](o Options[K, V]) (*Pipeline[K, V, O], error) {
	o, err := o.normal()
	if err != nil {
		return nil, err
	}
	p := &Pipeline[K, V, O]{options: o, rooter: newRooter(o.Kind, o.Root), now: sinceStart()}
	if o.Overlap == Always {
		p.rolling = newRolling(&p.options, &p.leaves, &p.rooter, p.now)
		o.Execution.Commit = p.rolling.commit
	} else {
		o.Execution.Commit = nil
	}
	if !o.Sequential {
		p.executor = blockstm.New[K, V, O](o.Execution)
	}
	return p, nil
}

// Run makes the root of a block. The error is an *Error.
func (p *Pipeline[K, V, O]) Run(ctx context.Context, b *blockstm.Block[K, V, O]) (*Result[K, V, O], error) {
	r := &Result[K, V, O]{}
	watch := stopwatch{now: p.now, last: p.now()}
	p.leaves.reset()
	var err error
	if r.Outcome, err = p.execute(ctx, b); err != nil {
		return nil, err
	}
	r.Phases.Exec.Exposed = watch.lap()
	r.Phases.Exec.Busy = r.Phases.Exec.Exposed
	if p.rolling != nil {
		r.Early = p.leaves.len()
		r.Phases.Commit.Busy, r.Phases.Root.Busy = p.rolling.entering, p.rolling.hashing
		p.rolling.finish()
	} else {
		gather(&p.leaves, r.Outcome, p.options)
	}
	r.Keys = p.leaves.len()
	r.Phases.Commit.add(watch.lap())
	if r.Root, err = p.rooter.root(ctx, &p.leaves); err != nil {
		return nil, &Error{"root", err}
	}
	r.Phases.Root.add(watch.lap())
	return r, nil
}

// add is time that nothing overlaps.
func (p *Phase) add(d time.Duration) {
	p.Exposed += d
	p.Busy += d
}

func (p *Pipeline[K, V, O]) execute(ctx context.Context, b *blockstm.Block[K, V, O]) (*blockstm.Outcome[K, V, O], error) {
	if p.executor == nil {
		outcome, err := blockstm.Sequential(ctx, b)
		if err != nil {
			return nil, &Error{"exec", err}
		}
		return outcome, nil
	}
	if p.rolling == nil {
		outcome, err := p.executor.Execute(ctx, b)
		if err != nil {
			return nil, &Error{"exec", err}
		}
		return outcome, nil
	}
	// A Hasher that fails while transactions run ends the block.
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	p.rolling.begin(ctx, stop)
	outcome, err := p.executor.Execute(ctx, b)
	if p.rolling.err != nil {
		return nil, &Error{"root", p.rolling.err}
	}
	if err != nil {
		return nil, &Error{"exec", err}
	}
	return outcome, nil
}
