package blockstm

import (
	"cmp"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// A cell's list must behave as a sorted map of versions.
func TestCellVersions(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 2))
		c := new(cell[tKey, tValue])
		c.init(1)
		model := map[int32]version[tValue]{}
		span := 1 + r.Int32N(40)
		for range 400 {
			tx := r.Int32N(span)
			switch r.IntN(4) {
			case 0, 1:
				v := version[tValue]{val: r.Int64(), tx: tx, inc: r.Uint32(), set: wrotePut, estimate: r.IntN(3) == 0}
				c.publish(v)
				model[tx] = v
			case 2:
				if r.IntN(2) == 0 { // as commit does
					for have := range model {
						tx = min(tx, have)
					}
				}
				require.Equal(t, model[tx].set, c.withdraw(tx))
				delete(model, tx)
			case 3:
				c.claim(tx)
				if _, ok := model[tx]; !ok {
					model[tx] = version[tValue]{tx: tx, estimate: true}
				}
			}
			requireCell(t, c, model, span)
		}
	}
}

func requireCell(t *testing.T, c *cell[tKey, tValue], model map[int32]version[tValue], span int32) {
	t.Helper()
	var want []version[tValue]
	for _, v := range model {
		want = append(want, v)
	}
	slices.SortFunc(want, func(a, b version[tValue]) int { return cmp.Compare(a.tx, b.tx) })
	require.Equal(t, want, append([]version[tValue](nil), c.pend[c.head:]...))
	for tx := range span + 1 {
		below := version[tValue]{tx: fromBase}
		for _, v := range want {
			if v.tx < tx && v.set|boolKind(v.estimate) != wroteNothing {
				below = v
			}
		}
		f, _, l := c.resolve(tx, nil, false)
		switch {
		case below.tx == fromBase:
			require.Equal(t, unloaded, l)
		case below.estimate:
			require.Equal(t, blocked, l)
			require.Equal(t, below.tx, f.tx)
		default:
			require.Equal(t, resolved, l)
			require.Equal(t, found[tValue]{below.val, below.tx, below.inc, true}, f)
		}
	}
}

func boolKind(b bool) writeKind {
	if b {
		return wrotePut
	}
	return wroteNothing
}

func TestCellDeltas(t *testing.T) {
	c := new(cell[tKey, tValue])
	c.init(1)
	c.base = 10
	c.setFlag(flagLoaded | flagPresent)
	c.publish(version[tValue]{tx: 3, val: 1, set: wroteDelta})
	c.publish(version[tValue]{tx: 5, val: 2, set: wroteDelta, estimate: true})
	c.publish(version[tValue]{tx: 7, val: 4, set: wroteDelta})
	b := &tBlock{Sum: sumBounded}
	for _, x := range []struct {
		tx    int32
		guess bool
		want  tValue
		state lookup
	}{
		{3, false, 10, resolved}, {4, false, 11, resolved}, {5, false, 11, resolved},
		{6, false, 0, blocked}, {8, false, 0, blocked},
		{6, true, 13, resolved}, {8, true, 17, resolved},
	} {
		f, chain, l := c.resolve(x.tx, nil, x.guess)
		require.Equal(t, x.state, l, "%+v", x)
		if l == resolved {
			require.Equal(t, x.want, b.fold(f, chain).val, "%+v", x)
		}
	}
}

func TestMemoryInternsOnce(t *testing.T) {
	m := newMemory[tKey, tValue]()
	for block := range 3 {
		const keys = 3000
		var ids [4][keys]int32
		var wg sync.WaitGroup
		for w := range ids {
			wg.Go(func() {
				r := rand.New(rand.NewPCG(uint64(w), uint64(block)))
				for _, k := range r.Perm(keys) {
					id, c := m.intern(tKey(k))
					if c.key != tKey(k) || m.cell(id) != c {
						t.Errorf("key %d has the cell of %d", k, c.key)
					}
					ids[w][k] = id
				}
			})
		}
		wg.Wait()
		seen := map[int32]bool{}
		for k, id := range ids[0] {
			require.False(t, seen[id], "id %d is given twice", id)
			seen[id] = true
			for w := range ids {
				require.Equal(t, id, ids[w][k])
			}
		}
		require.EqualValues(t, keys, m.count.Load())
		m.reset()
	}
	require.Equal(t, int32(0), m.count.Load())
}

// What workers write beside each other has cache lines of its own.
func TestSizes(t *testing.T) {
	require.EqualValues(t, 64, unsafe.Sizeof(txn[tValue]{}))
	require.EqualValues(t, 64, unsafe.Sizeof(txn[[100]byte]{}))
	require.EqualValues(t, 64, unsafe.Sizeof(shard{}))
}

func TestQueueOrder(t *testing.T) {
	var q queue
	q.reset(1)
	r := rand.New(rand.NewPCG(1, 1))
	var want []int32
	for range 200 {
		tx := r.Int32N(1000)
		q.push(tx)
		want = append(want, tx)
	}
	slices.Sort(want)
	for _, tx := range want {
		got, ok := q.pop()
		require.True(t, ok)
		require.Equal(t, tx, got)
	}
	_, ok := q.pop()
	require.False(t, ok)
}

// Workers above the limit sleep until it rises, and all of them end with the
// block.
func TestQueueLimit(t *testing.T) {
	var q queue
	q.reset(4)
	q.limit.Store(1)
	var wg sync.WaitGroup
	awake := make(chan bool, 4)
	for range 3 {
		wg.Go(func() { awake <- q.park(func() bool { return true }) })
	}
	for q.idle.Load() < 3 {
		runtime.Gosched()
	}
	q.setLimit(2)
	require.True(t, <-awake)
	require.EqualValues(t, 2, q.running.Load())
	require.EqualValues(t, 2, q.idle.Load())
	q.close()
	require.False(t, <-awake)
	require.False(t, <-awake)
	wg.Wait()
}

func TestIDIndex(t *testing.T) {
	var x idIndex
	r := rand.New(rand.NewPCG(3, 3))
	for range 200 {
		x.reset()
		n := r.IntN(200)
		at := map[int32]int{}
		for len(at) < n {
			id := r.Int32N(1000)
			if _, ok := at[id]; ok {
				require.Equal(t, at[id], x.find(id))
				continue
			}
			require.Equal(t, -1, x.find(id))
			x.add(id, len(at))
			at[id] = len(at)
		}
		for id, i := range at {
			require.Equal(t, i, x.find(id))
		}
	}
}

func TestArena(t *testing.T) {
	var a arena[int]
	for range 2 {
		a.reset()
		var all [][]int
		for i := range 100 {
			s := a.take(i * 7)
			require.Equal(t, i*7, cap(s))
			for range i * 7 {
				s = append(s, i)
			}
			all = append(all, s)
		}
		all = append(all, a.store(nil, make([]int, 2*arenaChunk)))
		for i, s := range all[:100] {
			for _, v := range s {
				require.Equal(t, i, v, "slices overlap")
			}
		}
	}
	s := a.store(nil, []int{1, 2})
	require.Equal(t, []int{3}, a.store(s, []int{3}))
	require.Equal(t, []int{3}, s[:1], "memory that suffices is used again")
	require.Equal(t, []int{3, 4}, append(a.grow(s[:1:1]), 4))
}

func TestThrottle(t *testing.T) {
	var limit int
	run := func(th *throttle, final bool, lost int) (n int) {
		for n = 1; n < 1<<20; n++ {
			if limit = th.note(final, lost); limit != 0 {
				break
			}
		}
		return n
	}
	th := newThrottle(8)
	clock := th.since
	th.clock = func() time.Time { clock = clock.Add(throttlePause); return clock }
	require.Equal(t, throttleWindow, run(&th, true, 0))
	require.Equal(t, 1, limit)
	require.True(t, th.active())
	require.Equal(t, throttleFirst*throttleWindow, run(&th, true, 0))
	require.Equal(t, 8, limit)
	require.False(t, th.active())
	require.Equal(t, throttleWindow, run(&th, true, 0))
	require.Equal(t, 2*throttleFirst*throttleWindow, run(&th, true, 0), "twice as long")
	require.Equal(t, 1<<20, run(&th, false, 0), "nothing to decide")
	run(&th, true, 0)
	require.Equal(t, throttleFirst*throttleWindow, run(&th, true, 0), "as long as at first")

	for _, want := range []int{4, 2, 1, 2, 1} { // 1 is for a while
		run(&th, false, 1)
		require.Equal(t, want, limit)
		require.Equal(t, leastWindow, th.window, "cut before the workers are")
	}
	run(&th, false, 0)
	require.True(t, th.active())
	for _, want := range []int{4, 8} {
		run(&th, false, 0)
		require.Equal(t, want, limit)
	}
	require.False(t, th.active())

	three := newThrottle(3)
	three.clock = th.clock
	run(&three, false, 1)
	require.Equal(t, 2, limit, "one is for a while")

	slow := newThrottle(8)
	ticks := slow.since
	slow.clock = func() time.Time { ticks = ticks.Add(throttlePause / 3); return ticks }
	require.Equal(t, 3*throttleWindow, run(&slow, true, 0), "not before the pause")
	require.Equal(t, 3*throttleFirst*throttleWindow, run(&slow, true, 0), "in proportion")

	var off throttle
	require.Equal(t, 1<<20, run(&off, true, 3))
}
