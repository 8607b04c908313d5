package workload

import (
	"errors"
	"runtime"
)

// ErrReverted is the error of a transaction of Dynamic that takes its writes back.
var ErrReverted = errors.New("workload: reverted")

// program is a transaction of Dynamic: what it does, and numbers that it makes keys
// and values of.
type program struct {
	action  action
	numbers [3]uint64
}

type action uint8

const (
	toggle   action = iota // deletes a slot or creates it
	chase                  // writes where a value points to
	move                   // between two slots with a constant sum
	regret                 // writes, then reverts if a value is odd
	count                  // adds to a counter, within bounds
	purge                  // deletes several slots, by their values
	collapse               // panics if a value is even
	actions
)

// pairSum is the sum of the two slots of a pair, before and after every
// transaction that commits.
const pairSum Value = 1_000_000

// generateDynamic draws the programs. There is a slot for each four transactions
// and a pair for each thirty-two, so that most of what a transaction meets was
// written in the same block. Half of the slots exist before it.
func (w *Workload) generateDynamic() {
	n := w.config.N
	s := splitMix64(w.config.Seed)
	w.stores = max(n/4, 8)
	w.dynamic = make([]program, n)
	for i := range w.dynamic {
		p := &w.dynamic[i]
		p.action = action(s.below(int(actions)))
		for j := range p.numbers {
			p.numbers[j] = s.next()
		}
	}
	for i := range w.stores {
		if s.below(2) == 0 {
			w.exists(w.store(uint64(i)))
		}
		first := mix64(uint64(i)) % uint64(pairSum)
		a, b := w.pair(uint64(i))
		w.genesis[a], w.genesis[b] = Value(first), pairSum-Value(first)
	}
	w.exists(MakeKey(Counter, 0))
}

func (w *Workload) store(i uint64) Key { return MakeKey(Store, i%uint64(w.stores)) }

func (w *Workload) pair(i uint64) (a, b Key) {
	i %= uint64(w.stores) / 8
	return MakeKey(Pair, 2*i), MakeKey(Pair, 2*i+1)
}

// runDynamic executes a program. What an incarnation reads beyond the program, and
// in which order, depends on its number; what it returns and leaves behind does
// not, since the number of the last one is chance.
func (w *Workload) runDynamic(v view, i int) (Output, error) {
	p := &w.dynamic[i]
	x := execution{view: v, gas: w.config.Gas, seed: uint64(i)}
	w.distract(v, p)
	switch p.action {
	case toggle:
		w.toggle(&x, p)
	case chase:
		w.chase(&x, p)
	case move:
		w.move(&x, p)
	case regret:
		if w.regret(&x, p) {
			x.out.Status = Reverted
			return x.out, ErrReverted
		}
	case count:
		w.count(&x, p)
	case purge:
		w.purge(&x, p)
	case collapse:
		w.collapse(&x, p)
	}
	return x.out, nil
}

// distract reads other slots in every other incarnation, and writes and deletes
// one in the third of each four that the program overwrites in any case.
func (w *Workload) distract(v view, p *program) {
	incarnation := v.Incarnation()
	if incarnation%2 == 1 {
		for j := range 1 + incarnation%3 {
			v.Get(w.store(p.numbers[2] + uint64(j)))
		}
	}
	if incarnation%4 == 2 && p.action == toggle {
		k := w.store(p.numbers[0])
		old, ok := v.Get(k)
		v.Delete(k)
		v.Put(k, Value(incarnation))
		if ok {
			v.Put(k, old)
		} else {
			v.Delete(k)
		}
	}
}

func (w *Workload) toggle(x *execution, p *program) {
	k := w.store(p.numbers[0])
	v, ok := x.view.Get(k)
	x.out.read(k, v, ok)
	x.work()
	if ok && v%2 == 1 {
		x.remove(k)
	} else {
		x.put(k, v+Value(p.numbers[1]%1000)+1)
	}
	again, ok := x.view.Get(k) // what it wrote itself
	x.out.read(k, again, ok)
}

func (w *Workload) chase(x *execution, p *program) {
	at := w.store(p.numbers[0])
	for range 3 {
		at = w.store(uint64(x.get(at)) + p.numbers[1])
	}
	x.work()
	v := x.get(at)
	if v%3 == 0 {
		x.remove(at)
		x.put(at, v+Value(p.numbers[2]%100))
	} else {
		x.put(w.store(uint64(v)), v+1)
	}
}

// move keeps the sum of a pair. An incarnation that sees another sum has read one
// slot before and one after some other transaction, and is doomed: it behaves as
// badly as code does on a state that cannot be.
func (w *Workload) move(x *execution, p *program) {
	a, b := w.pair(p.numbers[0])
	v := x.get(a)
	x.work()
	runtime.Gosched() // whoever else moves between these two may do so now
	u := x.get(b)
	if v+u != pairSum {
		w.misbehave(x, p)
		return
	}
	amount := min(v, Value(p.numbers[1]%1000))
	if p.numbers[2]%2 == 0 {
		amount = -min(u, Value(p.numbers[1]%1000))
	}
	x.put(a, v-amount)
	x.put(b, u+amount)
}

// patience is how often a doomed incarnation asks whether it is, before it goes on
// to write. An executor may have nothing to tell it yet.
const patience = 1000

func (w *Workload) misbehave(x *execution, p *program) {
	switch p.numbers[1] % 3 {
	case 0:
		panic("workload: the sum of a pair has changed")
	case 1:
		for range patience {
			x.view.Check()
		}
	}
	for j := range uint64(8) {
		x.put(w.store(p.numbers[2]+j), Value(j))
		x.remove(w.store(p.numbers[2] + j + 8))
	}
}

func (w *Workload) regret(x *execution, p *program) bool {
	k := w.store(p.numbers[0])
	v := x.get(k)
	x.put(k, v+1)
	x.remove(w.store(p.numbers[1]))
	x.work()
	return v%2 == 1
}

func (w *Workload) count(x *execution, p *program) {
	k := MakeKey(Counter, p.numbers[0]%2) // of which one is absent before the block
	delta := Value(p.numbers[1] % 100)
	if p.numbers[2]%3 == 0 {
		delta = -delta
	}
	if w.config.Deltas {
		x.work()
		x.add(k, delta)
		return
	}
	v := x.get(k)
	x.work()
	if sum, ok := Sum(v, delta); ok {
		x.put(k, sum)
	} else {
		x.out.Status = Failed
	}
}

func (w *Workload) purge(x *execution, p *program) {
	sum := Value(0)
	const slots = 6
	for j := range uint64(slots) {
		k := w.store(p.numbers[0] + j)
		v := x.get(k)
		if sum += v; v%4 == 0 {
			x.remove(k)
		}
	}
	x.work()
	x.put(w.store(p.numbers[0]+slots), sum)
}

func (w *Workload) collapse(x *execution, p *program) {
	k := w.store(p.numbers[0])
	v := x.get(k)
	x.put(k, v+1)
	x.work()
	if v%2 == 0 {
		panic("workload: an even value")
	}
}
