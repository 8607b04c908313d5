package blockstm

import (
	"hash/maphash"
	"sync"
	"sync/atomic"
)

const (
	shardBits = 6
	pageBits  = 9
	pageSize  = 1 << pageBits
	firstSize = 1 << 6 // slots of a new shard
)

// memory holds the cells of a block. Keys are interned: the first touch of a key
// in a block gives it the next id, and everything else speaks of ids.
type memory[K comparable, V any] struct {
	seed   maphash.Seed
	pages  atomic.Pointer[[]*page[K, V]]
	_      [64]byte     // what follows is written often
	count  atomic.Int32 // ids given out
	growth sync.Mutex   // guards the replacement of pages
	_      [64]byte
	shards [1 << shardBits]shard
}

// A shard is an open-addressing table of slots, each empty (0) or a hash in the
// high half and an id plus one in the low half. A lookup takes no lock: slots
// only go from empty to full, and a table that grows is replaced. A reader of
// the old one may miss a key, and then looks again with the lock.
type shard struct {
	mu    sync.Mutex
	used  int
	slots atomic.Pointer[[]uint64]
	_     [64 - 24]byte // a cache line each
}

// A page is a run of cells, with room for the first version of each.
type page[K comparable, V any] struct {
	cells [pageSize]cell[K, V]
	first [pageSize]version[V]
}

func newMemory[K comparable, V any]() *memory[K, V] {
	m := &memory[K, V]{seed: maphash.MakeSeed()}
	m.pages.Store(new([]*page[K, V]))
	for i := range m.shards {
		s := make([]uint64, firstSize)
		m.shards[i].slots.Store(&s)
	}
	return m
}

// reset forgets all keys and keeps the memory.
func (m *memory[K, V]) reset() {
	m.count.Store(0)
	for i := range m.shards {
		s := &m.shards[i]
		if s.used == 0 {
			continue
		}
		if slots := *s.slots.Load(); 16*s.used < len(slots) && len(slots) > firstSize {
			// Clearing what a larger block needed is in vain for small ones.
			smaller := make([]uint64, max(firstSize, len(slots)/4))
			s.slots.Store(&smaller)
		} else {
			clear(slots)
		}
		s.used = 0
	}
}

// cell returns the cell of an id that was given out.
func (m *memory[K, V]) cell(id int32) *cell[K, V] {
	return &(*m.pages.Load())[id>>pageBits].cells[id&(pageSize-1)]
}

// intern returns the id of k and its cell, making them if k is new.
func (m *memory[K, V]) intern(k K) (int32, *cell[K, V]) {
	h := maphash.Comparable(m.seed, k)
	s := &m.shards[h>>(64-shardBits)]
	tag := uint32(h)
	if id, c := m.probe(*s.slots.Load(), tag, k); c != nil {
		return id, c
	}
	yield()
	s.mu.Lock()
	defer s.mu.Unlock()
	if id, c := m.probe(*s.slots.Load(), tag, k); c != nil {
		return id, c
	}
	return m.insert(s, tag, k)
}

func (m *memory[K, V]) probe(slots []uint64, tag uint32, k K) (int32, *cell[K, V]) {
	mask := uint32(len(slots) - 1)
	for i := tag & mask; ; i = (i + 1) & mask {
		s := atomic.LoadUint64(&slots[i])
		if s == 0 {
			return 0, nil
		}
		if uint32(s>>32) == tag {
			id := int32(uint32(s)) - 1
			if c := m.cell(id); c.key == k {
				return id, c
			}
		}
	}
}

// insert gives k an id; s.mu is held, and k is not in s.
func (m *memory[K, V]) insert(s *shard, tag uint32, k K) (int32, *cell[K, V]) {
	slots := *s.slots.Load()
	if 2*(s.used+1) > len(slots) {
		slots = s.grow(slots)
	}
	id := m.count.Add(1) - 1
	m.reserve(int(id)>>pageBits + 1)
	c := m.cell(id)
	c.init(k)
	yield()
	place(slots, uint64(tag)<<32|uint64(id+1))
	s.used++
	return id, c
}

// grow doubles the table; s.mu is held.
func (s *shard) grow(slots []uint64) []uint64 {
	to := make([]uint64, 2*len(slots))
	for _, slot := range slots {
		if slot != 0 {
			place(to, slot)
		}
	}
	s.slots.Store(&to)
	return to
}

// place stores s, which publishes the cell that it leads to.
func place(slots []uint64, s uint64) {
	mask := uint32(len(slots) - 1)
	i := uint32(s>>32) & mask
	for atomic.LoadUint64(&slots[i]) != 0 {
		i = (i + 1) & mask
	}
	atomic.StoreUint64(&slots[i], s)
}

// reserve makes sure that there are n pages.
func (m *memory[K, V]) reserve(n int) {
	if len(*m.pages.Load()) >= n {
		return
	}
	m.growth.Lock()
	defer m.growth.Unlock()
	pages := *m.pages.Load()
	if len(pages) >= n {
		return
	}
	// The old table stays valid for those who loaded it: append writes past
	// its end only.
	for len(pages) < n {
		p := new(page[K, V])
		for i := range p.cells {
			p.cells[i].pend = p.first[i : i : i+1]
		}
		pages = append(pages, p)
	}
	m.pages.Store(&pages)
}

// A lease is the changeSet of a block, until the memory is used for another.
type lease[K comparable, V any] struct{ m *memory[K, V] }

func (l *lease[K, V]) size() int {
	if l.m == nil {
		return 0
	}
	return int(l.m.count.Load())
}

func (l *lease[K, V]) change(i int) (Change[K, V], bool) {
	c := l.m.cell(int32(i))
	return Change[K, V]{c.key, c.done.val, c.done.set == wroteDelete}, c.done.set != wroteNothing
}
