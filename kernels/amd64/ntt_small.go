package amd64

// smallFunc transforms rows of a small ring, one after another, and returns how
// many it did before one with a coefficient that is not below q.
type smallFunc func(dst, src, columns, block, constants *uint64, rows int) int

// small is the functions for whole rows of a ring that has them, and their tables.
type small struct{ forward, inverse smallTransform }

type smallTransform struct {
	f              smallFunc
	columns, block []uint64
}

func (b *builder) small(t *NTT) *small { return nil }

func (s *small) run(f smallTransform, t *NTT, dst, src []uint64) int {
	if len(dst) == 0 {
		return 0
	}
	return f.f(&dst[0], &src[0], &f.columns[0], &f.block[0], &t.constants[0], len(dst)/t.n)
}

type pointwise struct{}

func (b *builder) pointwise() pointwise { return pointwise{} }
