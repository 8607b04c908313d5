package amd64

// forwardWithin appends the factors of the stages within a block's registers, of
// which the first is r. Where registers exchange in pairs a, b, the comments say
// which coefficients are in the register of the left operands.
func (b *builder) forwardWithin(t *tableWriter, r int, root func(size, i int) uint64) {
	k := b.kernels
	if k.lanes == 4 {
		b.forwardTransposed(t, r, root)
		return
	}
	for end := r + 8; r < end; r += 2 {
		switch {
		case k.lanes == 8 && k.size == 8:
			t.vector(func(l int) uint64 { return root(8, r+l/4) })                   // a0 to a3, b0 to b3
			t.vector(func(l int) uint64 { return root(4, 2*(r+l/2%2)+l/4) })         // a0 a1 b0 b1 a4 a5 b4 b5
			t.vector(func(l int) uint64 { return root(2, 4*(r+l/2%2)+2*(l/4)+l%2) }) // a0 a2 b0 b2 a4 a6 b4 b6
		case k.lanes == 8:
			t.vector(func(l int) uint64 { return root(8, r+l/4) })                 // a0 to a3, b0 to b3
			t.vector(func(l int) uint64 { return root(4, 2*(r+l/4)+l/2%2) })       // a0 a1 a4 a5, and of b
			t.vector(func(l int) uint64 { return root(2, 4*(r+l/4)+l%2*2+l/2%2) }) // a0 a4 a2 a6, and of b
		case k.lanes == 16:
			t.vector(func(l int) uint64 { return root(16, r+l/8) })                          // a0 to a7, b0 to b7
			t.vector(func(l int) uint64 { return root(8, 2*(r+l/4%2)+l/8) })                 // a0 to a3, b0 to b3, a8 to a11, b8 to b11
			t.vector(func(l int) uint64 { return root(4, 4*(r+l/4%2)+2*(l/8)+l/2%2) })       // a0 a1 a4 a5, of b, a8 a9 a12 a13, of b
			t.vector(func(l int) uint64 { return root(2, 8*(r+l/4%2)+4*(l/8)+l%2*2+l/2%2) }) // a0 a4 a2 a6, of b, a8 a12 a10 a14, of b
		}
	}
}

// forwardTransposed is forwardWithin where squares of four registers are
// transposed.
func (b *builder) forwardTransposed(t *tableWriter, r int, root func(size, i int) uint64) {
	for g := 0; g < 8; g += 4 {
		t.vector(func(l int) uint64 { return root(4, r+g+l) })
		t.vector(func(l int) uint64 { return root(2, 2*(r+g+l)) })
		t.vector(func(l int) uint64 { return root(2, 2*(r+g+l)+1) })
	}
}

// inverseWithin appends the factors of the stages within a register, which are
// the same in every block. The first stage has none.
func (b *builder) inverseWithin(t *tableWriter) {
	k := b.kernels
	switch {
	case k.lanes == 4:
		t.scalar(b.column(0, 2))
		t.scalar(b.column(1, 2))
		t.words = append(t.words, make([]uint64, 12)...)
	case k.lanes == 8 && k.size == 8:
		t.vector(func(l int) uint64 { return b.column(l%2, 2) })       // a0 a1 b0 b1 a4 a5 b4 b5
		t.vector(func(l int) uint64 { return b.column(l%2+l/4*2, 4) }) // a0 a1 b0 b1 a2 a3 b2 b3
	case k.lanes == 8:
		t.vector(func(l int) uint64 { return b.column(l/2%2, 2) })       // a0 b0 a1 b1 a4 b4 a5 b5
		t.vector(func(l int) uint64 { return b.column(l/2%2+l/4*2, 4) }) // a0 b0 a1 b1 a2 b2 a3 b3
	case k.lanes == 16:
		t.vector(func(l int) uint64 { return b.column(l/2%2, 2) })       // a0 b0 a1 b1, and 4, 8 and 12 behind
		t.vector(func(l int) uint64 { return b.column(l/2%2+l/8*2, 4) }) // a0 b0 a1 b1, 8 behind, a2 b2 a3 b3, 8 behind
		t.vector(func(l int) uint64 { return b.column(l/2, 8) })         // a0 b0 to a7 b7
	}
}
