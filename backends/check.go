package backends

import (
	"fmt"

	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// The checks below are for the packages that implement a Backend, so that each
// refuses the same calls in the same words.

// CheckCount returns an *ntt.ShapeError for a negative number of rows.
func CheckCount(rows int) error {
	if rows < 0 {
		return &ntt.ShapeError{Arg: "rows", Reason: fmt.Sprintf("%d is negative", rows)}
	}
	return nil
}

// CheckBatch checks the number of rows of a batch that is to be made, or that
// Supports is asked about. A negative one is an *ntt.ShapeError; one beyond most,
// what holder holds of rows of that many bytes, wraps ErrUnsupported.
func CheckBatch(rows, most, rowBytes int, holder string) error {
	if rows > most {
		return fmt.Errorf("%w: a batch of %d rows; %s holds %d of %d bytes each", ErrUnsupported, rows, holder, most, rowBytes)
	}
	return CheckCount(rows)
}

// CheckRows returns an *ntt.ShapeError unless rows [row, row+n) lie within a
// batch of total rows.
func CheckRows(row, n, total int) error {
	if row < 0 || n < 0 || row > total || n > total-row {
		return &ntt.ShapeError{Arg: "row", Reason: fmt.Sprintf("%d rows from %d on are not within %d", n, row, total)}
	}
	return nil
}

// CheckProduct returns an *ntt.ShapeError unless an m by n batch of c rows can
// take the product of an m by k matrix in a batch of a rows and a k by n matrix
// in one of b rows.
func CheckProduct(m, k, n, c, a, b int) error {
	if !fits(m, n, c) || !fits(m, k, a) || !fits(k, n, b) {
		return &ntt.ShapeError{Arg: "m, k, n",
			Reason: fmt.Sprintf("%d×%d by %d×%d into %d×%d does not fit batches of %d, %d and %d rows", m, k, k, n, m, n, a, b, c)}
	}
	return nil
}

// fits reports whether x, y and x*y are from 0 to rows, without overflow; a
// factor may be larger than rows only where the other is 0.
func fits(x, y, rows int) bool {
	if x < 0 || y < 0 {
		return false
	}
	return x == 0 || y == 0 || x <= rows/y
}
