package blockstm

// An arena hands out slices that live until it is reset, and keeps its memory
// for the next block.
type arena[T any] struct {
	chunks [][]T
	chunk  int // the one in use
	used   int // of it
}

const arenaChunk = 1 << 12

func (a *arena[T]) reset() { a.chunk, a.used = 0, 0 }

// take returns an empty slice with room for at least n elements.
func (a *arena[T]) take(n int) []T {
	for {
		if a.chunk == len(a.chunks) {
			a.chunks = append(a.chunks, make([]T, max(arenaChunk, n)))
		}
		if c := a.chunks[a.chunk]; a.used+n <= len(c) {
			s := c[a.used : a.used : a.used+n]
			a.used += n
			return s
		}
		a.chunk++
		a.used = 0
	}
}

// store copies src into dst if it fits, and into new memory if not.
func (a *arena[T]) store(dst, src []T) []T {
	if cap(dst) < len(src) {
		dst = a.take(len(src))
	}
	dst = dst[:len(src)]
	copy(dst, src)
	return dst
}

// grow returns s with room for another element.
func (a *arena[T]) grow(s []T) []T {
	if len(s) < cap(s) {
		return s
	}
	return append(a.take(2*len(s)+2), s...)
}
