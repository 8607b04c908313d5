package wgsl

import (
	"fmt"
	"strings"
)

// A writer writes one transform: the passes of a schedule in a field's
// functions. It keeps the bound of every register, in multiples of q, and writes
// a reduction only where the next butterfly would leave the field's headroom.
type writer struct {
	strings.Builder
	f      field
	s      schedule
	q      uint64
	roots  []uint64
	nInv   uint64   // 1/N in the inverse transform, else 0
	bounds []uint64 // of registers r0, r1, ...
	biased bool     // the forward transform needs no q in its differences
}

func (w *writer) line(format string, args ...any) {
	fmt.Fprintf(w, "  "+format+"\n", args...)
}

// forward writes the forward transform: Cooley-Tukey butterflies, natural order
// in, bit-reversed out.
func forward(f field, s schedule, q uint64, roots []uint64) string {
	w := &writer{f: f, s: s, q: q, roots: roots}
	k, ok := f.bias(stages(s))
	w.biased = ok
	bound := uint64(1)
	var names []string
	for i, p := range s.passes {
		first, last := i == 0, i == len(s.passes)-1
		name := fmt.Sprintf("pass_%d", i+1)
		names = append(names, name)
		w.begin(name, p, bound)
		w.loadRegisters(p, first)
		if first && w.biased {
			for r := range p.radix() / 2 {
				w.line("r%d = add(r%d, %s);", r, r, f.multiple(k))
			}
			for r := range w.bounds {
				w.bounds[r] = 1 + 2*k
			}
		}
		for stage := range p.bits {
			w.stage(i, stage, w.cooleyTukey)
		}
		bound = maxOf(w.bounds)
		w.storeRegisters(p, last)
		w.end(p)
	}
	return w.text("forward", names)
}

// inverse writes the inverse transform: Gentleman-Sande butterflies,
// bit-reversed order in, natural out. Sums double, so that reductions stand where
// the headroom ends; the division by N is part of the last stage.
func inverse(f field, s schedule, q uint64, roots []uint64, nInv uint64) string {
	w := &writer{f: f, s: s, q: q, roots: roots, nInv: nInv}
	bound := uint64(1)
	var names []string
	for i := len(s.passes) - 1; i >= 0; i-- {
		p := s.passes[i]
		name := fmt.Sprintf("pass_%d", len(names)+1)
		names = append(names, name)
		w.begin(name, p, bound)
		w.loadRegisters(p, i == len(s.passes)-1)
		for stage := p.bits - 1; stage >= 0; stage-- {
			butterfly := w.gentlemanSande
			if i == 0 && stage == 0 {
				butterfly = w.lastGentlemanSande
			}
			w.stage(i, stage, butterfly)
		}
		if i > 0 {
			w.settle(s.passes[i-1])
		}
		bound = maxOf(w.bounds)
		w.storeRegisters(p, i == 0)
		w.end(p)
	}
	return w.text("inverse", names)
}

func stages(s schedule) (n int) {
	for _, p := range s.passes {
		n += p.bits
	}
	return n
}

func maxOf(b []uint64) (m uint64) {
	for _, x := range b {
		m = max(m, x)
	}
	return m
}

// text puts the module together.
func (w *writer) text(entry string, names []string) string {
	return w.s.header() + "\n" + w.f.constants(stages(w.s)) + "\n" + w.f.arithmetic() + "\n" +
		w.String() + w.s.entry(entry, names)
}

// stage writes the butterflies of one stage of pass i. Its block of the whole
// transform splits in 1<<stage blocks with a twiddle each.
func (w *writer) stage(i, stage int, butterfly func(x, y int, tw string)) {
	p := w.s.passes[i]
	d := p.radix() >> (stage + 1)
	w.line("// Distance %d.", d*p.stride)
	for b := range 1 << stage {
		k := 1<<stage + b
		tw := w.twiddle(p, k, stage)
		for j := range d {
			butterfly(2*b*d+j, 2*b*d+j+d, tw)
		}
	}
}

// twiddle writes the definition of the block's twiddle k and returns its name.
// In the pass with one block it is the same for every invocation: a literal.
func (w *writer) twiddle(p pass, k, stage int) string {
	name := fmt.Sprintf("w%d", k)
	if p.blocks == 1 {
		root := w.roots[k]
		if w.nInv != 0 && k == 1 {
			root = mulMod(root, w.nInv, w.q)
		}
		w.line("let %s = %s;", name, w.f.literal(root))
		return name
	}
	expr := w.f.twiddle(k, func(j int) string { return fmt.Sprintf("table[tw + %du]", j*p.blocks) })
	w.line("let %s = %s;", name, expr)
	return name
}

// cooleyTukey writes x, y = x + w*y, x - w*y.
func (w *writer) cooleyTukey(x, y int, tw string) {
	m := w.f.mulBound()
	if w.biased {
		w.line("t = %s;", w.f.mul(reg(y), tw))
		w.line("%s = sub(%s, t); %s = add(%s, t);", reg(y), reg(x), reg(x), reg(x))
		return
	}
	w.reduceTo(x, w.f.headroom()-m)
	w.line("t = %s;", w.f.mul(reg(y), tw))
	minus, bound := w.f.difference(reg(x), "t", w.bounds[x], m)
	w.line("%s = %s; %s = add(%s, t);", reg(y), minus, reg(x), reg(x))
	w.bounds[x], w.bounds[y] = bound, bound
}

// gentlemanSande writes x, y = x + y, w*(x - y).
func (w *writer) gentlemanSande(x, y int, tw string) {
	minus := w.sum(x, y)
	w.line("t = %s;", minus)
	w.line("%s = add(%s, %s); %s = %s;", reg(x), reg(x), reg(y), reg(y), w.f.mul("t", tw))
	w.bounds[x] += w.bounds[y]
	w.bounds[y] = w.f.mulBound()
}

// lastGentlemanSande writes x, y = (x + y)/N, w*(x - y), with 1/N in w.
func (w *writer) lastGentlemanSande(x, y int, tw string) {
	minus := w.sum(x, y)
	w.line("t = %s;", minus)
	w.line("%s = divide(add(%s, %s)); %s = %s;", reg(x), reg(x), reg(y), reg(y), w.f.mul("t", tw))
	w.bounds[x] = (w.bounds[x]+w.bounds[y])>>stages(w.s) + 2
	w.bounds[y] = w.f.mulBound()
}

// sum reduces x and y until their difference is within the headroom, and returns
// its expression.
func (w *writer) sum(x, y int) string {
	for {
		minus, bound := w.f.difference(reg(x), reg(y), w.bounds[x], w.bounds[y])
		if bound <= w.f.headroom() {
			return minus
		}
		if w.bounds[x] >= w.bounds[y] {
			w.reduceTo(x, w.bounds[x]-1)
		} else {
			w.reduceTo(y, w.bounds[y]-1)
		}
	}
}

// settle reduces what would make the next pass, which must treat every register
// alike, start too high.
func (w *writer) settle(next pass) {
	limit := max(w.f.mulBound(), w.f.headroom()>>next.bits)
	for r := range w.bounds {
		w.reduceTo(r, limit)
	}
}

func (w *writer) reduceTo(r int, bound uint64) {
	for w.bounds[r] > bound {
		expr, b := w.f.reduce(reg(r), w.bounds[r])
		w.line("%s = %s;", reg(r), expr)
		w.bounds[r] = b
	}
}

func reg(i int) string { return fmt.Sprintf("r%d", i) }
