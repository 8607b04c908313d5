package amd64

import "sync"

// packedRow is what a transform in 32-bit lanes works in.
type packedRow struct {
	row   []uint64         // a row, or a block of several, packed
	block [maxBlock]uint64 // results of a block that dst has no room for
}

// newPacked returns the pool of packed rows of so many coefficients.
func newPacked(unit int) *sync.Pool {
	return &sync.Pool{New: func() any { return &packedRow{row: aligned(make([]uint64, unit/2))} }}
}

// transformPacked is transform for kernels of 32-bit lanes: they check a row while
// they pack it, and work on the packed row but for the last pass forward, which
// unpacks it.
func (t *NTT) transformPacked(passes []pass, dst, src []uint64) (done int) {
	r, unit := t.packed.Get().(*packedRow), t.unit()
	for at := 0; at < len(dst); at += unit {
		end := min(at+unit, len(dst))
		to, from := dst[at:end], src[at:end]
		if !t.kernels.pack(&r.row[0], &from[0], t.q, len(from)) {
			done += t.beforeBad(passes, to, from)
			break
		}
		if len(to) < unit {
			t.runPacked(passes, r.block[:], r.row)
			copy(to, r.block[:])
			clear(r.block[:])
		} else {
			t.runPacked(passes, to, r.row)
		}
		done += len(to) / t.n
	}
	clear(r.row)
	t.packed.Put(r)
	return done
}

// runPacked runs the passes over a packed row, and writes it to dst.
func (t *NTT) runPacked(passes []pass, dst, row []uint64) {
	for i := range passes {
		p, to := &passes[i], row
		if p.unpacks {
			to = dst
		}
		p.run(&to[0], &row[0], &p.table[0], &t.constants[0], &p.parameters[0], p.rowBlocks, p.stride)
	}
	if !passes[len(passes)-1].unpacks {
		t.kernels.unpack(&dst[0], &row[0], t.unit())
	}
}
