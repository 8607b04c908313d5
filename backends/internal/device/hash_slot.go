package device

import (
	"encoding/binary"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

// minSlot is the least capacity of a slot in bytes: a state fits its digests.
const minSlot = 256

// hashSlot is the device memory of one call of a hasher. A call needs no second
// one to keep several chunks in flight: what is written to a buffer takes effect
// after the work that was submitted before, and results are read into memory of
// their own.
type hashSlot struct {
	bytes                 int // of messages in data, and of digests
	digests, data, places gpu.Buffer
	hash, stream          gpu.Binding
	tree                  tree

	order  []byte   // places on the host
	counts []uint32 // of messages by their number of blocks
	end    [4]byte  // the last bytes of an upload

	// What Submit is given, here so that a submission allocates nothing.
	dispatches [gpu.MaxDispatches]gpu.Dispatch
	n          int // dispatches
	reads      [1]gpu.Range
}

func (s *hashSlot) capacity() int { return s.bytes }

// prepare makes the slot fit for that many bytes of messages and of digests.
// After an error the slot is sound, but may hold less than before.
func (s *hashSlot) prepare(dev gpu.Device, e *hashEngine, need int) (err error) {
	if s.bytes >= need {
		return nil
	}
	s.free()
	n := e.slotBytes(need)
	if s.digests, err = dev.NewBuffer("digests", n); err == nil {
		s.data, err = dev.NewBuffer("messages", e.head+n+e.tail)
	}
	if err == nil {
		s.places, err = dev.NewBuffer("places", 4*(2*n/nodeBytes+1))
	}
	if err == nil {
		s.hash, err = dev.Bind(e.hash, s.digests, s.data, s.places)
	}
	if err == nil {
		s.stream, err = dev.Bind(e.stream, s.digests, s.data)
	}
	if err != nil {
		s.free()
		return err
	}
	s.bytes = n
	return nil
}

// release gives the slot's memory back; that of the host is zeroed first if wipe
// is set. A device zeroes its own: see Config. Besides the end of an upload the
// host keeps no part of a message, only lengths.
func (s *hashSlot) release(wipe bool) {
	s.free()
	if wipe {
		s.end = [4]byte{}
	}
}

// free gives the memory of the device back.
func (s *hashSlot) free() {
	s.tree.free()
	for _, b := range []*gpu.Binding{&s.hash, &s.stream} {
		if *b != nil {
			(*b).Release()
			*b = nil
		}
	}
	for _, b := range []*gpu.Buffer{&s.digests, &s.data, &s.places} {
		if *b != nil {
			(*b).Release()
			*b = nil
		}
	}
	s.bytes = 0
}

// upload copies p to the start of data. It takes whole words, so that the last
// ones of an odd length go by themselves.
func (s *hashSlot) upload(e *hashEngine, p []byte) error {
	whole := len(p) &^ 3
	if whole > 0 {
		if err := s.data.Write(e.head, p[:whole]); err != nil {
			return err
		}
	}
	if whole == len(p) {
		return nil
	}
	s.end = [4]byte{}
	copy(s.end[:], p[whole:])
	return s.data.Write(e.head+whole, s.end[:])
}

// place uploads the places of the messages between the offsets. Messages of
// most blocks come first, and those of equally many together, so that a group's
// invocations end together and the last groups are the short ones. It is a
// counting sort: lengths are no secret.
func (s *hashSlot) place(e *hashEngine, off []uint32) error {
	n := len(off) - 1
	if len(s.order) < 4*(2*n+1) {
		s.order = make([]byte, 4*(2*s.bytes/nodeBytes+1))
	}
	if len(s.counts) < e.blocks {
		s.counts = make([]uint32, e.blocks)
	}
	blocks := func(i int) uint32 { return (off[i+1] - off[i]) / rate } // but for the last one
	clear(s.counts)
	for i := range n {
		s.counts[blocks(i)]++
	}
	next := uint32(0)
	for b := len(s.counts) - 1; b >= 0; b-- {
		s.counts[b], next = next, next+s.counts[b]
	}
	for i := range n {
		at := &s.counts[blocks(i)]
		binary.LittleEndian.PutUint32(s.order[4**at:], uint32(i))
		*at++
	}
	for i, o := range off {
		binary.LittleEndian.PutUint32(s.order[4*(n+i):], o-off[0])
	}
	return s.places.Write(0, s.order[:4*(2*n+1)])
}

// add appends a dispatch to the next submission, which has room for it.
func (s *hashSlot) add(d gpu.Dispatch) {
	s.dispatches[s.n] = d
	s.n++
}

// submit submits what was added, and a read of n digests of b from first on,
// unless n is 0.
func (s *hashSlot) submit(dev gpu.Device, b gpu.Buffer, first, n int) (gpu.Pending, error) {
	w := gpu.Work{Dispatches: s.dispatches[:s.n]}
	if n > 0 {
		s.reads[0] = gpu.Range{Buffer: b, Off: first * nodeBytes, Size: n * nodeBytes}
		w.Reads = s.reads[:]
	}
	s.n = 0
	return dev.Submit(w)
}
