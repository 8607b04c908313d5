package backends

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// withDrivers runs a test on a registry of its own.
func withDrivers(t *testing.T) {
	registry.Lock()
	saved := registry.drivers
	registry.drivers = nil
	registry.Unlock()
	t.Cleanup(func() {
		registry.Lock()
		registry.drivers = saved
		registry.Unlock()
	})
}

func TestRegistryOrdersByRankThenName(t *testing.T) {
	withDrivers(t)
	open := func(Options) (Backend, error) { return nil, ErrUnavailable }
	for _, d := range []Driver{{"c", 2, open}, {"b", 2, open}, {"a", 3, open}, {"z", 1, open}} {
		Register(d)
	}
	var names []string
	for _, d := range Drivers() {
		names = append(names, d.Name)
	}
	require.Equal(t, []string{"z", "b", "c", "a"}, names)
}

func TestRegisterPanicsOnAMistake(t *testing.T) {
	withDrivers(t)
	open := func(Options) (Backend, error) { return nil, nil }
	Register(Driver{Name: "a", Open: open})
	require.Panics(t, func() { Register(Driver{Name: "a", Open: open}) })
	require.Panics(t, func() { Register(Driver{Name: "b"}) })
	require.Panics(t, func() { Register(Driver{Open: open}) })
	require.Len(t, Drivers(), 1)
}

func TestOpenNeverSubstitutes(t *testing.T) {
	withDrivers(t)
	Register(Driver{Name: "good", Open: func(Options) (Backend, error) { return nil, nil }})
	Register(Driver{Name: "absent", Open: func(Options) (Backend, error) {
		return nil, &Error{Backend: "absent", Op: "open", Err: ErrUnavailable}
	}})
	_, err := Open("absent", Options{})
	require.ErrorIs(t, err, ErrUnavailable)
	_, err = Open("Good", Options{})
	require.ErrorIs(t, err, ErrUnknown)
	require.ErrorContains(t, err, "absent, good", "the error lists what there is")
}

func TestTimingTravelsInTheContext(t *testing.T) {
	require.Nil(t, TimingFrom(context.Background()))
	var got Timing
	TimingFrom(WithTiming(context.Background(), func(x Timing) { got = x }))(Timing{Op: "forward", Rows: 3})
	require.Equal(t, Timing{Op: "forward", Rows: 3}, got)
}

func TestErrorSaysHowFarItCame(t *testing.T) {
	e := &Error{Backend: "x", Op: "forward", Done: 7, Err: ErrDeviceLost}
	require.EqualError(t, e, "x: forward: after 7 rows: device lost")
	require.True(t, errors.Is(e, ErrDeviceLost))
	e.Done = 0
	require.EqualError(t, e, "x: forward: device lost")
}

func TestCheckRows(t *testing.T) {
	for _, c := range []struct {
		row, n, total int
		ok            bool
	}{
		{0, 0, 0, true}, {0, 3, 3, true}, {3, 0, 3, true}, {2, 1, 3, true},
		{-1, 1, 3, false}, {0, -1, 3, false}, {0, 4, 3, false}, {4, 0, 3, false}, {2, 2, 3, false},
		{1, math.MaxInt, 3, false}, {math.MaxInt, 1, 3, false},
	} {
		err := CheckRows(c.row, c.n, c.total)
		require.Equal(t, c.ok, err == nil, "%+v", c)
		require.True(t, err == nil || errors.Is(err, ErrShape), "%+v", c)
	}
}

func TestCheckProduct(t *testing.T) {
	for _, c := range []struct {
		m, k, n, c, a, b int
		ok               bool
	}{
		{8, 7, 49, 392, 56, 343, true}, {8, 7, 49, 400, 60, 350, true},
		{8, 7, 49, 391, 56, 343, false}, {8, 7, 49, 392, 55, 343, false}, {8, 7, 49, 392, 56, 342, false},
		{0, 0, 0, 0, 0, 0, true}, {2, 0, 2, 4, 0, 0, true}, {-1, 1, 1, 9, 9, 9, false}, {1, 1, -1, 9, 9, 9, false},
		{math.MaxInt, math.MaxInt, math.MaxInt, 9, 9, 9, false}, {math.MaxInt32, 1, math.MaxInt32, 9, 9, 9, false},
	} {
		err := CheckProduct(c.m, c.k, c.n, c.c, c.a, c.b)
		require.Equal(t, c.ok, err == nil, "%+v", c)
		require.True(t, err == nil || errors.Is(err, ErrShape), "%+v", c)
	}
}
