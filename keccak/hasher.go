package keccak

import (
	"context"
	"fmt"
	"unsafe"
)

// Hasher is Keccak-256 of many messages at once. Every Hasher gives the same
// digests; they differ in speed. A Hasher is safe for concurrent use.
//
// dst is as long as there are messages and does not overlap their bytes; a call
// that breaks this fails with a *ShapeError before it writes anything. A call
// that fails later, because ctx is done or a device is lost, leaves digests
// [0, Done) final and the rest of dst untouched, where Done is that of the
// *Error. Messages may be empty, and there may be none of them.
type Hasher interface {
	// Sum256 sets dst[i] to the Keccak-256 of message i.
	Sum256(ctx context.Context, dst [][32]byte, m Messages) error
	// SumFixed sets dst[i] to the Keccak-256 of data[i*width:(i+1)*width]. A
	// width of 0 is len(dst) empty messages.
	SumFixed(ctx context.Context, dst [][32]byte, data []byte, width int) error
	// Close frees what the Hasher holds. A Hasher that holds anything answers
	// later calls with ErrClosed. Closing twice is no error.
	Close() error
}

// TreeHasher is implemented by a Hasher that computes a Merkle root without
// taking the levels of the tree through the caller's memory.
//
// The tree is RFC 6962's in shape: a leaf is Keccak-256(0x00 ‖ leaf), a node
// Keccak-256(0x01 ‖ left ‖ right), the last node of a level with an odd number
// of them is promoted to the next as it is, and the root of no leaves is
// Keccak-256 of nothing. Leaf i is leaves[i*width:(i+1)*width]; width is at
// least 1, because the number of leaves of no bytes could not be told. Errors,
// cancellation and concurrency are those of a Hasher, but that there is no Done.
type TreeHasher interface {
	MerkleRoot(ctx context.Context, leaves []byte, width int) ([32]byte, error)
}

// CheckSum256 returns a *ShapeError unless dst and m are what Hasher.Sum256
// asks for.
func CheckSum256(dst [][32]byte, m Messages) error {
	if err := m.Check(); err != nil {
		return err
	}
	return checkDst(dst, m.Len(), m.Data)
}

// CheckSumFixed returns a *ShapeError unless dst, data and width are what
// Hasher.SumFixed asks for.
func CheckSumFixed(dst [][32]byte, data []byte, width int) error {
	if width < 0 {
		return &ShapeError{"width", fmt.Sprintf("%d is negative", width)}
	}
	if width == 0 {
		if len(data) != 0 {
			return &ShapeError{"data", fmt.Sprintf("%d bytes for messages of width 0", len(data))}
		}
		return nil
	}
	if len(data)%width != 0 {
		return &ShapeError{"data", fmt.Sprintf("length %d is no multiple of width %d", len(data), width)}
	}
	return checkDst(dst, len(data)/width, data)
}

func checkDst(dst [][32]byte, messages int, data []byte) error {
	if len(dst) != messages {
		return &ShapeError{"dst", fmt.Sprintf("length %d differs from the number of messages %d", len(dst), messages)}
	}
	if len(dst) != 0 && len(data) != 0 {
		d, s := uintptr(unsafe.Pointer(&dst[0])), uintptr(unsafe.Pointer(&data[0]))
		if d < s+uintptr(len(data)) && s < d+32*uintptr(len(dst)) {
			return &ShapeError{"dst", "overlaps data"}
		}
	}
	return nil
}
