package suite

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
)

// The scalar backend always enters twice and first; nothing is opened twice, and
// what is missing is reported under its own name and replaced by nothing.
func TestOpen(t *testing.T) {
	gone := errors.New("no adapter")
	type call struct {
		name string
		o    backends.Options
	}
	var calls []call
	open := func(name string, o backends.Options) (backends.Backend, error) {
		calls = append(calls, call{name, o})
		if name == "wgsl" {
			return nil, gone
		}
		return &fake{info: backends.Info{Name: name, Workers: o.Workers}}, nil
	}
	o := backends.Options{Device: "M1", AllowSoftware: true, Wipe: true, Workers: 99}
	in, out := Open(open, []string{"metal", "wgsl", "cpu", "metal"}, o)

	var names []string
	for _, c := range in {
		names = append(names, c.Name)
	}
	require.Equal(t, []string{CPU, CPUMT, "metal"}, names)
	require.Equal(t, []Missing{{"wgsl", gone}}, out)
	require.Equal(t, 1, in[0].Info.Workers)
	require.GreaterOrEqual(t, in[1].Info.Workers, 1)
	require.Len(t, calls, 4)
	require.Empty(t, calls[0].o.Device, "the choice of a device is no matter of the CPU's")
	require.Equal(t, call{"metal", backends.Options{Device: "M1", AllowSoftware: true, Wipe: true}}, calls[2])
	require.NoError(t, Close(in))
}

func TestParseOp(t *testing.T) {
	for _, op := range Ops() {
		got, err := ParseOp(string(op))
		require.NoError(t, err)
		require.Equal(t, op, got)
	}
	for _, s := range []string{"", "Forward", "fwd"} {
		_, err := ParseOp(s)
		require.ErrorIs(t, err, ErrOp)
		require.ErrorContains(t, err, "forward, inverse, muladd")
	}
}
