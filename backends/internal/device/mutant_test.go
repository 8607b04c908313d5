package device

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

// mutants are faults that host code has had, played by a device that changes
// what it is told. Each returns what spoils the submissions of rows of N words.
var mutants = map[string]func(s *spy, n int) func(*gpu.Work){
	"last row dropped": func(s *spy, n int) func(*gpu.Work) {
		return s.spoil(n, forward, imForm, func(d *gpu.Dispatch, row uint32) { d.Params[0] -= row })
	},
	"last coefficient dropped": func(s *spy, n int) func(*gpu.Work) {
		return s.spoil(n, mul, imForm, func(d *gpu.Dispatch, _ uint32) { d.Params[0]-- })
	},
	"one row late": func(s *spy, n int) func(*gpu.Work) {
		return s.spoil(n, forward, imForm, func(d *gpu.Dispatch, row uint32) {
			d.Params[0] -= row
			d.Params[1] += row
		})
	},
	"last group dropped": func(s *spy, n int) func(*gpu.Work) {
		return s.spoil(n, forward, matMulAddMont, func(d *gpu.Dispatch, _ uint32) { d.Groups[0] = max(1, d.Groups[0]-1) })
	},
	"inner dimension one less": func(s *spy, n int) func(*gpu.Work) {
		return s.spoil(n, matMulAddMont, matMulAddMont, func(d *gpu.Dispatch, _ uint32) { d.Params[1]-- })
	},
	"not dispatched": func(*spy, int) func(*gpu.Work) {
		return func(w *gpu.Work) { w.Dispatches = nil }
	},
	"read-back a row short": func(_ *spy, n int) func(*gpu.Work) {
		return func(w *gpu.Work) {
			for i := range w.Reads {
				w.Reads[i].Size -= 8 * n
			}
		}
	},
}

// spoil returns what changes the dispatches of the operations from first to
// last; change is given the units of work of a row.
func (s *spy) spoil(n int, first, last op, change func(d *gpu.Dispatch, row uint32)) func(*gpu.Work) {
	return func(w *gpu.Work) {
		for i := range w.Dispatches {
			d := &w.Dispatches[i]
			o := s.opOf(*d)
			if o < first || o > last {
				continue
			}
			if operations[o].byRow {
				change(d, 1)
			} else {
				change(d, uint32(n))
			}
		}
	}
}

// TestMutants: what the other tests call agreement notices each fault, also
// where only the last chunk of a call has it.
func TestMutants(t *testing.T) {
	for name, spoil := range mutants {
		if name == "inner dimension one less" {
			continue // of products, which TestSelfTest spoils
		}
		for _, lastOnly := range []bool{false, true} {
			f := newSpy()
			p := planOf(t, setup(t, f, chunks(4)), ring(t, tiny8))
			_, ok := agrees(p, 6)
			require.True(t, ok)
			fault := spoil(f, 8)
			f.onSubmit = func(w *gpu.Work) {
				if !lastOnly || w.Reads[0].Size < 4*8*8 {
					fault(w)
				}
			}
			_, ok = agrees(p, 6)
			require.False(t, ok, "%s, last chunk only: %v", name, lastOnly)
		}
	}
}
