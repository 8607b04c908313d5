package device

import (
	"github.com/crosspoint-kernels/crosspoint/gpu"
)

// slot is the device memory of one chunk in flight: a buffer for each operand
// and a binding for each operation, made when first needed and kept.
type slot struct {
	rows     int // that each buffer holds
	data     [3]gpu.Buffer
	bindings [opCount]gpu.Binding
	scratch  []byte // for packing

	// What Submit is given, here so that a submission allocates nothing.
	dispatches [1]gpu.Dispatch
	reads      [1]gpu.Range
}

func (s *slot) capacity() int { return s.rows }

// prepare makes the slot fit for rows of operation o. After an error the slot
// is sound, but may hold less than before.
func (s *slot) prepare(dev gpu.Device, e *engine, o op, rows int, wipe bool) error {
	if s.rows < rows {
		s.release(wipe)
		s.rows = e.slotRows(rows)
	}
	n := operations[o].operands
	operands := s.data[:n:n] // bind appends to it
	for i := range operands {
		if operands[i] != nil {
			continue
		}
		b, err := dev.NewBuffer("rows", s.rows*e.rowBytes)
		if err != nil {
			return err
		}
		operands[i] = b
	}
	if s.bindings[o] != nil {
		return nil
	}
	b, err := e.bind(dev, o, operands...)
	if err != nil {
		return err
	}
	s.bindings[o] = b
	return nil
}

// release gives the slot's memory back; that of the host is zeroed first if wipe
// is set. A device zeroes its own: see Config.
func (s *slot) release(wipe bool) {
	for i, b := range s.bindings {
		if b != nil {
			b.Release()
			s.bindings[i] = nil
		}
	}
	for i, b := range s.data {
		if b != nil {
			b.Release()
			s.data[i] = nil
		}
	}
	if wipe {
		clear(s.scratch)
	}
	s.scratch, s.rows = nil, 0
}
