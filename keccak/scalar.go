package keccak

import "context"

// Scalar returns the Hasher that every other is checked against: one message
// after another, on the caller's goroutine. It holds nothing, so that Close
// does nothing.
func Scalar() Hasher { return scalar{} }

type scalar struct{}

func (scalar) Close() error { return nil }

// stride is how many bytes of messages are hashed between two looks at the
// context; a message counts as one block at least.
const stride = 1 << 16

func (scalar) Sum256(ctx context.Context, dst [][32]byte, m Messages) error {
	if err := CheckSum256(dst, m); err != nil {
		return &Error{Op: "sum256", Err: err}
	}
	budget := 0
	for i := range dst {
		msg := m.At(i)
		if budget -= len(msg) + rate256; budget < 0 {
			if err := ctx.Err(); err != nil {
				return &Error{Op: "sum256", Done: i, Err: err}
			}
			budget = stride
		}
		sum(&dst[i], msg, domainKeccak)
	}
	return nil
}

func (scalar) SumFixed(ctx context.Context, dst [][32]byte, data []byte, width int) error {
	if err := CheckSumFixed(dst, data, width); err != nil {
		return &Error{Op: "sumfixed", Err: err}
	}
	budget := 0
	for i := range dst {
		if budget -= width + rate256; budget < 0 {
			if err := ctx.Err(); err != nil {
				return &Error{Op: "sumfixed", Done: i, Err: err}
			}
			budget = stride
		}
		sum(&dst[i], data[i*width:(i+1)*width], domainKeccak)
	}
	return nil
}
