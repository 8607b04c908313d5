package auto

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/keccak"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// toDevice sends every call to the device, as long as it is there.
var toDevice = flat(1e6, 1e3)

// lostAfter fails every call of a device after so many rows, as a lost one does.
func lostAfter(done int) func(int) (int, error) {
	return func(n int) (int, error) { return min(done, n), backends.ErrDeviceLost }
}

// A device is lost in every operation, after no row, some and all but one, in place
// and not: the bytes are right, the event is told, and the device left alone.
func TestLostDeviceIsResumedOnTheCPU(t *testing.T) {
	const n = 9
	for o := range op(operations) {
		for _, done := range []int{0, 4, n - 1, n} {
			for _, inPlace := range []bool{false, true} {
				told := []Event{}
				device := newFake("device", 0, nil)
				b := open(t, Options{planted: toDevice, OnEvent: func(e Event) { told = append(told, e) }}, newFake("cpu", 1, nil), device)
				p := planOf(t, b)
				a, x, dst := residues(n), residues(n + 3)[48:], residues(n + 5)[80:]
				if inPlace {
					dst = a
				}
				want := slices.Clone(dst)
				ref := want
				if !inPlace {
					ref = slices.Clone(a)
				}
				require.NoError(t, o.call(t.Context(), p.plans[0], want, ref, x))

				device.set(nil, lostAfter(done))
				var timing backends.Timing
				ctx := backends.WithTiming(t.Context(), func(x backends.Timing) { timing = x })
				require.NoError(t, o.call(ctx, p, dst, a, x))
				require.Equal(t, want, dst, "%v after %d rows", o, done)
				require.Equal(t, n, timing.Rows)
				require.Equal(t, map[int]string{
					0: "cpu [0, 9): resumed", 4: "device [0, 4), cpu [4, 9): resumed",
					8: "device [0, 8), cpu [8, 9): resumed", 9: "device [0, 9): resumed",
				}[done], timing.Route)

				require.Len(t, told, 1)
				require.Equal(t, told, b.Events())
				e := told[0]
				require.Equal(t, Event{When: e.When, Backend: "device", Kind: Lost, Op: o.String(), Rows: n, Done: done, Err: e.Err, Times: 1}, e)
				require.ErrorIs(t, e.Err, backends.ErrDeviceLost)
				require.NotEmpty(t, e.String())

				device.seen()
				require.NoError(t, p.Forward(t.Context(), a, a))
				require.Empty(t, device.seen(), "a lost device is left alone")
				require.Len(t, b.Members(), 1)
				require.Contains(t, b.Info().Driver, "lost")
				require.NoError(t, p.Close())
				again := planOf(t, b)
				require.Nil(t, again.plans[1])
			}
		}
	}
}

// A device that fails without being lost is resumed as well. Without memory it is
// sent smaller calls still, else no calls of that operation.
func TestFailedCallIsResumed(t *testing.T) {
	for _, c := range []struct {
		err     error
		smaller bool
	}{{backends.ErrMemory, true}, {errors.New("a driver's"), false}, {backends.ErrUnsupported, false}} {
		device := newFake("device", 0, nil)
		b := open(t, Options{planted: toDevice, NoSplit: true}, newFake("cpu", 1, nil), device)
		p := planOf(t, b)
		device.set(nil, func(n int) (int, error) {
			if n >= 8 {
				return 3, c.err
			}
			return 0, nil
		})
		s, want := residues(8), residues(8)
		require.NoError(t, p.plans[0].Forward(t.Context(), want, want))
		require.NoError(t, p.Forward(t.Context(), s, s))
		require.Equal(t, want, s)
		require.Len(t, b.Events(), 1)
		require.Equal(t, Failed, b.Events()[0].Kind)
		device.seen()
		require.NoError(t, p.Forward(t.Context(), s, s))
		require.Empty(t, device.seen(), "not again")
		require.NoError(t, p.Forward(t.Context(), s[:16*4], s[:16*4]))
		require.Equal(t, c.smaller, len(device.seen()) == 1)
		require.NoError(t, p.Inverse(t.Context(), s[:16*4], s[:16*4]))
		require.Len(t, device.seen(), 1, "another operation")
		x, err := Explain(p, "forward", 8)
		require.NoError(t, err)
		require.NotEmpty(t, x.Candidates[1].Why)
	}
}

// What is wrong with a call is no failure of a device, and its rows are those of the
// whole call.
func TestWrongCallsAreNoFailures(t *testing.T) {
	device := newFake("device", 0, nil)
	b := open(t, Options{planted: toDevice}, newFake("cpu", 1, nil), device)
	p := planOf(t, b)
	s := residues(9)
	s[7*16+3] = 97
	err := p.Forward(t.Context(), s, s)
	var bad *ntt.RangeError
	require.ErrorAs(t, err, &bad)
	require.Equal(t, ntt.RangeError{Arg: "src", Row: 7, Index: 3}, *bad)
	require.ErrorIs(t, p.Forward(t.Context(), s[1:], s[1:]), backends.ErrShape)
	ctx, cancel := context.WithCancel(t.Context())
	device.set(nil, func(int) (int, error) { cancel(); return 2, context.Canceled })
	s = residues(9)
	err = p.Forward(ctx, s, s)
	require.ErrorIs(t, err, context.Canceled)
	var e *backends.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, backends.Error{Backend: Name, Op: "forward", Done: 2, Err: context.Canceled}, *e)
	require.Empty(t, b.Events())
	require.Len(t, b.Members(), 2)

	// Lost after 4 rows, the coefficient is in row 7 of the call and 3 of the rest.
	device.set(nil, lostAfter(4))
	s = residues(9)
	s[7*16+3] = 97
	f := &run{route: &p.routes.ops[forward], work: &failing{rows{p, forward, s, s, nil}, 4}}
	done, err := f.on(t.Context(), 1, 0, 9)
	require.ErrorAs(t, err, &bad)
	require.Equal(t, 7, bad.Row)
	require.Equal(t, 4, done)
}

// failing is work whose device is lost before it looks at later rows.
type failing struct {
	rows
	done int
}

func (w *failing) part(ctx context.Context, m, from, to int) error {
	if m == 1 {
		if err := w.rows.part(ctx, 0, from, from+w.done); err != nil {
			return err
		}
		return &backends.Error{Backend: "device", Op: "forward", Done: w.done, Err: backends.ErrDeviceLost}
	}
	return w.rows.part(ctx, m, from, to)
}

// An error that does not say how far the call came cannot be resumed.
func TestUnknownProgressIsNotResumed(t *testing.T) {
	b := open(t, Options{planted: toDevice}, newFake("cpu", 1, nil), newFake("device", 0, nil))
	p := planOf(t, b)
	for _, err := range []error{errors.New("untyped"), &backends.Error{Done: 5, Err: backends.ErrMemory}, &backends.Error{Done: -1, Err: backends.ErrMemory}} {
		s := residues(4)
		c := &run{route: &p.routes.ops[forward], work: &silent{rows{p, forward, s, s, nil}, err}}
		_, got := c.on(t.Context(), 1, 0, 4)
		require.ErrorIs(t, got, err)
	}
}

type silent struct {
	rows
	err error
}

func (w *silent) part(context.Context, int, int, int) error { return w.err }

func TestLostHasherIsResumed(t *testing.T) {
	for _, done := range []int{0, 3, 7} {
		device := newFake("device", 0, nil)
		b := open(t, Options{planted: toDevice}, newFake("cpu", 1, nil), device)
		h, err := b.Keccak()
		require.NoError(t, err)
		device.set(nil, lostAfter(done))
		m := keccak.Messages{Data: []byte("bytes that belong to none")}
		m.Off = []uint32{uint32(len(m.Data))}
		want := make([][32]byte, 7)
		for i := range want {
			msg := make([]byte, 3*i)
			require.NoError(t, m.Append(msg))
			want[i] = keccak.Sum256(msg)
		}
		got := make([][32]byte, 7)
		require.NoError(t, h.Sum256(t.Context(), got, m))
		require.Equal(t, want, got)
		require.Len(t, b.Events(), 1)
		require.NoError(t, h.Close())
	}
}

// A tree begins anew: nothing is left of it on a device that is lost.
func TestLostTreeBeginsAnew(t *testing.T) {
	device := newFake("device", 0, nil)
	b := open(t, Options{planted: toDevice, Options: backends.Options{Wipe: true}}, newFake("cpu", 1, nil), device)
	h, err := b.Keccak()
	require.NoError(t, err)
	tree := h.(keccak.TreeHasher)
	leaves := make([]byte, 5*100)
	want, err := tree.MerkleRoot(t.Context(), leaves, 5)
	require.NoError(t, err)
	require.NotEmpty(t, device.seen())
	device.set(nil, lostAfter(2))
	got, err := tree.MerkleRoot(t.Context(), leaves, 5)
	require.NoError(t, err)
	require.Equal(t, want, got)
	require.Equal(t, Lost, b.Events()[0].Kind)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	got, err = tree.MerkleRoot(over, leaves, 5)
	require.ErrorIs(t, err, context.Canceled)
	require.Zero(t, got)
	require.NoError(t, h.Close())
}

// Many calls at once meet a device that is lost: each is right, and it is told once.
func TestLossUnderConcurrentCalls(t *testing.T) {
	device := newFake("device", 0, nil)
	b := open(t, Options{planted: flat(1e6, 1e6)}, newFake("cpu", 1, nil), device)
	p := planOf(t, b)
	want := residues(300)
	require.NoError(t, p.plans[0].Forward(t.Context(), want, want))
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 20 {
				if g == 0 && i == 10 {
					device.set(nil, lostAfter(11))
				}
				s := residues(300)
				if err := p.Forward(context.Background(), s, s); err != nil || !slices.Equal(s, want) {
					t.Errorf("call %d of goroutine %d: %v", i, g, err)
				}
				if _, err := Explain(p, "forward", 300); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	require.Len(t, b.Events(), 1)
}
