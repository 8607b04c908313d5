package device

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/gpu"
	"github.com/crosspoint-kernels/crosspoint/gpu/gputest"
	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// TestHashSteadyState: once a hasher has seen its largest call it makes nothing
// more.
func TestHashSteadyState(t *testing.T) {
	f := newSpy()
	h := hasherOf(t, setup(t, f, nil))
	work := func(n int) {
		require.NoError(t, hashes(h, mixed(n)...))
		require.NoError(t, hashesFixed(h, n, 50))
		require.NoError(t, roots(h, n, 33))
		require.NoError(t, roots(h, 2, 600))
	}
	work(70)
	made, live := f.made(), f.alive()
	for _, n := range []int{1, 70, 3, 16, 17, 64, 70} {
		work(n)
	}
	require.Equal(t, made, f.made())
	require.Equal(t, live, f.alive())
	require.Zero(t, f.Counts().LivePendings)
}

// TestHashMemory: buffers follow the largest call.
func TestHashMemory(t *testing.T) {
	h := hasherOf(t, setup(t, newSpy(), hashCuts(hashCut{bytes: 1 << 13})))
	for _, d := range []struct{ messages, width, want int }{
		{1, 0, 256}, {1, 200, 256}, {8, 1, 256}, {9, 1, 512}, {1, 1000, 1024}, {4, 100, 1024}, {1, 20000, 1 << 13},
	} {
		require.NoError(t, hashesFixed(h, d.messages, d.width))
		require.Len(t, h.pool.idle, 1)
		s := h.pool.idle[0]
		require.Equal(t, d.want, s.digests.Size(), "%+v", d)
		require.Equal(t, hashHead+d.want+hashTail, s.data.Size(), "%+v", d)
		require.Equal(t, d.want/4+4, s.places.Size(), "%+v", d)
	}
}

// TestHashConcurrentCalls runs more calls at a time than there are slots, on two
// hashers and beside plans.
func TestHashConcurrentCalls(t *testing.T) {
	f := newSpy()
	b := setup(t, f, nil)
	hashers := []*hasher{hasherOf(t, b), hasherOf(t, b)}
	p := planOf(t, b, ring(t, tiny4))
	var wg sync.WaitGroup
	for g := range 3 * maxSlots {
		wg.Go(func() {
			h := hashers[g%2]
			n := 1 + 7*g%31
			if err := errors.Join(hashes(h, mixed(n)...), hashesFixed(h, n, g*11), roots(h, n, 1+g), hashes(h, 3000)); err != nil {
				t.Error(err)
			}
			if g%8 == 0 {
				if o, ok := agrees(p, n); !ok {
					t.Errorf("%v of %d rows", o, n)
				}
			}
		})
	}
	wg.Wait()
	for _, h := range hashers {
		require.LessOrEqual(t, len(h.pool.idle), maxSlots)
	}
	require.NoError(t, b.Close())
	require.Zero(t, f.alive())
}

// TestHashCloseWaits: Close lets calls under way finish, and refuses later ones.
func TestHashCloseWaits(t *testing.T) {
	f := newSpy()
	b := setup(t, f, nil)
	h := hasherOf(t, b)
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for {
				err := hashes(h, mixed(20)...)
				if g%2 == 0 {
					err = roots(h, 20, 32)
				}
				if err != nil {
					require.ErrorIs(t, err, keccak.ErrClosed)
					return
				}
			}
		})
	}
	require.NoError(t, b.Close())
	wg.Wait()
	require.Zero(t, f.alive())
}

func TestHashClosed(t *testing.T) {
	f := newSpy()
	b := setup(t, f, nil)
	before := f.alive()
	x, y := hasherOf(t, b), hasherOf(t, b)
	require.Equal(t, before+2, f.alive(), "two kernels, whatever the number of hashers")
	require.NoError(t, hashes(x, 1, 2))
	require.NoError(t, x.Close())
	require.NoError(t, x.Close())
	require.Equal(t, before+2, f.alive())
	require.ErrorIs(t, hashes(x), keccak.ErrClosed)
	require.ErrorIs(t, hashesFixed(x, 1, 1), backends.ErrClosed)
	require.ErrorIs(t, roots(x, 1, 1), backends.ErrClosed)
	require.NoError(t, hashes(y, 1, 2), "the other lives on")
	require.NoError(t, b.Close())
	require.Zero(t, f.alive())
	require.ErrorIs(t, hashes(y, 1, 2), backends.ErrClosed)
	require.NoError(t, y.Close())
	_, err := b.Keccak()
	require.ErrorIs(t, err, backends.ErrClosed)
}

// TestHashWipe: with the option the host's memory that held a part of a message
// is zero when it is let go of. The device's is the business of the device.
func TestHashWipe(t *testing.T) {
	for _, wipe := range []bool{false, true} {
		h := hasherOf(t, setup(t, newSpy(), func(c *Config) { c.Options.Wipe = wipe }))
		require.NoError(t, hashesFixed(h, 1, 3))
		s := h.pool.idle[0]
		require.NotZero(t, s.end)
		require.NoError(t, h.Close())
		require.Equal(t, wipe, s.end == [4]byte{})
	}
}

// TestHashAllocations: the host code allocates nothing per call, chunk or piece.
func TestHashAllocations(t *testing.T) {
	f := newSpy()
	h := hasherOf(t, setup(t, f, nil))
	m := messages(mixed(70)...)
	dst, data := make([][32]byte, 70), make([]byte, 70*50)
	require.NoError(t, h.Sum256(t.Context(), dst, m))
	require.NoError(t, roots(h, 70, 50))
	for _, s := range h.pool.idle {
		s.data, s.places = stillBuffer{s.data}, stillBuffer{s.places}
	}
	h.backend.dev = &still{f, make([]byte, 32)}
	ctx := context.Background()
	require.Zero(t, testing.AllocsPerRun(20, func() { _, _ = h.MerkleRoot(ctx, data, 50) }))
	require.Zero(t, testing.AllocsPerRun(20, func() { _, _ = h.MerkleRoot(ctx, data, 700) }))
	h.backend.dev = &sized{spy: f}
	require.Zero(t, testing.AllocsPerRun(20, func() { require.NoError(t, h.Sum256(ctx, dst, m)) }))
	require.Zero(t, testing.AllocsPerRun(20, func() { require.NoError(t, h.SumFixed(ctx, dst, data, 50)) }))
}

// sized is a still device that gives back as many bytes as it is asked for.
type sized struct {
	*spy
	pending [64]still // in turn
	next    int
	mem     [4096]byte
}

func (s *sized) Submit(w gpu.Work) (gpu.Pending, error) {
	p := &s.pending[s.next%len(s.pending)]
	s.next++
	if len(w.Reads) > 0 {
		p.view = s.mem[:w.Reads[0].Size]
	}
	return p, nil
}

// TestHashOpenFailures lets each device call of the first Keccak fail in turn.
func TestHashOpenFailures(t *testing.T) {
	for _, call := range append([]gputest.Op{gputest.OpNewKernel}, hashOps...) {
		for k := 1; ; k += 1 + k/3 {
			f := newSpy()
			b := setup(t, f, nil)
			live := f.alive()
			f.Fail(call, k, gpu.ErrCompile)
			_, err := b.Keccak()
			if err == nil {
				require.Greater(t, k, 1)
				break
			}
			require.ErrorIs(t, err, backends.ErrUnavailable)
			require.ErrorIs(t, err, gpu.ErrCompile)
			require.Equal(t, live, f.alive(), "leak after failure of %s %d", call, k)
			require.NoError(t, hashes(hasherOf(t, b), 1), "a second attempt is another one")
		}
	}
}

func TestBadHashPrograms(t *testing.T) {
	for name, spoil := range map[string]func(*HashProgram){
		"bindings":        func(p *HashProgram) { p.Hash.Access = p.Hash.Access[:2] },
		"stream bindings": func(p *HashProgram) { p.Stream.Access = nil },
		"groups":          func(p *HashProgram) { p.Hash.PerGroup = 0 },
		"blocks":          func(p *HashProgram) { p.MaxBlocks = 0 },
		"head":            func(p *HashProgram) { p.Head = 36 },
		"odd head":        func(p *HashProgram) { p.Head = 3 },
		"tail":            func(p *HashProgram) { p.Tail = -4 },
		"odd tail":        func(p *HashProgram) { p.Tail = 141 },
	} {
		p := fakeHashProgram()
		spoil(p)
		b := setup(t, newSpy(), func(c *Config) { c.Keccak = p })
		_, err := b.Keccak()
		require.ErrorIs(t, err, backends.ErrUnavailable, name)
	}
	b := setup(t, newSpy(), func(c *Config) { c.Keccak = nil })
	_, err := b.Keccak()
	require.ErrorIs(t, err, backends.ErrUnsupported)
	require.ErrorIs(t, b.Supports(backends.Op{Kind: backends.Keccak}), backends.ErrUnsupported)
	require.NoError(t, setup(t, newSpy(), nil).Supports(backends.Op{Kind: backends.Keccak, Rows: 1 << 30}))
}

// hashMutants are faults of host code or of a driver, played by a device that
// changes what it is told. Each changes a dispatch of Hash, or of Stream.
var hashMutants = map[string]func(hash bool, d *gpu.Dispatch){
	"last message dropped": func(hash bool, d *gpu.Dispatch) {
		if hash && d.Params[5]+d.Params[6] == 0 {
			d.Params[0]--
		}
	},
	"last group dropped": func(hash bool, d *gpu.Dispatch) { d.Groups[0] = max(1, d.Groups[0]-1) },
	"a byte too wide":    func(hash bool, d *gpu.Dispatch) { d.Params[2] += b2u(hash && d.Params[2] > 0) },
	"one digest late": func(hash bool, d *gpu.Dispatch) {
		if d.Params[0] < 7 { // for which there is room
			d.Params[3]++
		}
	},
	"leaves without a prefix":  func(hash bool, d *gpu.Dispatch) { d.Params[4] *= d.Params[4] & 1 },
	"nodes with the leaves'":   func(hash bool, d *gpu.Dispatch) { d.Params[4] &^= 1 },
	"lone node lost":           func(hash bool, d *gpu.Dispatch) { d.Params[6] = 0 },
	"places not used":          func(hash bool, d *gpu.Dispatch) { d.Params[5] = d.Params[5] * b2u(!hash) },
	"long messages cut off":    func(hash bool, d *gpu.Dispatch) { d.Params[1] *= b2u(hash) },
	"long messages begun anew": func(hash bool, d *gpu.Dispatch) { d.Params[5] *= b2u(hash) },
}

func b2u(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// TestHashSelfTest: a device that computes wrongly gives no hasher, and what the
// other tests call right notices each fault too.
func TestHashSelfTest(t *testing.T) {
	for name, spoil := range hashMutants {
		f := newSpy()
		b := setup(t, f, nil)
		h := hasherOf(t, b)
		fault := func(w *gpu.Work) {
			for i := range w.Dispatches {
				spoil(f.opOf(w.Dispatches[i]) == hashOp, &w.Dispatches[i])
			}
		}
		f.onSubmit = fault
		require.Error(t, errors.Join(hashes(h, 1, 2, 300, 4, 545, 7, 2000), hashesFixed(h, 5, 32), roots(h, 7, 9)), name)

		f = newSpy()
		b = setup(t, f, nil)
		f.onSubmit = fault
		live := f.alive()
		_, err := b.Keccak()
		require.ErrorIs(t, err, backends.ErrUnavailable, name)
		require.ErrorContains(t, err, `"Fake 3000"`, name)
		require.Equal(t, live, f.alive())
		f.onSubmit = nil
		require.NoError(t, hashes(hasherOf(t, b), 1))
	}
}
