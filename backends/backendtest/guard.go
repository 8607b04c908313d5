package backendtest

import (
	"fmt"
	"slices"
)

// guardItems stand on both sides of every buffer that a backend is given.
const guardItems = 64

// fenced is a buffer between guards. The slice that it gives out has the guards
// behind it within its capacity, since that is how Go code can write past an end
// without a panic.
type fenced[T comparable] struct {
	name  string
	all   []T
	want  []T // what the buffer held when it was made
	guard T
}

// fence puts items between guards.
func fence[T comparable](name string, items []T, guard T) *fenced[T] {
	guards := slices.Repeat([]T{guard}, guardItems)
	return &fenced[T]{name: name, all: slices.Concat(guards, items, guards), want: items, guard: guard}
}

func (f *fenced[T]) slice() []T { return f.all[guardItems : guardItems+len(f.want)] }

// check returns an error if a guard was written.
func (f *fenced[T]) check() error {
	after := guardItems + len(f.want)
	for i := range guardItems {
		if f.all[i] != f.guard {
			return fmt.Errorf("item %d before %s was written", guardItems-i, f.name)
		}
		if f.all[after+i] != f.guard {
			return fmt.Errorf("item %d after %s was written", i, f.name)
		}
	}
	return nil
}

// unchanged returns an error if the buffer, or a guard, was written.
func (f *fenced[T]) unchanged() error {
	if err := f.check(); err != nil {
		return err
	}
	for i, x := range f.slice() {
		if x != f.want[i] {
			return fmt.Errorf("item %d of %s was written", i, f.name)
		}
	}
	return nil
}

// guarded is a fenced buffer of rows.
type guarded struct{ *fenced[uint64] }

func newGuarded(name string, words []uint64) *guarded {
	return &guarded{fence(name, words, 0x6775_6172_6421_0000)}
}

// unchanged returns an error if the buffer, or a guard word, was written, and
// names the row of n coefficients.
func (g *guarded) unchanged(n int) error {
	if err := g.check(); err != nil {
		return err
	}
	if err := difference(n, g.slice(), g.want); err != nil {
		return fmt.Errorf("%s was written: %w", g.name, err)
	}
	return nil
}
