package device

import (
	"encoding/binary"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/gpu"
	"github.com/crosspoint-kernels/crosspoint/gpu/gputest"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// spy is a gputest.Fake whose kernels are package ntt's. It lets a test see and
// spoil each submission.
type spy struct {
	*gputest.Fake
	closed bool

	mu       sync.Mutex
	onSubmit func(*gpu.Work) // may change the work, or be nil
	ops      map[any]op      // of kernels and bindings
}

func newSpy() *spy { return limited(gputest.DefaultLimits()) }

func limited(l gpu.Limits) *spy {
	return &spy{Fake: gputest.NewFake(l, allKernels()), ops: map[any]op{}}
}

// made counts the objects that were ever made.
func (s *spy) made() int {
	c := s.Counts()
	return c.NewBuffers + c.NewKernels + c.NewBindings
}

// alive counts the objects that were not released.
func (s *spy) alive() int {
	c := s.Counts()
	return c.LiveBuffers + c.LiveKernels + c.LiveBindings + c.LivePendings
}

func (s *spy) Info() gpu.Info { return gpu.Info{Name: "Fake 3000", API: "Go", Driver: "1.0"} }

func (s *spy) Close() error {
	s.closed = true
	return s.Fake.Close()
}

func (s *spy) NewKernel(src gpu.Source) (gpu.Kernel, error) {
	k, err := s.Fake.NewKernel(src)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ops[k] = op(slices.IndexFunc(operations[:], func(d operation) bool { return d.name == src.Entry }))
	if src.Entry == "hash" {
		s.ops[k] = hashOp
	}
	return k, nil
}

func (s *spy) Bind(k gpu.Kernel, buffers ...gpu.Buffer) (gpu.Binding, error) {
	b, err := s.Fake.Bind(k, buffers...)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ops[b] = s.ops[k]
	return b, nil
}

func (s *spy) Submit(w gpu.Work) (gpu.Pending, error) {
	if s.onSubmit != nil {
		w.Dispatches, w.Reads = slices.Clone(w.Dispatches), slices.Clone(w.Reads)
		s.onSubmit(&w)
	}
	return s.Fake.Submit(w)
}

// opOf returns the operation of a dispatch.
func (s *spy) opOf(d gpu.Dispatch) op {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ops[d.Binding]
}

// fakeProgram is the program of r for a spy, with that many rows or five eighths
// as many rows' coefficients in a group.
func fakeProgram(r *ntt.Ring, word, perGroup int) *Program {
	p := &Program{WordBytes: word}
	for o, k := range p.kernels() {
		access := make([]gpu.Access, operations[o].operands)
		access[0] = gpu.ReadWrite
		k.PerGroup = 5 * r.N() / 8 * perGroup
		if operations[o].byRow {
			access = append(access, gpu.ReadOnly)
			k.PerGroup = perGroup
			k.Table = []byte("four")
		}
		k.Source = gpu.Source{Name: kernelName(r, word, perGroup), Entry: op(o).String(),
			Access: access, GroupSize: [3]uint32{1, 1, 1}}
	}
	return p
}

func kernelName(r *ntt.Ring, word, perGroup int) string {
	return fmt.Sprintf("%v word=%d group=%d", r, word, perGroup)
}

// kernels makes the Go functions of every program that a test uses.
var kernels = sync.OnceValue(func() map[string]gputest.Func {
	all := map[string]gputest.Func{}
	for _, name := range []string{"8,17", tiny4, tiny8, "pulsar", "mldsa", "fhe27"} {
		r, err := ntt.Parse(name)
		if err != nil {
			panic(err)
		}
		for _, perGroup := range []int{1, 3, 4} {
			for o, k := range fakeProgram(r, width(r), perGroup).kernels() {
				f := &goKernel{ring: r, op: op(o), perGroup: k.PerGroup, word: width(r)}
				all[k.Name+"/"+k.Entry] = f.run
			}
		}
	}
	return all
})

// goKernel is a kernel in Go, run group by group.
type goKernel struct {
	ring     *ntt.Ring
	op       op
	perGroup int
	word     int
}

func (k *goKernel) run(mem [][]byte, p [gpu.ParamWords]uint32, groups [3]uint32) {
	for g := range int(groups[0] * groups[1]) {
		k.group(g, p, mem)
	}
}

// group runs group g of a dispatch as Program's contract has it.
func (k *goKernel) group(g int, p [gpu.ParamWords]uint32, mem [][]byte) {
	n := k.ring.N()
	count, first, unit := int(p[0]), int(p[1]), 1
	switch {
	case operations[k.op].byRow:
		unit = n
	case k.op == matMulAddMont:
		count, first = int(p[0])*int(p[2])*n, 0
	}
	from, to := g*k.perGroup, min((g+1)*k.perGroup, count)
	if from >= to {
		return
	}
	from, to = (first+from)*unit, (first+to)*unit
	// Package ntt works on whole rows: those around the group's coefficients.
	low, high := from/n*n, (to+n-1)/n*n
	var s [3][]uint64
	if k.op == matMulAddMont {
		s[0] = k.product(low/n, high/n, int(p[1]), int(p[2]), mem)
	} else {
		for i := range operations[k.op].operands {
			s[i] = k.load(mem[i], low, high)
		}
		if operations[k.op].operands == 1 {
			s[1] = s[0]
		}
		reference(k.ring, k.op, s[0], s[1], s[2])
	}
	k.store(mem[0], from, s[0][from-low:to-low])
}

// product returns rows [low, high) of C + A*B.
func (k *goKernel) product(low, high, inner, cols int, mem [][]byte) []uint64 {
	n := k.ring.N()
	all := k.load(mem[0], low*n, high*n)
	for i := low; i < high; i++ {
		c := all[(i-low)*n : (i-low+1)*n]
		for t := range inner {
			x, y := i/cols*inner+t, t*cols+i%cols
			k.ring.MulAddMontReduced(c, k.load(mem[1], x*n, (x+1)*n), k.load(mem[2], y*n, (y+1)*n))
		}
	}
	return all
}

func (k *goKernel) load(p []byte, from, to int) []uint64 {
	s := make([]uint64, to-from)
	for i := range s {
		if k.word == 4 {
			s[i] = uint64(binary.LittleEndian.Uint32(p[4*(from+i):]))
		} else {
			s[i] = binary.LittleEndian.Uint64(p[8*(from+i):])
		}
	}
	return s
}

func (k *goKernel) store(p []byte, from int, s []uint64) {
	for i, x := range s {
		if k.word == 4 {
			binary.LittleEndian.PutUint32(p[4*(from+i):], uint32(x))
		} else {
			binary.LittleEndian.PutUint64(p[8*(from+i):], x)
		}
	}
}

// requireNothingLeft checks that every object was released.
func requireNothingLeft(t *testing.T, s *spy, after ...any) {
	t.Helper()
	require.Zero(t, s.alive(), "%+v alive after %v", s.Counts(), after)
}
