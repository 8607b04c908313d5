package suite

import (
	"context"
	"time"

	"github.com/crosspoint-kernels/crosspoint/backends"
)

// Ringtail's parameters (sign/config.go of daryakaviani/ringtail), of which the
// counts of Round 1 follow: Dbar+1 columns of M+Nvec sampled polynomials, each
// transformed and put into Montgomery form, and the product of the public M by
// Nvec matrix with the Nvec by Dbar+1 part of them, in 8·7·49 = 2,744
// multiply-accumulates.
const (
	ringtailM    = 8
	ringtailNvec = 7
	ringtailDbar = 48

	columns = ringtailDbar + 1
	rowsR   = ringtailNvec * columns // 343
	rowsE   = ringtailM * columns    // 392, and of the result too

	// PaperTransforms is the paper's count per signature, M·Nvec·Dbar.
	PaperTransforms = ringtailM * ringtailNvec * ringtailDbar // 2,688
	// Round1Transforms is the number of forward transforms of one party in
	// Round 1, and of conversions to Montgomery form.
	Round1Transforms = rowsR + rowsE // 735
)

// Profile is where the time of a whole Round 1 went in an implementation and on
// a machine that are not under test here.
type Profile struct {
	Source, Machine string
	Wall            time.Duration
	// Fractions of Wall.
	NTT, MForm, MatMul float64
}

// Round1Profile is a CPU profile of one party's Round 1 in Go. What is left
// beside the three fractions is sampling and hashing, which no transform speeds up.
func Round1Profile() Profile {
	return Profile{
		Source:  "daryakaviani/ringtail 1e181c3 with lattigo v5.0.2, Go 1.26.8",
		Machine: "2 vCPUs of an AMD EPYC",
		Wall:    44900 * time.Microsecond,
		NTT:     0.054, MForm: 0.016, MatMul: 0.058,
	}
}

// Ring is the fraction of Round 1 that is arithmetic in the ring.
func (p Profile) Ring() float64 { return p.NTT + p.MForm + p.MatMul }

// Rest is the time of Round 1 without the arithmetic in the ring.
func (p Profile) Rest() time.Duration { return time.Duration(float64(p.Wall) * (1 - p.Ring())) }

// Share is the fraction of Round 1 that arithmetic in the ring would be if it
// took ns nanoseconds and all else took Rest, as it does on the profile's machine.
func (p Profile) Share(ns float64) float64 { return ns / (ns + float64(p.Rest())) }

// round1 is the arithmetic of Round 1 for k parties or signatures at once, as one
// chain on resident rows: C = E + A·R with all of R and E transformed and in
// Montgomery form. A is public and the same for all, so it is uploaded once. R
// is 7 by 49k polynomials, E and C are 8 by 49k.
type round1 struct {
	*data          // R and E are rows [0, 343k) and [343k, 735k) of data.a
	a     []uint64 // A: 8 by 7 polynomials, transforms in Montgomery form
	right []uint64 // C for rightK parties
	k     int
}

func newRound1(d *data) *round1 {
	return &round1{data: d, a: randomRows(ringtailM*ringtailNvec*d.ring.N(), d.ring.Q(), d.seed+1)}
}

func (w *round1) trial(ctx context.Context, e *entrant, k int) (trial, error) {
	t := &chain{round1: w, parties: k}
	if err := allocate(e.plan, ringtailM*ringtailNvec, &t.matrix); err != nil {
		return nil, err
	}
	err := t.matrix.Write(ctx, 0, w.a)
	if err == nil {
		err = allocate(e.plan, rowsR*k, &t.r)
	}
	if err == nil {
		err = allocate(e.plan, rowsE*k, &t.e)
	}
	if err != nil {
		t.release()
		return nil, err
	}
	return t, nil
}

// reference returns C for k parties by the scalar reference.
func (w *round1) reference(k int) ([]uint64, error) {
	if w.k == k {
		return w.right, nil
	}
	ring := w.ring
	x := make([]uint64, Round1Transforms*k*ring.N())
	if err := ring.Forward(x, w.span(w.data.a, 0, Round1Transforms*k)); err != nil {
		return nil, err
	}
	if err := ring.MForm(x, x); err != nil {
		return nil, err
	}
	r, c := w.span(x, 0, rowsR*k), w.span(x, rowsR*k, Round1Transforms*k)
	width := columns * k
	for i := range ringtailM {
		for l := range ringtailNvec {
			a := w.span(w.a, i*ringtailNvec+l, i*ringtailNvec+l+1)
			for j := range width {
				cell := w.span(c, i*width+j, i*width+j+1)
				if err := ring.MulAddMont(cell, a, w.span(r, l*width+j, l*width+j+1)); err != nil {
					return nil, err
				}
			}
		}
	}
	w.right, w.k = c, k
	return c, nil
}

// chain is round1 on one contestant.
type chain struct {
	*round1
	parties      int
	matrix, r, e backends.Batch
}

func (t *chain) result() []uint64 { return t.span(t.dst, 0, rowsE*t.parties) }

// run crosses the bus once each way: R and E up, C down.
func (t *chain) run(ctx context.Context) error {
	nr, ne := rowsR*t.parties, rowsE*t.parties
	for _, step := range []func() error{
		func() error { return t.r.Write(ctx, 0, t.span(t.data.a, 0, nr)) },
		func() error { return t.e.Write(ctx, 0, t.span(t.data.a, nr, nr+ne)) },
		func() error { return t.r.Forward(ctx, 0, nr) },
		func() error { return t.e.Forward(ctx, 0, ne) },
		func() error { return t.r.MForm(ctx, 0, nr) },
		func() error { return t.e.MForm(ctx, 0, ne) },
		func() error {
			return t.e.MatMulAddMont(ctx, t.matrix, t.r, ringtailM, ringtailNvec, columns*t.parties)
		},
		func() error { return t.e.Read(ctx, 0, t.result()) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func (t *chain) verify(ctx context.Context) error {
	poison(t.result())
	if err := t.run(ctx); err != nil {
		return err
	}
	want, err := t.reference(t.parties)
	if err != nil {
		return err
	}
	if m := difference(t.ring, t.result(), want); m != nil {
		m.Op, m.Seed = "Round 1 chain", t.seed
		return m
	}
	return nil
}

func (t *chain) release() { release(&t.matrix, &t.r, &t.e) }
