package auto

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/backends/cpu"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// openPlanted returns plans of one ring on scalar code, by way of auto and not.
func openPlanted(tb testing.TB) (chosen *plan, direct backends.Plan) {
	device := newFake("device", 0, nil)
	b, err := New(Options{planted: flat(100, 1e6), drivers: []string{"cpu", "device"},
		open: func(name string, o backends.Options) (backends.Backend, error) {
			if name == "device" {
				return device, nil
			}
			return cpu.Open(backends.Options{})
		}})
	require.NoError(tb, err)
	r, err := ntt.NewRing(16, 97)
	require.NoError(tb, err)
	p, err := b.NTT(r)
	require.NoError(tb, err)
	tb.Cleanup(func() {
		p.Close()
		b.Close()
	})
	return p.(*plan), p.(*plan).plans[0]
}

func TestShortCallsAllocateNothing(t *testing.T) {
	p, _ := openPlanted(t)
	s := residues(1)
	require.NoError(t, p.Forward(t.Context(), s, s))
	require.Zero(t, testing.AllocsPerRun(1000, func() { _ = p.Forward(t.Context(), s, s) }))
}

// BenchmarkDecision is a call of one small row with and without the choice.
func BenchmarkDecision(b *testing.B) {
	chosen, direct := openPlanted(b)
	s := residues(1)
	for name, p := range map[string]backends.Plan{"auto": chosen, "direct": direct} {
		b.Run("by="+name, func(b *testing.B) {
			for b.Loop() {
				_ = p.Forward(b.Context(), s, s)
			}
		})
	}
}
