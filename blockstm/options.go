package blockstm

import "runtime"

// Options configure an [Executor]. The zero value is ready to use.
type Options[K comparable, V any] struct {
	// Workers is the number of goroutines that run transactions; 0 means
	// GOMAXPROCS. More than that pay when Base blocks. If it blocks the thread,
	// in a system call, raise GOMAXPROCS too: the scheduler takes 20 us or more
	// to notice that a thread is blocked.
	Workers int

	// Commit, if not nil, is called once for each transaction, in block order
	// and never twice at once, while later transactions run. writes holds the
	// final value of each key that tx changed, once, in no particular order;
	// sums of Add are resolved. It is valid only during the call, and empty if
	// the transaction was reverted. When Execute fails, a prefix of the block
	// has been committed.
	Commit func(tx int, writes []Change[K, V])

	// Small is the size below which a block runs on the plain sequential path; 0
	// means a default. With one worker every block does. A negative value keeps
	// them all on the parallel path, which is for measuring and testing it.
	Small int

	// NoThrottle keeps all the workers running when the block turns out to gain
	// nothing by them: where each transaction needs the one before it, or many
	// have to be repeated. It is for measuring.
	NoThrottle bool
}

// defaultSmall is the smallest block that gets more than one worker. At 1 us a
// transaction two workers then take 7.2 us and Sequential 7.6 us; at 25 us, 79
// and 95 us. With half of that they are slower at 1 us. (2 vCPUs of an AMD EPYC,
// go test -bench Small.)
const defaultSmall = 4

func (o Options[K, V]) workers() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// sequential reports whether a block of n transactions runs on the plain path.
func (o Options[K, V]) sequential(n int) bool {
	if o.Small < 0 {
		return n == 0
	}
	small := o.Small
	if small == 0 {
		small = defaultSmall
	}
	return n < small || o.workers() == 1
}
