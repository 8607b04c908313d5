package report

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWriteRoutes(t *testing.T) {
	r := &Routes{Op: "ntt/forward", Ring: "pulsar", FirstNs: 5e7, Rows: []Route{
		{Batch: 1, Best: "cpu", BestNs: 1000, AutoNs: 1190, Ratio: Ratio{1.19, 1.1, 1.3}, Route: "cpu [0, 1): fastest"},
		{Batch: 4, Best: "cpu", BestNs: 4000, AutoNs: 4810, Ratio: Ratio{1.2, 1.1, 1.3}, Route: "cpu [0, 4): fastest"},
		{Batch: 64, Best: "wgsl", BestNs: 2e6, AutoNs: 1e6, Ratio: Ratio{0.5, 0.4, 0.6}, Route: "cpu [0, 30), wgsl [30, 64): split"},
	}}
	var b bytes.Buffer
	require.NoError(t, WriteRoutes(&b, r))
	for _, s := range []string{"the first call of auto took 50", "1.20 over", "0.40-0.60", "cpu [0, 30), wgsl [30, 64): split", "more than 1.10 times"} {
		require.Contains(t, b.String(), s)
	}
	require.NotContains(t, b.String(), "1.19 over", "100 ns are allowed for")
	require.NotContains(t, b.String(), "Interrupted")
	b.Reset()
	r.Rows, r.Partial = r.Rows[:1], true
	require.NoError(t, WriteRoutes(&b, r))
	require.Contains(t, b.String(), "Interrupted")
	require.NotContains(t, b.String(), "over:")
}
