package gputest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

func TestFakeConforms(t *testing.T) {
	TestDevice(t, func() (gpu.Device, error) { return NewFake(DefaultLimits(), nil), nil })
}

// TestSuiteNotices runs the suite against devices that each have one fault, and
// says which check is the one to find it.
func TestSuiteNotices(t *testing.T) {
	unordered := func(b [][]byte, p [gpu.ParamWords]uint32, groups [3]uint32) {
		// A device without barriers that runs one invocation after the other.
		var tile [groupSize]uint32
		for g := range int(groups[0]) {
			for l := range groupSize {
				x := word(b[0], g*groupSize+l)
				for range ExchangeRounds {
					tile[l] = x
					x = tile[groupSize-1-l] + uint32(l)
				}
				setWord(b[0], g*groupSize+l, x)
			}
		}
	}
	for _, c := range []struct {
		fault   string
		flaw    flaw
		kernels map[string]Func
		found   string
	}{
		{"writes take effect at once", writesAtOnce, nil, "writes between submissions"},
		{"clear does nothing", clearsNothing, nil, "clear"},
		{"released objects are used", usesReleased, nil, "a released buffer"},
		{"any number of groups", takesAnyGroups, nil, "groups and dispatches"},
		{"all dispatches see the last parameters", mixesParams, nil, "parameters of a full submission"},
		{"dispatches run backwards", reversesDispatches, nil, "dispatches run in order"},
		{"views show what came later", readsLive, nil, "waits in any order"},
		{"the context is ignored", ignoresContext, nil, "a context that is over"},
		{"barriers do nothing", none, map[string]Func{"exchange/exchange": unordered}, "barriers within a group"},
	} {
		t.Run(c.fault, func(t *testing.T) {
			for _, check := range checks() {
				if check.name != c.found {
					continue
				}
				f := NewFake(DefaultLimits(), c.kernels)
				f.flaw = c.flaw
				require.Error(t, check.run(&rig{dev: f, programs: WGSL()}))
				return
			}
			t.Fatalf("there is no check %q", c.found)
		})
	}
}
