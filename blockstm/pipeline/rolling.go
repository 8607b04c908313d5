package pipeline

import (
	"context"
	"time"

	"github.com/crosspoint-kernels/crosspoint/blockstm"
)

// rolling enters the committed prefix of a block into the state while later
// transactions run. It works on the goroutine that commits, so that there are
// never more workers than there are.
type rolling[K comparable, V any] struct {
	options *Options[K, V]
	leaves  *leaves
	rooter  *rooter
	now     func() time.Duration

	index   map[K]int32             // of the keys in leaves
	pending []blockstm.Change[K, V] // committed, and not yet entered

	ctx               context.Context
	stop              func() // ends the block
	err               error  // of the Hasher
	entering, hashing time.Duration
}

// enterAt is how many changes are entered at a time. A clock that is read for each
// transaction would cost as much as what it measures, and a batch of keys should
// fill the lanes of a vector Hasher.
const enterAt = 512

func newRolling[K comparable, V any](o *Options[K, V], l *leaves, r *rooter, now func() time.Duration) *rolling[K, V] {
	return &rolling[K, V]{options: o, leaves: l, rooter: r, now: now, index: map[K]int32{}}
}

// begin starts a block. stop is called if it cannot be finished.
func (r *rolling[K, V]) begin(ctx context.Context, stop func()) {
	clear(r.index)
	r.pending = r.pending[:0]
	r.ctx, r.stop, r.err = ctx, stop, nil
	r.entering, r.hashing = 0, 0
}

// commit is blockstm.Options.Commit.
func (r *rolling[K, V]) commit(_ int, writes []blockstm.Change[K, V]) {
	r.pending = append(r.pending, writes...)
	if len(r.pending) < enterAt || r.err != nil {
		return
	}
	start := r.now()
	r.enter()
	entered := r.now()
	r.entering += entered - start
	if err := r.rooter.hashKeys(r.ctx, r.leaves, true); err != nil {
		r.err = err
		r.stop()
	}
	r.hashing += r.now() - entered
}

// enter makes leaves of what is pending. The later of two changes to a key counts.
func (r *rolling[K, V]) enter() {
	l := r.leaves
	for i := range r.pending {
		c := &r.pending[i]
		at, known := r.index[c.Key]
		if !known {
			at = int32(len(l.keys))
			r.index[c.Key] = at
			l.keys = append(l.keys, r.options.Key(c.Key))
			l.values = append(l.values, [32]byte{})
		}
		l.values[at] = valueOf(*r.options, *c)
	}
	clear(r.pending)
	r.pending = r.pending[:0]
}

// finish enters the rest, when the last transaction is committed.
func (r *rolling[K, V]) finish() { r.enter() }
