package wgsl

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// begin opens the function of a pass: what invocation i of a team works on, and
// where that is in memory.
func (w *writer) begin(name string, p pass, bound uint64) {
	w.bounds = make([]uint64, p.radix())
	for r := range w.bounds {
		w.bounds[r] = bound
	}
	s := w.s
	fmt.Fprintf(w, "// %s: elements at distance %d, in %d blocks; values below %d*q.\n", name, p.stride, p.blocks, bound)
	if items := s.items(p); items == 1 {
		fmt.Fprintf(w, "fn %s(first: u32, i: u32) {\n", name)
	} else {
		fmt.Fprintf(w, "fn %s(first: u32, invocation: u32) {\n", name)
		w.line("for (var i = invocation; i < %du; i += %du) {", items*s.team, s.team)
	}
	if p.stride == 1 {
		w.placeRows(p)
	} else {
		w.placeColumns(p)
	}
	if p.blocks > 1 {
		w.line("let tw = %du + block;", s.tableBase(w.f, p))
	}
	w.line("var t: Lanes;")
}

func (w *writer) end(p pass) {
	if w.s.items(p) > 1 {
		w.line("}")
	}
	w.WriteString("}\n\n")
}

// placeColumns sets at to the vec4 of a pass with a stride that holds its lanes'
// first elements.
func (w *writer) placeColumns(p pass) {
	columns := w.s.n / p.radix() / w.s.lanes // of vec4s in a row
	step := p.stride / w.s.lanes
	w.line("let row = first + i / %du;", columns)
	w.line("if (row >= params.p0) { return; }")
	w.line("let column = i %% %du;", columns)
	if p.blocks > 1 {
		w.line("let block = column / %du;", step)
		w.line("let at = (params.p1 + row) * %du + block * %du + column %% %du;", w.s.rowVectors(), step*p.radix(), step)
		return
	}
	w.line("let at = (params.p1 + row) * %du + column;", w.s.rowVectors())
}

// placeRows sets at0, at1, ... to where the last pass's block starts in each of
// the team's rows. A row that is not there is the last one once more: this
// invocation then does the same work twice, and stores the same result.
func (w *writer) placeRows(p pass) {
	w.line("if (first >= params.p0) { return; }")
	w.line("let block = i;")
	for l := range w.s.lanes {
		w.line("let at%d = (params.p1 + min(first + %du, params.p0 - 1u)) * %du + block * %du;",
			l, l, w.s.rowVectors(), p.radix()/w.s.lanes)
	}
}

// loadRegisters reads the registers of a pass; reduced says that memory holds
// coefficients, not values between two passes.
func (w *writer) loadRegisters(p pass, reduced bool) {
	in := "lazy_in"
	if reduced {
		in = "unpack"
	}
	if p.stride > 1 {
		for r := range p.radix() {
			w.line("var r%d = %s(data[at + %du]);", r, in, r*p.stride/w.s.lanes)
		}
		return
	}
	for v := range p.radix() / w.s.lanes {
		for l := range w.s.lanes {
			w.line("let m%d_%d = data[at%d + %du];", v, l, l, v)
		}
		for e := range w.s.lanes {
			w.line("var r%d = %s(%s);", v*w.s.lanes+e, in, w.s.gather(fmt.Sprintf("m%d_", v), e))
		}
	}
}

// storeRegisters writes them back where they came from.
func (w *writer) storeRegisters(p pass, last bool) {
	out := func(r int) string { return fmt.Sprintf("lazy_out(r%d)", r) }
	if last {
		out = func(r int) string { return fmt.Sprintf("pack(%s)", w.f.canonical(reg(r), w.bounds[r])) }
	}
	if p.stride > 1 {
		for r := range p.radix() {
			w.line("data[at + %du] = %s;", r*p.stride/w.s.lanes, out(r))
		}
		return
	}
	for v := range p.radix() / w.s.lanes {
		for e := range w.s.lanes {
			w.line("let o%d_%d = %s;", v, e, out(v*w.s.lanes+e))
		}
		for l := range w.s.lanes {
			w.line("data[at%d + %du] = %s;", l, v, w.s.gather(fmt.Sprintf("o%d_", v), l))
		}
	}
}

// gather returns the vec4 of part e of each of the vec4s prefix0, prefix1, ...,
// where a part is the memory of one coefficient: a transposition.
func (s schedule) gather(prefix string, e int) string {
	part := [2]string{".xy", ".zw"}[e%2]
	if s.lanes == 4 {
		part = [4]string{".x", ".y", ".z", ".w"}[e]
	}
	expr := ""
	for l := range s.lanes {
		if l > 0 {
			expr += ", "
		}
		expr += fmt.Sprintf("%s%d%s", prefix, l, part)
	}
	return "vec4<u32>(" + expr + ")"
}

// table returns the twiddle factors of the passes that have more than one block,
// in the order of the passes: slot j of block b is at j*blocks + b.
func (s schedule) table(f field, roots []uint64) []byte {
	out := make([]byte, max(16, 16*s.tableBase(f, pass{})))
	for _, p := range s.passes {
		if p.blocks == 1 {
			continue
		}
		base := s.tableBase(f, p)
		for b := range p.blocks {
			w := make([]uint64, p.radix())
			for k := 1; k < p.radix(); k++ {
				stage := bits.Len(uint(k)) - 1
				w[k] = roots[(p.blocks+b)<<stage+k-1<<stage]
			}
			for i, word := range f.encode(w) {
				at := 16*(base+i/4*p.blocks+b) + i%4*4
				binary.LittleEndian.PutUint32(out[at:], word)
			}
		}
	}
	return out
}

// tableBase returns the vec4 of the table at which the pass starts.
func (s schedule) tableBase(f field, p pass) (at int) {
	for _, other := range s.passes {
		if other == p {
			break
		}
		if other.blocks > 1 {
			at += f.slots(other.radix()) * other.blocks
		}
	}
	return at
}
