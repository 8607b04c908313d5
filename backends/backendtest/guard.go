package backendtest

import (
	"fmt"
	"slices"
)

// guardWords stand on both sides of every buffer that a backend is given.
const guardWords = 64

// guarded is a buffer between guard words. The slice that it gives out has the
// guards behind it within its capacity, since that is how Go code can write
// past an end without a panic.
type guarded struct {
	name string
	all  []uint64
	want []uint64 // what the buffer held when it was made
}

func newGuarded(name string, words []uint64) *guarded {
	g := &guarded{name: name, want: words}
	g.all = slices.Concat(guards(), words, guards())
	return g
}

func guards() []uint64 { return slices.Repeat([]uint64{0x6775_6172_6421_0000}, guardWords) }

func (g *guarded) slice() []uint64 { return g.all[guardWords : guardWords+len(g.want)] }

// check returns an error if a guard word was written.
func (g *guarded) check() error {
	after := guardWords + len(g.want)
	for i, w := range guards() {
		if g.all[i] != w {
			return fmt.Errorf("word %d before %s was written", guardWords-i, g.name)
		}
		if g.all[after+i] != w {
			return fmt.Errorf("word %d after %s was written", i, g.name)
		}
	}
	return nil
}

// unchanged returns an error if the buffer, or a guard word, was written.
func (g *guarded) unchanged(n int) error {
	if err := g.check(); err != nil {
		return err
	}
	if err := difference(n, g.slice(), g.want); err != nil {
		return fmt.Errorf("%s was written: %w", g.name, err)
	}
	return nil
}
