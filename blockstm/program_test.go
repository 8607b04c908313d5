package blockstm

import (
	"errors"
	"fmt"
	"math/rand/v2"
)

// The tests run random programs over a few keys. What a program does depends on
// what it reads, and it ends in every way that Run can end.

type (
	tKey   = uint32
	tValue = int64
	tBlock = Block[tKey, tValue, uint64]
	tView  = View[tKey, tValue]
)

type opKind int

const (
	opGet opKind = iota
	opPut
	opDelete
	opAdd
	opMove   // reads a key and writes it to another
	opBranch // skips the next operation if the digest is odd
	opCheck
	opFail      // returns an error if the digest is a multiple of arg
	opPanic     // panics likewise
	opTransient // reads what later incarnations do not
	opKinds
)

type op struct {
	kind opKind
	key  tKey
	to   tKey
	arg  int64
}

// programs is a block's worth of them.
type programs struct {
	txs  [][]op
	base map[tKey]tValue

	noEqual bool // Block.Equal is nil: adding nothing is a write
}

var errProgram = errors.New("the program failed")

// sumBounded adds within [0, 100].
func sumBounded(a, d tValue) (tValue, bool) {
	s := a + d
	return s, s >= 0 && s <= 100
}

func randomPrograms(r *rand.Rand, n, keys int) *programs {
	p := &programs{base: map[tKey]tValue{}}
	for k := range keys {
		if r.IntN(2) == 0 {
			p.base[tKey(k)] = r.Int64N(50)
		}
	}
	weights := make([]int, opKinds) // each block has a taste of its own
	total := 0
	for i := range weights {
		weights[i] = r.IntN(8)
		if i >= int(opFail) {
			weights[i] = r.IntN(2)
		}
		total += weights[i]
	}
	if total == 0 {
		weights[opAdd], total = 1, 1
	}
	for range n {
		ops := make([]op, r.IntN(8))
		for i := range ops {
			x := r.IntN(total)
			kind := 0
			for ; x >= weights[kind]; kind++ {
				x -= weights[kind]
			}
			ops[i] = op{opKind(kind), tKey(r.IntN(keys)), tKey(r.IntN(keys)), r.Int64N(41) - 20}
		}
		p.txs = append(p.txs, ops)
	}
	return p
}

func (p *programs) block() *tBlock {
	return &tBlock{
		N:     len(p.txs),
		Run:   p.run,
		Base:  mapBase(p.base),
		Equal: func(a, b tValue) bool { return a == b },
		Sum:   sumBounded,
	}
}

// hints returns some of the keys that each program may write, and some others.
func (p *programs) hints(r *rand.Rand) func(int) []tKey {
	keys := make([][]tKey, len(p.txs))
	for tx, ops := range p.txs {
		for _, o := range ops {
			if r.IntN(4) > 0 {
				keys[tx] = append(keys[tx], o.key, o.to)
			}
		}
	}
	return func(tx int) []tKey { return keys[tx] }
}

func mapBase(m map[tKey]tValue) Base[tKey, tValue] {
	return BaseFunc[tKey, tValue](func(k tKey) (tValue, bool, error) {
		v, ok := m[k]
		return v, ok, nil
	})
}

// run returns a digest of all that the program saw.
func (p *programs) run(v tView, tx int) (digest uint64, err error) {
	note := func(x int64, ok bool) {
		digest = (digest ^ uint64(x)) * 0x9e3779b97f4a7c15
		if ok {
			digest++
		}
		digest ^= digest >> 29
	}
	ops := p.txs[tx]
	for i := 0; i < len(ops); i++ {
		switch o := ops[i]; o.kind {
		case opGet:
			note(v.Get(o.key))
		case opPut:
			v.Put(o.key, o.arg+int64(digest%7))
		case opDelete:
			v.Delete(o.key)
		case opAdd:
			note(0, v.Add(o.key, o.arg))
		case opMove:
			x, ok := v.Get(o.key)
			note(x, ok)
			v.Put(o.to, x+1)
		case opBranch:
			if digest%2 == 1 {
				i++
			}
		case opCheck:
			v.Check()
		case opFail:
			if digest%3 == 0 {
				return digest, fmt.Errorf("%w with %d", errProgram, digest)
			}
		case opPanic:
			if digest%4 == 0 {
				panic(digest)
			}
		case opTransient:
			// The first incarnation reads more than the others.
			if v.Incarnation() == 0 {
				v.Get(o.to)
			}
			x, ok := v.Get(o.key)
			v.Put(o.to, x)
			note(x, ok)
		}
	}
	return digest, nil
}

// oracle runs the programs over plain maps that it copies for each transaction,
// as little like Sequential as can be.
func (p *programs) oracle() (results []string, writes []map[tKey]string, final map[tKey]string) {
	type cell struct {
		v    tValue
		live bool
	}
	state := map[tKey]cell{}
	for k, v := range p.base {
		state[k] = cell{v, true}
	}
	final = map[tKey]string{}
	for tx := range p.txs {
		view := &mapView{noEqual: p.noEqual, tx: tx, base: map[tKey]tValue{}, own: map[tKey]*tValue{}}
		for k, c := range state {
			if c.live {
				view.base[k] = c.v
			}
		}
		res := func() (s string) {
			defer func() {
				if r := recover(); r != nil {
					s = fmt.Sprint("panic ", r)
					clear(view.own)
				}
			}()
			d, err := p.run(view, tx)
			if err != nil {
				clear(view.own)
			}
			return fmt.Sprint(d, err)
		}()
		w := map[tKey]string{}
		for k, v := range view.own {
			if v == nil {
				state[k] = cell{}
				w[k] = "deleted"
			} else {
				state[k] = cell{*v, true}
				w[k] = fmt.Sprint(*v)
			}
			final[k] = w[k]
		}
		results = append(results, res)
		writes = append(writes, w)
	}
	return results, writes, final
}

type mapView struct {
	noEqual bool

	tx   int
	base map[tKey]tValue
	own  map[tKey]*tValue
}

func (m *mapView) Tx() int              { return m.tx }
func (m *mapView) Incarnation() int     { return 0 }
func (m *mapView) Check()               {}
func (m *mapView) Put(k tKey, v tValue) { m.own[k] = &v }
func (m *mapView) Delete(k tKey)        { m.own[k] = nil }
func (m *mapView) Get(k tKey) (tValue, bool) {
	if v, ok := m.own[k]; ok {
		if v == nil {
			return 0, false
		}
		return *v, true
	}
	v, ok := m.base[k]
	return v, ok
}
func (m *mapView) Add(k tKey, d tValue) bool {
	a, _ := m.Get(k)
	s, ok := sumBounded(a, d)
	if ok && (d != 0 || m.noEqual) {
		m.Put(k, s)
	}
	return ok
}

// describe puts an outcome into the oracle's terms.
func describe(o *Outcome[tKey, tValue, uint64]) (results []string, final map[tKey]string) {
	for _, r := range o.Results {
		var p *PanicError
		if errors.As(r.Err, &p) {
			results = append(results, fmt.Sprint("panic ", p.Value))
		} else {
			results = append(results, fmt.Sprint(r.Output, r.Err))
		}
	}
	final = map[tKey]string{}
	for c := range o.Changes() {
		if _, twice := final[c.Key]; twice {
			final[c.Key] = "twice"
		} else {
			final[c.Key] = changeText(c)
		}
	}
	return results, final
}

func changeText(c Change[tKey, tValue]) string {
	if c.Deleted {
		return "deleted"
	}
	return fmt.Sprint(c.Value)
}
