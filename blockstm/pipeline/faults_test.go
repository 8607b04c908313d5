package pipeline_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/blockstm"
	"github.com/crosspoint-kernels/crosspoint/blockstm/pipeline"
	"github.com/crosspoint-kernels/crosspoint/keccak"
	"github.com/crosspoint-kernels/crosspoint/stateroot"
)

// The tests of this file are faults that other implementations had between the
// execution of a block and its root. Those of execution alone are tests of package
// blockstm.

type (
	path  = [32]byte
	write struct {
		key   path
		value uint64 // 0 deletes the key
	}
	pathOptions  = pipeline.Options[path, uint64]
	pathPipeline = pipeline.Pipeline[path, uint64, int]
)

// hangs ends the test binary with all stacks if the test takes longer than d of time
// in which this process could run: on a busy machine it may be stopped for long.
func hangs(t *testing.T, d time.Duration) {
	const tick = 50 * time.Millisecond
	done := make(chan struct{})
	t.Cleanup(func() { close(done) })
	go func() {
		for left := d; left > 0; left -= tick {
			select {
			case <-done:
				return
			case <-time.After(tick):
			}
		}
		buf := make([]byte, 1<<20)
		panic(fmt.Sprintf("%s hangs\n%s", t.Name(), buf[:runtime.Stack(buf, true)]))
	}()
}

func newPathPipeline(t *testing.T, o pathOptions) *pathPipeline {
	t.Helper()
	o.Key = func(p path) [32]byte { return p }
	o.Value = func(x uint64) (v [32]byte) { binary.BigEndian.PutUint64(v[24:], x); return v }
	p, err := pipeline.New[path, uint64, int](o)
	require.NoError(t, err)
	return p
}

// writesBlock has a transaction for every few of the writes.
func writesBlock(ws []write) *blockstm.Block[path, uint64, int] {
	const each = 3
	return &blockstm.Block[path, uint64, int]{
		N: (len(ws) + each - 1) / each,
		Run: func(v blockstm.View[path, uint64], tx int) (int, error) {
			for _, w := range ws[each*tx : min(len(ws), each*(tx+1))] {
				if w.value == 0 {
					v.Delete(w.key)
				} else {
					v.Put(w.key, w.value)
				}
			}
			return 0, nil
		},
	}
}

// rootOf is the root of the last writes to each key by package stateroot on one
// goroutine.
func rootOf(t *testing.T, kind pipeline.Kind, ws []write) [32]byte {
	t.Helper()
	last := map[path]uint64{}
	for _, w := range ws {
		last[w.key] = w.value
	}
	var raw, secure stateroot.State
	for k, x := range last {
		e := stateroot.Entry{Key: k}
		binary.BigEndian.PutUint64(e.Value[24:], x)
		raw = append(raw, e)
		e.Key = keccak.Sum256(k[:])
		secure = append(secure, e)
	}
	one := stateroot.Options{Workers: 1}
	var root [32]byte
	var err error
	switch kind {
	case pipeline.Flat:
		root, err = stateroot.Flat(t.Context(), raw)
	case pipeline.Merkle:
		root, err = stateroot.Merkle(t.Context(), secure, one)
	case pipeline.MPT:
		root, err = stateroot.StateMPT(t.Context(), raw, one)
	}
	require.NoError(t, err)
	return root
}

// mined returns n keys whose paths, their hashes, begin with these nibbles.
func mined(n int, nibbles ...byte) (keys []path) {
	for i := uint64(0); len(keys) < n; i++ {
		var k path
		binary.BigEndian.PutUint64(k[:], i)
		h := keccak.Sum256(k[:])
		match := true
		for j, x := range nibbles {
			match = match && h[j/2]>>(4*(1-j%2))&15 == x
		}
		if match {
			keys = append(keys, k)
		}
	}
	return keys
}

func putAll(keys []path, value uint64) (ws []write) {
	for _, k := range keys {
		ws = append(ws, write{k, value})
	}
	return ws
}

// shapes are the blocks on which parallel roots went wrong.
func shapes() map[string][]write {
	whale := mined(200, 0xa, 0x7) // one subtree holds nearly everything
	pair := mined(2, 0x3, 0x1, 0x4)
	other := mined(1, 0x3, 0x1, 0x5)
	far := mined(1, 0xf)
	large := mined(13_000) // above the sizes from which workers share it
	return map[string][]write{
		"empty":               nil,
		"one key":             putAll(far, 9),
		"whale":               putAll(whale, 5),
		"whale and one other": append(putAll(whale, 5), putAll(far, 1)...),
		// A branch with one child left becomes an extension, within a shard, at its
		// border, and at the root.
		"deleted to a single child":       append(putAll(append(pair, far...), 3), write{pair[1], 0}),
		"deleted to one below a border":   append(putAll(append(pair, other...), 3), write{other[0], 0}),
		"deleted to one subtree":          append(putAll(append(whale, far...), 3), write{far[0], 0}),
		"all deleted":                     append(putAll(whale, 3), putAll(whale, 0)...),
		"deleted that never was":          putAll(pair, 0),
		"deleted and made again":          append(append(putAll(pair, 3), putAll(pair, 0)...), putAll(pair, 4)...),
		"a key twice":                     append(putAll(whale, 3), putAll(whale[:50], 8)...),
		"unchanged":                       append(putAll(whale, 3), putAll(whale, 3)...),
		"large":                           putAll(large, 77),
		"large, deleted to one key":       append(putAll(large, 77), putAll(large[1:], 0)...),
		"large, deleted to half":          append(putAll(large, 77), putAll(large[:6000], 0)...),
		"large, each written three times": append(append(putAll(large, 1), putAll(large, 1<<40)...), putAll(large, 2)...),
	}
}

func pathPipelines(t *testing.T, kind pipeline.Kind) map[string]*pathPipeline {
	all := map[string]*pathPipeline{}
	for _, workers := range []int{1, 2, 5} {
		for _, overlap := range []pipeline.Overlap{pipeline.Always, pipeline.Never} {
			all[fmt.Sprintf("%s, %d workers, overlap %d", kind, workers, overlap)] = newPathPipeline(t, pathOptions{
				Kind: kind, Workers: workers, Overlap: overlap,
				Execution: blockstm.Options[path, uint64]{Small: -1},
				Root:      stateroot.Options{Threshold: 16},
			})
		}
	}
	return all
}

// P17: roots made in parallel differed on rare shapes (erigon #22113, #21945, #22184,
// #20920, firewood #1491), and a fallback dropped updates (reth #23651).
func TestFault17ParallelRoot(t *testing.T) {
	hangs(t, 60*time.Second)
	blocks := shapes()
	for _, kind := range pipeline.Kinds() {
		pipes := pathPipelines(t, kind)
		for name, ws := range blocks {
			if testing.Short() && (len(ws) > 13_000 || len(ws) > 1000 && kind != pipeline.Merkle) {
				continue
			}
			want := rootOf(t, kind, ws)
			for how, p := range pipes {
				r, err := p.Run(t.Context(), writesBlock(ws))
				require.NoError(t, err)
				require.Equal(t, want, r.Root, "%s: %s", how, name)
			}
		}
	}
}

// P17 as well: random sequences over few keys that share prefixes of their paths.
func TestFault17RandomSequences(t *testing.T) {
	hangs(t, 60*time.Second)
	rounds := 1500
	if testing.Short() {
		rounds = 100
	}
	keys := append(mined(6, 0x1, 0x2), mined(10, 0x1)...)
	keys = append(keys, mined(16)...)
	for _, kind := range []pipeline.Kind{pipeline.Merkle, pipeline.MPT} {
		pipes := pathPipelines(t, kind)
		r := rand.New(rand.NewPCG(17, 17))
		for round := range rounds {
			ws := make([]write, r.IntN(30))
			for i := range ws {
				ws[i] = write{keys[r.IntN(len(keys))], r.Uint64() >> r.IntN(64) * r.Uint64N(2)}
			}
			want := rootOf(t, kind, ws)
			for how, p := range pipes {
				got, err := p.Run(t.Context(), writesBlock(ws))
				require.NoError(t, err)
				require.Equal(t, want, got.Root, "%s: round %d", how, round)
			}
		}
	}
}

// P12: who settles a block wrote to the state that transactions read (bor #1174). A
// base that fills itself under its lock, and the commit that overlaps, must share
// nothing; -race would tell.
func TestFault12UnsynchronisedBase(t *testing.T) {
	hangs(t, 20*time.Second)
	var mu sync.Mutex
	filled := map[path]uint64{}
	keys := mined(300)
	b := &blockstm.Block[path, uint64, int]{
		N: 900,
		Base: blockstm.BaseFunc[path, uint64](func(k path) (uint64, bool, error) {
			mu.Lock()
			defer mu.Unlock()
			filled[k] = uint64(k[7]) + 1
			return filled[k], true, nil
		}),
		Run: func(v blockstm.View[path, uint64], tx int) (int, error) {
			x, _ := v.Get(keys[tx%len(keys)])
			v.Put(keys[(tx*7+1)%len(keys)], x+1)
			v.Put(path{0: 255, 1: byte(tx), 2: byte(tx >> 8)}, x)
			return 0, nil
		},
	}
	var want [32]byte
	for i, o := range []pathOptions{{Sequential: true}, {Workers: 4, Overlap: pipeline.Always}, {Workers: 4, Overlap: pipeline.Never}} {
		p := newPathPipeline(t, o)
		for range 3 {
			r, err := p.Run(t.Context(), b)
			require.NoError(t, err)
			if i == 0 {
				want = r.Root
			}
			require.Equal(t, want, r.Root)
		}
	}
}

// P16: a lease of a pool was lost with each block, and all stood still after as many
// blocks as the pool was large (sei-chain #3658). Far more blocks than workers go
// through one pipeline with one Hasher, every other one ending early: by an error of
// the base state, or by a Hasher that fails.
func TestFault16PoolLease(t *testing.T) {
	hangs(t, 5*time.Second)
	const workers = 3
	h := keccak.NewParallel(workers)
	defer h.Close()
	before := runtime.NumGoroutine()
	ws := putAll(mined(600), 3)
	want := rootOf(t, pipeline.Merkle, ws)
	bad := errors.New("disk")
	for _, overlap := range []pipeline.Overlap{pipeline.Always, pipeline.Never} {
		flaky := &failing{Hasher: h}
		p := newPathPipeline(t, pathOptions{Workers: workers, Overlap: overlap, Root: stateroot.Options{Big: flaky, Small: flaky, Threshold: 64}})
		for round := range 4*workers + 2 {
			flaky.left = 1 << 20
			b := writesBlock(ws)
			switch round % 4 {
			case 1:
				run := b.Run
				b.Base = blockstm.BaseFunc[path, uint64](func(path) (uint64, bool, error) { return 0, false, bad })
				b.Run = func(v blockstm.View[path, uint64], tx int) (int, error) {
					if tx == 150 {
						v.Get(path{9})
					}
					return run(v, tx)
				}
				_, err := p.Run(t.Context(), b)
				require.ErrorIs(t, err, bad)
				continue
			case 3:
				flaky.left = 0
				_, err := p.Run(t.Context(), b)
				require.ErrorIs(t, err, errLost)
				continue
			}
			r, err := p.Run(t.Context(), b)
			require.NoError(t, err)
			require.Equal(t, want, r.Root, "round %d", round)
		}
	}
	for i := 0; i < 200 && runtime.NumGoroutine() > before; i++ {
		time.Sleep(time.Millisecond)
	}
	require.LessOrEqual(t, runtime.NumGoroutine(), before)
}
