package gputest

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

func TestFakeFails(t *testing.T) {
	planned := errors.New("planned")
	f := NewFake(DefaultLimits(), nil)
	b, err := f.NewBuffer("b", 8)
	require.NoError(t, err)
	k, err := f.NewKernel(WGSL().Affine)
	require.NoError(t, err)
	p, err := f.Submit(gpu.Work{})
	require.NoError(t, err)

	for op, call := range map[Op]func() error{
		OpNewBuffer: func() error { _, err := f.NewBuffer("x", 4); return err },
		OpNewKernel: func() error { _, err := f.NewKernel(WGSL().Affine); return err },
		OpBind:      func() error { _, err := f.Bind(k, b); return err },
		OpWrite:     func() error { return b.Write(0, make([]byte, 4)) },
		OpClear:     b.Clear,
		OpSubmit:    func() error { _, err := f.Submit(gpu.Work{}); return err },
		OpWait:      func() error { return p.Wait(context.Background()) },
	} {
		before, calls := f.Counts(), f.Calls(op)
		f.Fail(op, 1, planned)
		f.Fail(op, 3, planned)
		require.Equal(t, planned, call(), op)
		require.Equal(t, before, f.Counts(), "%s: a failed call has no effect", op)
		require.NoError(t, call(), op)
		require.Equal(t, planned, call(), op)
		require.NoError(t, call(), op)
		require.Equal(t, calls+4, f.Calls(op))
	}
}

func TestFakeCounts(t *testing.T) {
	double := func(b [][]byte, _ [gpu.ParamWords]uint32, groups [3]uint32) {
		for i := range int(groups[0]) {
			setWord(b[0], i, 2*word(b[0], i))
		}
	}
	f := NewFake(DefaultLimits(), map[string]Func{"mine/main": double})
	b, err := f.NewBuffer("b", 64)
	require.NoError(t, err)
	k, err := f.NewKernel(gpu.Source{
		Name: "mine", Entry: "main", Access: []gpu.Access{gpu.ReadWrite}, GroupSize: [3]uint32{1, 1, 1},
	})
	require.NoError(t, err)
	bind, err := f.Bind(k, b)
	require.NoError(t, err)
	require.NoError(t, b.Write(0, pack(16, func(i int) uint32 { return uint32(i) })))
	p, err := f.Submit(gpu.Work{
		Dispatches: []gpu.Dispatch{{Binding: bind, Groups: [3]uint32{16, 1, 1}}},
		Reads:      []gpu.Range{{Buffer: b, Off: 8, Size: 16}},
	})
	require.NoError(t, err)
	require.Nil(t, p.View(0), "before Wait")
	require.NoError(t, p.Wait(context.Background()))
	require.NoError(t, compare("doubled", p.View(0), 4, func(i int) uint32 { return 2 * uint32(i+2) }))
	require.Equal(t, Counts{
		LiveBuffers: 1, LiveKernels: 1, LiveBindings: 1, LivePendings: 1,
		NewBuffers: 1, NewKernels: 1, NewBindings: 1, Submissions: 1, Dispatches: 1,
		LiveBytes: 64, WrittenBytes: 64, ReadBytes: 16,
	}, f.Counts())
	for range 2 { // the second time does nothing
		p.Release()
		bind.Release()
		k.Release()
		b.Release()
	}
	require.Equal(t, Counts{
		NewBuffers: 1, NewKernels: 1, NewBindings: 1, Submissions: 1, Dispatches: 1,
		WrittenBytes: 64, ReadBytes: 16,
	}, f.Counts())
}
