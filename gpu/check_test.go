package gpu

import (
	"errors"
	"math"
	"testing"
)

type stub struct{ Buffer }

// TestChecks has each check at its limits, and one past them.
func TestChecks(t *testing.T) {
	l := Limits{MaxBufferSize: 64, MaxGroups: 7, MaxGroupSize: 12, MaxGroupMemory: 64, MaxBindings: 3}
	size := func(n int) error { return CheckSize("op", "b", n, l) }
	write := func(off, n int) error { return CheckWrite("op", "b", off, n, 64) }
	read := func(off, n int) error { return CheckRead("op", 1, Range{Off: off, Size: n}, 64) }
	source := func(x, y, z uint32, access ...Access) error {
		return CheckSource("op", Source{Access: access, GroupSize: [3]uint32{x, y, z}}, l)
	}
	extra := func(constants, memory int) error {
		src := Source{GroupSize: [3]uint32{1, 1, 1}, Constants: make([]byte, constants), GroupMemory: memory}
		return CheckSource("op", src, l)
	}
	bare := func(constants, memory int) error {
		return CheckBare("op", Source{Constants: make([]byte, constants), GroupMemory: memory})
	}
	a, b := &stub{}, &stub{nil}
	b.Buffer = a
	buffers := func(access []Access, bs ...Buffer) error { return CheckBuffers("op", "k", access, bs) }
	groups := func(x, y, z uint32) error { return CheckGroups("op", "k", [3]uint32{x, y, z}, l) }
	rrw := []Access{ReadOnly, ReadOnly, ReadWrite}
	for i, c := range []struct{ err, want error }{
		{size(4), nil}, {size(64), nil}, {size(68), ErrLimit}, {size(math.MaxInt &^ 3), ErrLimit},
		{size(0), ErrArgument}, {size(-4), ErrArgument}, {size(6), ErrArgument}, {size(math.MinInt), ErrArgument},

		{write(0, 64), nil}, {write(64, 0), nil}, {write(60, 4), nil}, {write(60, 8), ErrArgument}, {write(68, 0), ErrArgument},
		{write(-4, 4), ErrArgument}, {write(2, 4), ErrArgument}, {write(4, 2), ErrArgument}, {write(math.MaxInt&^3, 8), ErrArgument},

		{read(0, 64), nil}, {read(64, 0), nil}, {read(56, 16), ErrArgument}, {read(4, 8), ErrArgument}, {read(8, 4), ErrArgument},
		{read(8, -8), ErrArgument}, {read(-8, 8), ErrArgument}, {read(8, math.MaxInt&^7), ErrArgument}, {read(math.MinInt, 8), ErrArgument},

		{source(3, 2, 2, rrw...), nil}, {source(12, 1, 1), nil}, {source(13, 1, 1), ErrLimit}, {source(3, 5, 1), ErrLimit},
		{source(1<<31, 2, 1), ErrLimit}, {source(math.MaxUint32, math.MaxUint32, math.MaxUint32), ErrLimit},
		{source(1, 0, 1), ErrArgument}, {source(1, 1, 1, 0, 0, 0, 0), ErrLimit}, {source(1, 1, 1, -1), ErrArgument}, {source(1, 1, 1, 2), ErrArgument},

		{extra(4096, 64), nil}, {extra(4104, 0), ErrLimit}, {extra(4, 0), ErrArgument}, {extra(0, 80), ErrLimit},
		{extra(0, 8), ErrArgument}, {extra(0, -16), ErrArgument}, {extra(0, math.MinInt), ErrArgument},
		{bare(0, 0), nil}, {bare(8, 0), ErrArgument}, {bare(0, 16), ErrArgument}, {bare(0, -1), ErrArgument},

		{buffers(rrw, a, a, b), nil}, {buffers(nil), nil}, {buffers(rrw, a, b), ErrArgument}, {buffers(rrw, a, a, b, b), ErrArgument},
		{buffers(rrw, a, b, b), ErrArgument}, {buffers(rrw, b, a, b), ErrArgument}, {buffers([]Access{ReadWrite, ReadOnly}, a, a), ErrArgument},

		{groups(1, 7, 7), nil}, {groups(8, 1, 1), ErrLimit}, {groups(1, 1, 8), ErrLimit}, {groups(1, 0, 1), ErrArgument},
	} {
		var e *Error
		if !errors.Is(c.err, c.want) || c.want != nil && (!errors.As(c.err, &e) || e.Op != "op" || e.Detail == "") {
			t.Errorf("row %d: got %v, want %v", i, c.err, c.want)
		}
	}
}
