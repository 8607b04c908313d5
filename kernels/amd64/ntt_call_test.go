package amd64

import (
	"fmt"
	"slices"

	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// call is one of the operations: at some width, and as package ntt has it. An
// operation without b reads src alone.
type call struct {
	name     string
	binary   bool
	readsDst bool
	run      func(x *NTT, dst, a, b []uint64) int
	want     func(r *ntt.Ring, dst, a, b []uint64) error
}

var calls = []call{
	{"forward", false, false, func(x *NTT, dst, a, _ []uint64) int { return x.Forward(dst, a) },
		func(r *ntt.Ring, dst, a, _ []uint64) error { return r.Forward(dst, a) }},
	{"inverse", false, false, func(x *NTT, dst, a, _ []uint64) int { return x.Inverse(dst, a) },
		func(r *ntt.Ring, dst, a, _ []uint64) error { return r.Inverse(dst, a) }},
	{"mform", false, false, func(x *NTT, dst, a, _ []uint64) int { return x.MForm(dst, a) },
		func(r *ntt.Ring, dst, a, _ []uint64) error { return r.MForm(dst, a) }},
	{"imform", false, false, func(x *NTT, dst, a, _ []uint64) int { return x.IMForm(dst, a) },
		func(r *ntt.Ring, dst, a, _ []uint64) error { return r.IMForm(dst, a) }},
	{"mul", true, false, (*NTT).Mul, (*ntt.Ring).Mul},
	{"muladd", true, true, (*NTT).MulAdd, (*ntt.Ring).MulAdd},
	{"mulmont", true, false, (*NTT).MulMont, (*ntt.Ring).MulMont},
	{"muladdmont", true, true, (*NTT).MulAddMont, (*ntt.Ring).MulAddMont},
}

// guardWord surrounds the arguments of the functions under test.
const guardWord = 0xa5a5_5a5a_dead_beef

// guarded returns a copy of s with eight and more guard words on either side,
// at an odd place of a line of the cache if odd, and a function that says whether
// they still stand.
func guarded(s []uint64, odd bool) (c []uint64, intact func() bool) {
	before := 8
	if odd {
		before = 11
	}
	buf := make([]uint64, before+len(s)+8)
	for i := range buf {
		buf[i] = guardWord
	}
	c = buf[before : before+len(s) : before+len(s)]
	copy(c, s)
	return c, func() bool {
		for i, x := range buf {
			if (i < before || i >= before+len(s)) && x != guardWord {
				return false
			}
		}
		return true
	}
}

// check runs a call in its own memory and in place, between guard words, and
// compares all that is to be seen with the reference.
func (c call) check(r *ntt.Ring, x *NTT, dst, a, b []uint64, odd bool) error {
	want := slices.Clone(dst)
	if err := c.want(r, want, a, b); err != nil {
		return err
	}
	to, toIntact := guarded(dst, odd)
	from, fromIntact := guarded(a, odd)
	other, otherIntact := guarded(b, odd)
	if done := c.run(x, to, from, other); done != len(dst)/r.N() {
		return fmt.Errorf("%s: %d of %d rows", c.name, done, len(dst)/r.N())
	}
	switch {
	case !slices.Equal(to, want):
		i := slices.IndexFunc(want, func(uint64) bool { return true })
		for i < len(want) && to[i] == want[i] {
			i++
		}
		return fmt.Errorf("%s: coefficient %d of row %d differs", c.name, i%r.N(), i/r.N())
	case !slices.Equal(from, a) || !slices.Equal(other, b):
		return fmt.Errorf("%s: an operand was written", c.name)
	case !toIntact() || !fromIntact() || !otherIntact():
		return fmt.Errorf("%s: a guard word was written", c.name)
	}
	return c.checkInPlace(r, x, a, b, odd)
}

func (c call) checkInPlace(r *ntt.Ring, x *NTT, a, b []uint64, odd bool) error {
	want := slices.Clone(a)
	if err := c.want(r, want, want, b); err != nil {
		return err
	}
	got, intact := guarded(a, odd)
	if c.run(x, got, got, b); !slices.Equal(got, want) || !intact() {
		return fmt.Errorf("%s: in place differs", c.name)
	}
	return nil
}
