package device

import (
	"context"
	"fmt"

	"github.com/crosspoint-kernels/crosspoint/gpu"
	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// inFlight is how many chunks of one call are between submission and read-back:
// one that the device computes, one that the host has packed behind it, so that
// the device never waits for the host to wake up, and one being unpacked.
const inFlight = 3

// flight is a chunk that was submitted.
type flight struct {
	pending gpu.Pending
	slot    *slot // to return to the pool, or nil
	rows    int
}

// sink is where results go: rows of coefficients as the layout has them on the
// device, or digests.
type sink struct {
	layout  *layout // nil for digests
	rows    []uint64
	digests [][keccak.Size]byte
}

// bytes returns the bytes of n rows or digests on the device.
func (s *sink) bytes(n int) int {
	if s.layout == nil {
		return n * keccak.Size
	}
	return n * s.layout.rowBytes
}

// store takes n rows or digests, of which the first has that number, off view.
func (s *sink) store(first, n int, view []byte) {
	if s.layout == nil {
		for i := range s.digests[first : first+n] {
			copy(s.digests[first+i][:], view[i*keccak.Size:])
		}
		return
	}
	degree := s.layout.ring.N()
	s.layout.decode(s.rows[first*degree:(first+n)*degree], view)
}

// receiver takes the results of a call off the device, in the order of the rows
// and only while none has failed.
type receiver struct {
	ctx     context.Context
	pool    *pool[*slot]
	watch   *stopwatch
	sink    sink
	done    int // rows of the sink that are final
	flights [inFlight]flight
	first   int // index of the oldest flight
	n       int // flights
}

func (r *receiver) full() bool { return r.n == inFlight }

// push adds a flight; its rows follow those of the flight before.
func (r *receiver) push(f flight) {
	r.flights[(r.first+r.n)%inFlight] = f
	r.n++
	r.watch.submitted()
}

// finish waits for the oldest flight and stores its rows. If it failed
// the flights behind it are abandoned, because their rows must stay untouched.
func (r *receiver) finish() error {
	f := r.flights[r.first]
	if err := f.pending.Wait(r.ctx); err != nil {
		r.abandon()
		return err
	}
	r.watch.computed()
	view := f.pending.View(0)
	if want := r.sink.bytes(f.rows); len(view) != want {
		r.abandon()
		return fmt.Errorf("%w: it gave back %d bytes of %d", gpu.ErrLost, len(view), want)
	}
	r.sink.store(r.done, f.rows, view)
	r.done += f.rows
	r.pop()
	r.watch.downloaded()
	return nil
}

// drain finishes what is in flight and returns err, that of a chunk behind, or
// the error of a flight, which comes before it.
func (r *receiver) drain(err error) error {
	for r.n > 0 {
		if e := r.finish(); e != nil {
			err = e
		}
	}
	return err
}

// abandon forgets what is in flight. It runs on, but reaches nobody.
func (r *receiver) abandon() {
	for r.n > 0 {
		r.pop()
	}
}

// pop gives back what the oldest flight holds.
func (r *receiver) pop() {
	f := &r.flights[r.first]
	f.pending.Release()
	if f.slot != nil {
		r.pool.put(f.slot)
	}
	*f = flight{}
	r.first = (r.first + 1) % inFlight
	r.n--
}
