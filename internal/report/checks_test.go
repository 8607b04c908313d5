package report

import (
	"bytes"
	"encoding/xml"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestListGolden(t *testing.T) {
	list := []Listing{
		{Backend: "cpu", Device: "AMD EPYC 9R14", Driver: "go1.26.8", Available: true,
			Supports: []string{"ntt to N = 65536", "keccak"}},
		{Backend: "metal", Reason: "no Metal on linux/amd64; build on macOS with cgo"},
		{Backend: "wgsl", Device: "llvmpipe (LLVM 15.0.6, 256 bits)", Driver: "Mesa 22.3.6", Software: true, Available: true},
		{Backend: "cuda"},
	}
	var b bytes.Buffer
	require.NoError(t, WriteList(&b, list))
	golden(t, "list.txt", b.String())

	b.Reset()
	require.NoError(t, WriteList(&b, list[1:2]))
	golden(t, "list-none.txt", b.String())
}

func katSuites() []Suite {
	return []Suite{
		{Backend: "cpu", Device: "AMD EPYC 9R14", Cases: []Case{
			{Name: "pulsar/forward/ramp", Time: 1500 * time.Microsecond},
			{Name: "pulsar/inverse/edge", Failure: "inverse: row 3, index 17 differs\n<seed 42> & \x01 more"},
		}},
		{Backend: "wgsl", Device: "llvmpipe", Software: true, Cases: []Case{
			{Name: "n4096/forward", Skipped: "unsupported: N above 2,048"},
		}},
		{Backend: "metal", Skipped: "unavailable: no Metal on linux"},
	}
}

func TestJUnit(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, WriteJUnit(&b, katSuites()))
	golden(t, "junit.xml", b.String())

	var back junitSuites
	require.NoError(t, xml.Unmarshal(b.Bytes(), &back))
	require.Equal(t, []int{4, 1, 2}, []int{back.Tests, back.Failures, back.Skipped})
	require.Equal(t, "inverse: row 3, index 17 differs <seed 42> &   more", back.Suites[0].Cases[1].Failure.Message)
	require.Equal(t, "wgsl (software)", back.Suites[1].Name)
	require.Equal(t, "unavailable: no Metal on linux", back.Suites[2].Cases[0].Skipped.Message)
}

func TestCompare(t *testing.T) {
	cell := func(ns, reach float64) Row {
		return Row{Op: "forward", Backend: "cpu", Device: "d", Params: pulsar(), Batch: 64,
			NsPerRow: ns, Lo: ns * (1 - reach), Hi: ns * (1 + reach), Samples: 11, Verified: true}
	}
	for _, c := range []struct {
		name                    string
		base, now               Row
		significant, regression bool
		delta                   string
	}{
		{"same", cell(100, 0.02), cell(100, 0.02), false, false, "~"},
		{"overlap", cell(100, 0.05), cell(108, 0.05), false, false, "~"},
		{"touching", cell(100, 0), cell(100, 0), false, false, "~"},
		{"slower", cell(100, 0.01), cell(120, 0.01), true, true, "+20.0%"},
		{"slower within tolerance", cell(100, 0.01), cell(104, 0.01), true, false, "+4.0%"},
		{"faster", cell(100, 0.01), cell(50, 0.01), true, false, "-50.0%"},
	} {
		changes := Compare(&Report{Rows: []Row{c.base}}, &Report{Rows: []Row{c.now}}, 0.05)
		require.Len(t, changes, 1, c.name)
		require.Equal(t, c.significant, changes[0].Significant, c.name)
		require.Equal(t, c.regression, changes[0].Regression, c.name)
		require.Equal(t, c.delta, changes[0].delta(), c.name)
	}

	base, now := &Report{Rows: []Row{cell(100, 0.01)}}, &Report{Rows: []Row{cell(104, 0.01)}}
	require.Equal(t, 1, Regressions(Compare(base, now, -1)), "no tolerance below 0")
	require.Equal(t, 1, Regressions(Compare(base, now, math.NaN())))

	failed := cell(0, 0)
	failed.Error, failed.Verified = "device lost", false
	changes := Compare(base, &Report{Rows: []Row{failed}}, 0.05)
	require.True(t, changes[0].Regression)
	require.Equal(t, "failed", changes[0].delta())
	require.Empty(t, Compare(&Report{Rows: []Row{failed}}, base, 0.05), "nothing to compare with")

	other := cell(100, 0.01)
	other.Batch = 65
	require.Empty(t, Compare(base, &Report{Rows: []Row{other}}, 0.05))
}

func TestChangesGolden(t *testing.T) {
	base, now := mixedReport(), mixedReport()
	now.Rows[0].NsPerRow *= 1.5
	now.Rows[0].Lo, now.Rows[0].Hi = now.Rows[0].NsPerRow, now.Rows[0].NsPerRow
	now.Rows[1].NsPerRow, now.Rows[1].Lo, now.Rows[1].Hi = 850, 840, 860
	now.Rows[2].Error = "out | of memory"
	now.Rows[3].Device = "another"
	var b bytes.Buffer
	require.NoError(t, WriteChanges(&b, Compare(base, now, 0.05)))
	golden(t, "changes.md", b.String())

	b.Reset()
	require.NoError(t, WriteChanges(&b, nil))
	require.Equal(t, "The two reports have no measured cell in common.\n", b.String())
}

// What a backend cannot do is no failure, and is not called one.
func TestUnsupportedIsNotFailed(t *testing.T) {
	var b strings.Builder
	require.NoError(t, WriteMarkdown(&b, &Report{Rows: []Row{
		{Op: "ntt/forward", Backend: "cpu", Batch: 1, NsPerRow: 1, Verified: true},
		{Op: "ntt/forward", Backend: "wgsl", Batch: 1, Error: "wgsl: ntt: operation not supported", Unsupported: true},
	}}))
	require.Contains(t, b.String(), " unsupported ")
	require.Contains(t, b.String(), "wgsl at n = 1: wgsl: ntt: operation not supported")
	require.NotContains(t, b.String(), "failed")
}
