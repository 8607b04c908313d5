package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/tuneinsight/lattigo/v6/ring"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

func TestRivalNameIsTheVersionAskedFor(t *testing.T) {
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	name, version, _ := strings.Cut(rivalName, " ")
	if !strings.Contains(string(mod), name+"/v6 "+version+"\n") {
		t.Errorf("go.mod does not ask for %s", rivalName)
	}
}

// Package ntt promises lattigo's bytes; here lattigo itself is asked.
func TestEqualToLattigo(t *testing.T) {
	for _, text := range append(ntt.Names(), "16,97", "4096,0x1fffffffffe00001", "65536,0xffffffffffc0001") {
		t.Run(text, func(t *testing.T) {
			r, err := ntt.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			l, err := newLattigo(r)
			if err != nil {
				t.Fatal(err)
			}
			polys := max(2, 1<<16/r.N())
			for _, values := range [][]uint64{uniform(polys*r.N(), r.Q()), extremes(polys*r.N(), r.Q())} {
				checkLattigo(t, r, l, values)
			}
		})
	}
}

// uniform and extremes return n residues: any, and only 0 and q-1.
func uniform(n int, q uint64) []uint64 {
	g, s := rand.New(rand.NewPCG(1, q)), make([]uint64, n)
	for i := range s {
		s[i] = g.Uint64N(q)
	}
	return s
}

func extremes(n int, q uint64) []uint64 {
	g, s := rand.New(rand.NewPCG(2, q)), make([]uint64, n)
	for i := range s {
		s[i] = (q - 1) * g.Uint64N(2)
	}
	return s
}

func checkLattigo(t *testing.T, r *ntt.Ring, l lattigo, a []uint64) {
	t.Helper()
	b := make([]uint64, len(a))
	copy(b, a[len(a)/2:])
	for name, c := range map[string]struct {
		ours  func(dst []uint64) error
		rival side
	}{
		"forward":    {func(d []uint64) error { return r.Forward(d, a) }, l.unary(l.ring.NTT, a)},
		"inverse":    {func(d []uint64) error { return r.Inverse(d, a) }, l.unary(l.ring.INTT, a)},
		"mform":      {func(d []uint64) error { return r.MForm(d, a) }, l.unary(l.ring.MForm, a)},
		"imform":     {func(d []uint64) error { return r.IMForm(d, a) }, l.unary(l.ring.IMForm, a)},
		"mul":        {func(d []uint64) error { return r.Mul(d, a, b) }, l.binary(l.ring.MulCoeffsBarrett, a, b)},
		"muladd":     {func(d []uint64) error { return r.MulAdd(d, a, b) }, l.binary(l.ring.MulCoeffsBarrettThenAdd, a, b)},
		"mulmont":    {func(d []uint64) error { return r.MulMont(d, a, b) }, l.binary(l.ring.MulCoeffsMontgomery, a, b)},
		"muladdmont": {func(d []uint64) error { return r.MulAddMont(d, a, b) }, l.binary(l.ring.MulCoeffsMontgomeryThenAdd, a, b)},
	} {
		dst := make([]uint64, len(a))
		p := pair{name, side{"ours", 1, func(context.Context) error { return c.ours(dst) }, func() []byte { return bytesOf(dst) }}, c.rival}
		if err := p.verify(t.Context()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Every pair that is timed gives equal bytes, and a wrong one is refused.
func TestEveryPairAgrees(t *testing.T) {
	for _, open := range groups {
		pairs, done, err := open()
		if errors.Is(err, backends.ErrUnavailable) {
			if *require == "" {
				t.Skip(err)
			}
			t.Fatal(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range pairs {
			if err := p.verify(t.Context()); err != nil {
				t.Errorf("%s: %v", p.work, err)
			}
			// A planted mistake in the last byte.
			good := p.rival.output
			p.rival.output = func() []byte {
				s := append([]byte(nil), good()...)
				s[len(s)-1]++
				return s
			}
			if p.verify(t.Context()) == nil {
				t.Errorf("%s: a wrong byte was not noticed", p.work)
			}
		}
		done()
	}
}

// Lattigo's ring is the oracle only if it is the ring that we think it is.
func TestLattigoDerivesOurRoot(t *testing.T) {
	r, err := ntt.Parse("pulsar")
	if err != nil {
		t.Fatal(err)
	}
	l, err := ring.NewRing(r.N(), []uint64{r.Q()})
	if err != nil {
		t.Fatal(err)
	}
	s := l.SubRings[0]
	if got := ring.IMForm(s.RootsForward[r.N()/2], r.Q(), s.MRedConstant); got != r.Psi() {
		t.Errorf("lattigo's psi is %#x, ours %#x", got, r.Psi())
	}
}
