package pipeline

import "github.com/crosspoint-kernels/crosspoint/blockstm"

// leaves are the keys that a block wrote and their values, in any order. The
// first len(paths) keys are hashed.
type leaves struct {
	keys, values, paths [][32]byte
}

func (l *leaves) len() int { return len(l.keys) }

func (l *leaves) reset() { l.keys, l.values, l.paths = l.keys[:0], l.values[:0], l.paths[:0] }

// absent says whether leaf i holds nothing.
func (l *leaves) absent(i int) bool { return l.values[i] == [32]byte{} }

// serialGather is the number of rows of the executor's table up to which one
// goroutine gathers: starting another costs as much as some hundred rows.
const serialGather = 2048

// gather fills l with the changes of an outcome, on all workers.
func gather[K comparable, V, O any](l *leaves, out *blockstm.Outcome[K, V, O], o Options[K, V]) {
	parts := o.Workers
	counts := make([]int, parts+1)
	if parts > 1 {
		// How many there are has to be known before they can be put side by side.
		parallel(o.Workers, parts, 1, func(lo, _ int) {
			for range out.ChangesShard(lo, parts) {
				counts[lo+1]++
			}
		})
		for i := range parts {
			counts[i+1] += counts[i]
		}
	}
	if counts[parts] <= serialGather {
		for c := range out.Changes() {
			l.keys = append(l.keys, o.Key(c.Key))
			l.values = append(l.values, valueOf(o, c))
		}
		return
	}
	l.keys = grow(l.keys, counts[parts])
	l.values = grow(l.values, counts[parts])
	parallel(o.Workers, parts, 1, func(part, _ int) {
		i := counts[part]
		for c := range out.ChangesShard(part, parts) {
			l.keys[i] = o.Key(c.Key)
			l.values[i] = valueOf(o, c)
			i++
		}
	})
}

func valueOf[K comparable, V any](o Options[K, V], c blockstm.Change[K, V]) (v [32]byte) {
	if !c.Deleted {
		v = o.Value(c.Value)
	}
	return v
}
