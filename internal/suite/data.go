package suite

import "github.com/crosspoint-kernels/crosspoint/ntt"

// data are the buffers of one run, made once for its largest size. Contestants
// share them, and never run at the same time.
type data struct {
	ring *ntt.Ring
	seed uint64
	op   Op
	a    []uint64 // operand, or source of a transform
	b, c []uint64 // second operand and initial value of MulAdd; nil else
	dst  []uint64
	want []uint64 // a block of reference rows
}

// blockRows is how many rows the reference computes at a time: enough to make
// the calls cheap, few enough to stay in cache and to need no third buffer.
const blockRows = 64

func newData(r *ntt.Ring, op Op, rows int, seed uint64) *data {
	n := rows * r.N()
	d := &data{ring: r, seed: seed, op: op, a: randomRows(n, r.Q(), seed), dst: make([]uint64, n)}
	if op == MulAdd {
		d.b = randomRows(n, r.Q(), seed+1)
		d.c = randomRows(n, r.Q(), seed+2)
	}
	d.want = make([]uint64, min(rows, blockRows)*r.N())
	return d
}

// span returns rows [from, to) of s, or nil for nil.
func (d *data) span(s []uint64, from, to int) []uint64 {
	if s == nil {
		return nil
	}
	return s[from*d.ring.N() : to*d.ring.N()]
}

// begin puts the destination into the state that a check starts from, and
// returns its first rows.
func (d *data) begin(rows int) []uint64 {
	dst := d.span(d.dst, 0, rows)
	if d.op == MulAdd {
		copy(dst, d.c)
	} else {
		poison(dst)
	}
	return dst
}

// reference writes rows [from, to) of the right result to d.want.
func (d *data) reference(from, to int) ([]uint64, error) {
	want := d.span(d.want, 0, to-from)
	if d.op == MulAdd {
		copy(want, d.span(d.c, from, to))
	}
	return want, d.op.onRing(d.ring, want, d.span(d.a, from, to), d.span(d.b, from, to))
}

// check compares got, whole rows from row 0 on, with the reference. The error is
// a *MismatchError without the contestant's name.
func (d *data) check(got []uint64) error {
	rows := len(got) / d.ring.N()
	for from := 0; from < rows; from += blockRows {
		to := min(from+blockRows, rows)
		want, err := d.reference(from, to)
		if err != nil {
			return err
		}
		if m := difference(d.ring, d.span(got, from, to), want); m != nil {
			m.Op, m.Seed, m.Batch, m.Row = d.op.reportName(), d.seed, rows, m.Row+from
			return m
		}
	}
	return nil
}

// difference returns where got first differs from want, equally long, or nil.
func difference(r *ntt.Ring, got, want []uint64) *MismatchError {
	for i := range want {
		if got[i] != want[i] {
			return &MismatchError{Ring: r, Row: i / r.N(), Coefficient: i % r.N(), Got: got[i], Want: want[i]}
		}
	}
	return nil
}
