package blocksuite

import (
	"context"
	"time"

	"github.com/crosspoint-kernels/crosspoint/blockstm"
	"github.com/crosspoint-kernels/crosspoint/blockstm/workload"
	"github.com/crosspoint-kernels/crosspoint/internal/blocksim"
)

// record runs a block sequentially and returns what each transaction touches, by
// numbers of keys, and how many keys there are.
func record(ctx context.Context, w *workload.Workload) ([]blocksim.Transaction, int, error) {
	b := w.Block(nil)
	txs := make([]blocksim.Transaction, b.N)
	numbers := map[workload.Key]int32{}
	run := b.Run
	b.Run = func(v blockstm.View[workload.Key, workload.Value], tx int) (workload.Output, error) {
		r := &recorder{View: v, numbers: numbers}
		defer func() { txs[tx].Accesses = r.accesses }()
		out, err := run(r, tx)
		if err != nil {
			r.revert()
		}
		return out, err
	}
	_, err := blockstm.Sequential(ctx, b)
	return txs, len(numbers), err
}

// recorder is a View that notes what goes through it.
type recorder struct {
	blockstm.View[workload.Key, workload.Value]
	numbers  map[workload.Key]int32
	accesses []blocksim.Access
}

// to returns what is known of a key.
func (r *recorder) to(k workload.Key) *blocksim.Access {
	n, ok := r.numbers[k]
	if !ok {
		n = int32(len(r.numbers))
		r.numbers[k] = n
	}
	for i := range r.accesses {
		if r.accesses[i].Key == n {
			return &r.accesses[i]
		}
	}
	r.accesses = append(r.accesses, blocksim.Access{Key: n})
	return &r.accesses[len(r.accesses)-1]
}

func (r *recorder) Get(k workload.Key) (workload.Value, bool) {
	if a := r.to(k); a.Add {
		*a = blocksim.Access{Key: a.Key, Read: true, Write: true}
	} else if !a.Write {
		a.Read = true
	}
	return r.View.Get(k)
}

func (r *recorder) Put(k workload.Key, v workload.Value) {
	r.write(k)
	r.View.Put(k, v)
}

func (r *recorder) Delete(k workload.Key) {
	r.write(k)
	r.View.Delete(k)
}

func (r *recorder) write(k workload.Key) {
	a := r.to(k)
	if a.Add {
		a.Add, a.Read = false, true
	}
	a.Write = true
}

func (r *recorder) Add(k workload.Key, delta workload.Value) bool {
	a := r.to(k)
	ok := r.View.Add(k, delta)
	switch {
	case a.Read || a.Write:
		a.Write = true
	case a.Add: // twice: it depends on the value after all
		*a = blocksim.Access{Key: a.Key, Read: true, Write: true}
	default:
		a.Add = true
	}
	return ok
}

// revert takes the writes back.
func (r *recorder) revert() {
	for i := range r.accesses {
		r.accesses[i].Write, r.accesses[i].Add = false, false
	}
}

// clocked is a block that notes how long each transaction runs, in ns.
func clocked(b *block, costs []float64) *block {
	c := *b
	c.Run = func(v blockstm.View[workload.Key, workload.Value], tx int) (workload.Output, error) {
		start := time.Now()
		defer func() { costs[tx] = float64(time.Since(start)) }()
		return b.Run(v, tx)
	}
	return &c
}
