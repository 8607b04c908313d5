package report

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// golden compares got with a file in testdata, or rewrites that file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	// A checkout on Windows may have turned the line ends.
	require.Equal(t, strings.ReplaceAll(string(want), "\r\n", "\n"), got,
		"run go test -run %s -update if the change is meant", t.Name())
}

// paperBatches are the per-batch times, in µs, of the paper's table "NTT
// throughput by batch size, M1 Max, 2026-05-04", with its iterations.
var paperBatches = []struct {
	n                int
	cpu, metal, wgsl float64
	iterations       int
}{
	{1, 1.36, 1481.36, 2731.92, 2000},
	{4, 5.35, 2020.93, 2771.13, 2000},
	{16, 21.76, 2985.26, 2758.04, 2000},
	{64, 86.75, 5728.54, 3604.07, 2000},
	{256, 346.59, 6029.91, 3914.81, 1024},
	{1024, 1445.17, 6706.20, 4688.74, 256},
	{2688, 3705.77, 8588.15, 7117.69, 97},
	{4096, 6328.00, 9509.79, 9215.33, 64},
	{16384, 24473.82, 19518.02, 27534.67, 16},
	{65536, 90652.03, 61190.16, 103545.52, 4},
}

func pulsar() map[string]string {
	return map[string]string{"ring": "pulsar", "n": "256", "q": "0x1000000004a01"}
}

// paperReport is the paper's run in our schema. It published means without
// intervals; the fits are those recomputed from its rows.
func paperReport() *Report {
	r := &Report{
		Schema: Schema,
		Machine: Machine{
			OS: "darwin", Arch: "arm64", CPU: "Apple M1 Max", Cores: 10,
			Devices: []Device{
				{Backend: "metal", Name: "Apple M1 Max", Driver: "Metal"},
				{Backend: "wgsl", Name: "Apple M1 Max", Driver: "wgpu-native 29.0.0"},
			},
		},
		Commit:  "0123456789ab",
		Command: "sweep --backend cpu,metal,wgsl --ring pulsar",
		Fits: []Fit{
			{Op: "forward", Params: pulsar(), Backend: "metal", DNs: 5.85e6, TauNs: 853, MaxError: 0.05},
			{Op: "forward", Params: pulsar(), Backend: "wgsl", DNs: 3.4e6, TauNs: 1460, MaxError: 0.05},
		},
		Crossovers: []Crossover{
			{Op: "forward", Params: pulsar(), Backend: "metal", Against: "cpu", Batch: ptr(11100), Lo: 4096, Hi: 16384,
				Verdict: VerdictFound, UpTo: 65536, Predicted: ptr(11100.0), SignChanges: []int{4096}},
			{Op: "forward", Params: pulsar(), Backend: "wgsl", Against: "cpu", Lo: 65536,
				Verdict: VerdictNever, UpTo: 65536},
		},
		HotPath: []HotPath{
			paperHotPath("cpu", 3705.77e3), paperHotPath("metal", 8588.15e3), paperHotPath("wgsl", 7117.69e3),
		},
	}
	for _, b := range paperBatches {
		for _, x := range []struct {
			backend string
			us      float64
		}{{"cpu", b.cpu}, {"metal", b.metal}, {"wgsl", b.wgsl}} {
			ns := x.us * 1e3 / float64(b.n)
			r.Rows = append(r.Rows, Row{
				Op: "forward", Backend: x.backend, Device: "Apple M1 Max", Params: pulsar(),
				Batch: b.n, NsPerRow: ns, Lo: ns, Hi: ns, Samples: b.iterations, Verified: true,
			})
		}
	}
	return r
}

func paperHotPath(backend string, ns float64) HotPath {
	return HotPath{
		Reading: ReadingPaper, Backend: backend, Device: "Apple M1 Max", Signers: 1,
		Ns: ns, Lo: ns, Hi: ns, Samples: 97, Verified: true,
	}
}

// Where mixedReport was measured, by its own account.
const (
	mixedCPU = "Some CPU® | 100% _fast_ & #1"
	lavapipe = "llvmpipe (LLVM 15.0.6, 256 bits)"
)

func mixedRing() map[string]string {
	return map[string]string{"ring": "256,12289", "n": "256", "q": "12289"}
}

// mixedReport has everything that the paper's lacks: a software device, several
// CPU lanes, intervals, phases, resident rows, rows that failed or were not
// checked, an interrupted run, several signers, and text that every format has
// to escape. Its numbers are made up.
func mixedReport() *Report {
	r := &Report{
		Schema: Schema,
		Machine: Machine{
			OS: "linux", Arch: "amd64", CPU: mixedCPU, Cores: 2, GoVersion: "go1.26.8",
			Devices: []Device{
				{Backend: "cpu", Name: mixedCPU},
				{Backend: "wgsl", Name: lavapipe, Driver: "Mesa 22.3.6", Software: true},
			},
		},
		Commit:  "deadbeef",
		Command: "sweep --backend all --n 1,4,...,1024 --ring '256,12289' --out `x`",
		Partial: true,
		Rows:    mixedRows(),
		HotPath: mixedHotPath(),
	}
	ring := mixedRing()
	r.Fits = []Fit{
		{Op: "ntt/inverse", Params: ring, Backend: "cpu-mt", DNs: 2e3, TauNs: 900, MaxError: 0.31},
		{Op: "ntt/inverse", Params: ring, Backend: "wgsl", DNs: 150e3, TauNs: 800, MaxError: 0.034},
	}
	r.Crossovers = []Crossover{
		{Op: "ntt/inverse", Params: ring, Backend: "wgsl", Against: "cpu", Batch: ptr(167), Lo: 64, Hi: 1024,
			Verdict: VerdictFound, UpTo: 1024, Predicted: ptr(166.667), SignChanges: []int{4, 16, 64}},
		{Op: "ntt/inverse", Params: ring, Backend: "cpu-mt", Against: "cpu", Hi: 4, Lo: 1,
			Verdict: VerdictNoise, UpTo: 1024},
		{Op: "ntt/inverse", Params: ring, Backend: "wgsl", Against: "cpu", Resident: true, Hi: 64,
			Verdict: VerdictAlways, UpTo: 1024},
		{Op: HotPathOp(ReadingPaper), Backend: "wgsl", Against: "cpu", Batch: ptr(3), Lo: 2, Hi: 4,
			Verdict: VerdictFound, UpTo: 4},
		{Op: HotPathOp(ReadingRound1), Backend: "wgsl", Against: "cpu", Lo: 4, Verdict: VerdictNever, UpTo: 4},
	}
	return r
}

func mixedRows() []Row {
	var rows []Row
	cell := func(backend string, n int, ns, reach float64) *Row {
		device := mixedCPU
		if backend == "wgsl" {
			device = lavapipe
		}
		rows = append(rows, Row{
			Op: "ntt/inverse", Backend: backend, Device: device, Software: backend == "wgsl", Params: mixedRing(),
			Batch: n, NsPerRow: ns, Lo: ns * (1 - reach), Hi: ns * (1 + reach), Samples: 11, Verified: true,
		})
		return &rows[len(rows)-1]
	}
	for _, n := range []int{1, 4, 64, 1024} {
		cell("cpu-mt", n, 900+2000/float64(n), 0.12)
		cell("cpu", n, 1700, 0.004)
		w := cell("wgsl", n, 800+150e3/float64(n), 0.03)
		w.Phases = map[string]float64{PhaseUpload: 1e3 * float64(n), PhaseKernel: 100e3, PhaseDownload: 500}
		switch n {
		case 64:
			w.Phases, w.PhaseError = nil, "out of\nmemory"
		case 1024: // by the medians 1.796 times as fast as cpu, and 0.953 as cpu-mt
			w.Speedup = map[string]Ratio{"cpu": {1.8, 1.75, 1.9}, "cpu-mt": {1.02, 1.01, 1.03}}
		}
	}
	failed := cell("wgsl", 16, 0, 0)
	failed.Verified, failed.Error = false, "device lost:\nqueue <submit> returned \"VK_ERROR_DEVICE_LOST\", 100%"
	cell("cpu", 16, 1699, 0.01)
	cell("cpu-mt", 16, 1000, 0.01).Verified = false
	for _, n := range []int{64, 1024} {
		cell("wgsl", n, 300, 0.02).Resident = true
		cell("cpu", n, 290, 0.05).Resident = true
	}
	return rows
}

func mixedHotPath() []HotPath {
	var path []HotPath
	for _, reading := range []string{ReadingPaper, ReadingRound1} {
		for _, k := range []int{1, 2, 4} {
			for _, backend := range []string{"cpu", "wgsl"} {
				ns := 2.7e6 * float64(k)
				device := mixedCPU
				if backend == "wgsl" {
					ns, device = 3e6+1.5e6*float64(k), lavapipe
				}
				path = append(path, HotPath{
					Reading: reading, Backend: backend, Device: device, Software: backend == "wgsl", Signers: k,
					Ns: ns, Lo: 0.9 * ns, Hi: 1.02 * ns, Share: ns / float64(k) / 44.9e6, Samples: 11, Verified: true,
				})
			}
		}
	}
	path[len(path)-1].Error = "out of memory"
	return path
}

func ptr[T any](x T) *T { return &x }
