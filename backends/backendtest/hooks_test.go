package backendtest

import (
	"errors"
	"math/bits"
	"slices"
	"sync/atomic"
	"time"

	"github.com/crosspoint-kernels/crosspoint/kat"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// after returns a hook that spoils the result of a call that succeeded.
func after(spoil func(c call)) func(call) error {
	return func(c call) error {
		err := c.good()
		if err == nil {
			spoil(c)
		}
		return err
	}
}

// rangeError returns a hook that changes an *ntt.RangeError.
func rangeError(change func(e *ntt.RangeError)) func(call) error {
	return func(c call) error {
		err := c.good()
		var e *ntt.RangeError
		if errors.As(err, &e) {
			change(e)
		}
		return err
	}
}

// swappedTwiddles is a forward transform with the first two factors of its last
// stage exchanged.
func swappedTwiddles(c call) error {
	if c.op.Op != kat.Forward {
		return c.good()
	}
	src := slices.Clone(c.a)
	if err := c.good(); err != nil {
		return err
	}
	r := c.plan.Ring()
	roots := r.Roots()
	roots[r.N()/2], roots[r.N()/2+1] = roots[r.N()/2+1], roots[r.N()/2]
	for row := range slices.Chunk(src, r.N()) {
		forward(row, roots, r.Q())
	}
	copy(c.dst, src)
	return nil
}

// forward is the textbook transform of one row.
func forward(a, roots []uint64, q uint64) {
	n := len(a)
	for m, t := 1, n/2; m < n; m, t = 2*m, t/2 {
		for i := range m {
			for j := 2 * i * t; j < 2*i*t+t; j++ {
				hi, lo := bits.Mul64(a[j+t], roots[m+i])
				_, v := bits.Div64(hi, lo, q)
				a[j], a[j+t] = (a[j]+v)%q, (a[j]+q-v)%q
			}
		}
	}
}

func lastRowLeftOut(c call) error {
	rows, n := c.rows()
	if rows <= chunkRows {
		return c.good()
	}
	last := slices.Clone(c.dst[len(c.dst)-n:])
	err := c.good()
	if err == nil {
		copy(c.dst[len(c.dst)-n:], last)
	}
	return err
}

// staleRow keeps a device's buffer from call to call, and reads one row too few
// back into it.
func staleRow() func(call) error {
	var buffer []uint64
	return func(c call) error {
		err := c.good()
		if rows, n := c.rows(); err == nil && rows > 1 {
			fresh := slices.Clone(c.dst)
			if len(buffer) >= len(c.dst) {
				copy(c.dst[len(c.dst)-n:], buffer[len(c.dst)-n:])
			}
			buffer = fresh
		}
		return err
	}
}

// sharedScratch spoils calls that run while another one does.
func sharedScratch() func(call) error {
	var inFlight atomic.Int32
	return func(c call) error {
		inFlight.Add(1)
		defer inFlight.Add(-1)
		time.Sleep(time.Millisecond)
		err := c.good()
		if inFlight.Load() > 1 && len(c.dst) > 0 {
			c.dst[0] ^= 1
		}
		return err
	}
}

func cutTo32(c call) error {
	if c.plan.Ring().Bits() > 31 {
		return c.good()
	}
	for _, s := range [][]uint64{c.a, c.b} {
		for i := range s {
			s[i] &= 1<<32 - 1
		}
	}
	return c.good()
}
