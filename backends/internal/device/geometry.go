package device

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/crosspoint-kernels/crosspoint/gpu"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// chunkBytes bounds the data of one submission, per operand: 1,024 Pulsar rows.
//
// Small chunks let the host check, pack and unpack some while the device computes
// another: from the third on all of it overlaps. They must only be large beside
// what a submission costs. On lavapipe the size hardly matters: chunks of 512,
// 1,024, 2,048 and 4,096 rows and one of all 65,536 took 2.7, 2.6, 2.5, 2.5 and
// 2.6 µs per row (BenchmarkForward/ring=pulsar/rows=65536 of backends/wgsl with
// this constant changed, the least of five runs in turns, 2 busy vCPUs of an AMD
// EPYC). A chunk also stays below the default limit of a binding, which is exactly
// 65,536 Pulsar rows.
const chunkBytes = 2 << 20

// maxItems bounds the rows and coefficients of a dispatch, so that an index of
// a kernel, and of the idle groups after its last, stays within 32 bits.
const maxItems = 1 << 30

// layout says how the rows of one ring lie in device memory.
type layout struct {
	ring      *ntt.Ring
	rowBytes  int
	direct    bool // a row has the same bytes in Go's memory
	maxRows   int  // that one buffer holds
	chunkRows int  // of one submission, at most
}

// newLayout returns the layout of rows of word-byte coefficients under the
// device's limits. A chunk of 0 rows stands for as many as chunkBytes holds.
func newLayout(r *ntt.Ring, word, chunk int, l gpu.Limits) (layout, error) {
	rowBytes := r.N() * word
	lay := layout{
		ring:     r,
		rowBytes: rowBytes,
		direct:   word == 8 && littleEndian(),
		maxRows:  min(l.MaxBufferSize/rowBytes, maxItems/r.N()),
	}
	if lay.maxRows == 0 {
		return layout{}, fmt.Errorf("%w: a row takes %d bytes, a buffer %d", gpu.ErrLimit, rowBytes, l.MaxBufferSize)
	}
	if chunk == 0 {
		chunk = max(1, chunkBytes/rowBytes)
	}
	lay.chunkRows = min(chunk, lay.maxRows)
	return lay, nil
}

// slotRows returns the size of a slot for that many rows: the next power of two,
// but no more than a chunk.
func (l *layout) slotRows(rows int) int {
	return min(1<<bits.Len(uint(rows-1)), l.chunkRows)
}

// grid returns the groups that cover count items, perGroup in each, with at most
// limit groups per dimension. It spreads them evenly over as few rows as the
// limit allows: filling each row would leave almost half of the groups idle at
// limit+1. The error wraps gpu.ErrLimit.
func grid(count, perGroup int, limit uint32) ([3]uint32, error) {
	if count < 1 || perGroup < 1 || limit < 1 {
		return [3]uint32{}, fmt.Errorf("%w: no grid for %d items, %d per group, at most %d groups",
			gpu.ErrLimit, count, perGroup, limit)
	}
	groups := ceilDiv(uint64(count), uint64(perGroup))
	y := ceilDiv(groups, uint64(limit))
	x := ceilDiv(groups, y)
	// The kernels' indices are 32 bits wide, also in the idle groups.
	if hi, last := bits.Mul64(x*y, uint64(perGroup)); count > maxItems || y > uint64(limit) || hi > 0 || last > math.MaxUint32 {
		return [3]uint32{}, fmt.Errorf("%w: %d items, %d per group, need more than %d×%d groups or 32-bit indices",
			gpu.ErrLimit, count, perGroup, limit, limit)
	}
	return [3]uint32{uint32(x), uint32(y), 1}, nil
}

func ceilDiv(a, b uint64) uint64 { return (a + b - 1) / b }
