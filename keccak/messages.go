package keccak

import (
	"fmt"
	"math"
)

// Messages is a batch of messages of any lengths, back to back in one slice,
// in the layout that kernels read: message i is Data[Off[i]:Off[i+1]]. Off
// holds one offset more than there are messages, or none at all, ascending and
// within Data; bytes of Data before the first and after the last offset belong
// to no message. The zero value is an empty batch, ready for Append.
type Messages struct {
	Data []byte
	Off  []uint32
}

// Append copies msg to the end of the batch. It returns a *ShapeError, and
// leaves the batch alone, if Data would grow past what an offset can say, or
// holds bytes after the last message.
func (m *Messages) Append(msg []byte) error {
	if n := len(m.Off); n > 0 && uint64(m.Off[n-1]) != uint64(len(m.Data)) {
		return &ShapeError{"off", fmt.Sprintf("ends at %d, not at the %d bytes of data", m.Off[n-1], len(m.Data))}
	}
	if err := checkSize(uint64(len(m.Data)) + uint64(len(msg))); err != nil {
		return err
	}
	if len(m.Off) == 0 {
		m.Off = append(m.Off, uint32(len(m.Data)))
	}
	m.Data = append(m.Data, msg...)
	m.Off = append(m.Off, uint32(len(m.Data)))
	return nil
}

// checkSize returns a *ShapeError if an offset cannot say n, which is so from
// 4 GiB on.
func checkSize(n uint64) error {
	if n > math.MaxUint32 {
		return &ShapeError{"data", fmt.Sprintf("%d bytes are more than the %d that offsets can reach", n, uint32(math.MaxUint32))}
	}
	return nil
}

// At returns message i, which is in [0, Len()), without copying it. The batch
// must be one that Check accepts.
func (m Messages) At(i int) []byte { return m.Data[m.Off[i]:m.Off[i+1]:m.Off[i+1]] }

// Len returns the number of messages.
func (m Messages) Len() int { return max(0, len(m.Off)-1) }

// Reset empties the batch and keeps its memory.
func (m *Messages) Reset() { m.Data, m.Off = m.Data[:0], m.Off[:0] }

// Check returns a *ShapeError unless the offsets ascend (two equal ones are an
// empty message) and lie within Data, which is shorter than 4 GiB.
func (m Messages) Check() error {
	if err := checkSize(uint64(len(m.Data))); err != nil {
		return err
	}
	if len(m.Off) == 0 {
		return nil
	}
	prev := m.Off[0]
	for i, off := range m.Off {
		if off < prev {
			return &ShapeError{"off", fmt.Sprintf("offset %d is %d, below the %d before it", i, off, prev)}
		}
		prev = off
	}
	if uint64(prev) > uint64(len(m.Data)) {
		return &ShapeError{"off", fmt.Sprintf("the last offset is %d, beyond the %d bytes of data", prev, len(m.Data))}
	}
	return nil
}
