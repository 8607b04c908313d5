package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// hashingReport has batches of messages and roots of states, with every verdict
// that their crossovers can have. Its numbers are made up.
func hashingReport() *Report {
	r := &Report{
		Schema: Schema,
		Machine: Machine{OS: "linux", Arch: "amd64", CPU: "Some CPU", Cores: 2, Devices: []Device{
			{Backend: "cpu", Name: "Some CPU", Driver: "1 thread"},
			{Backend: "wgsl", Name: lavapipe, Driver: "Mesa 22.3.6", Software: true},
		}},
		Command: "sweep keccak --len 32,136",
	}
	row := func(op string, params map[string]string, backend string, n int, ns float64) *Row {
		x := Row{Op: op, Backend: backend, Device: "Some CPU", Params: params, Batch: n,
			NsPerRow: ns, Lo: 0.98 * ns, Hi: 1.01 * ns, Samples: 11, Verified: true}
		if backend == "wgsl" {
			x.Device, x.Software = lavapipe, true
		}
		r.Rows = append(r.Rows, x)
		return &r.Rows[len(r.Rows)-1]
	}
	for i, bytes := range []string{"32", "136"} {
		params := map[string]string{ParamLen: bytes}
		for _, n := range []int{1, 64, 4096} {
			blocks := float64(1 + i)
			row(KeccakOp, params, "cpu", n, 280*blocks)
			row(KeccakOp, params, "cpu-mt", n, 145*blocks+900/float64(n))
			x := row(KeccakOp, params, "wgsl", n, 90*blocks+200e3/float64(n))
			x.Phases = map[string]float64{PhaseUpload: 20e3, PhaseKernel: 60 * blocks * float64(n), PhaseDownload: 15e3}
			if n == 4096 { // by the medians of 32 bytes 2.017 times as fast as cpu, and 1.046 as cpu-mt
				x.Speedup = map[string]Ratio{"cpu": {2.1, 2.05, 2.2}, "cpu-mt": {0.99, 0.98, 0.995}}
			}
		}
		r.Crossovers = append(r.Crossovers,
			Crossover{Op: KeccakOp, Params: params, Backend: "wgsl", Against: "cpu", Batch: ptr(1050), Lo: 1000, Hi: 1100,
				Verdict: VerdictFound, UpTo: 4096, Predicted: ptr(1052.6)})
	}
	account := map[string]string{ParamSet: "account"}
	for _, n := range []int{1996, 9006} {
		for i, backend := range []string{"cpu", "cpu-mt", "wgsl"} {
			x := row(RootOp("mpt"), account, backend, n, []float64{900, 500, 2000}[i])
			x.Root = fmt.Sprintf("%064x", n)
			x.Phases = map[string]float64{PhaseHash: 500 * float64(n), PhaseSort: 60 * float64(n),
				PhaseBuild: 20 * float64(n), PhaseEncode: 80 * float64(n), PhasePack: 30 * float64(n)}
			if backend == "cpu-mt" {
				x.Speedup = map[string]Ratio{"cpu": {1.7, 1.6, 1.75}}
			}
		}
	}
	lost := row(RootOp("mpt"), account, "wgsl", 18342, 0)
	lost.Verified, lost.Error = false, "device lost"
	root := func(verdict string, backend string, lo, hi int, changes ...int) {
		c := Crossover{Op: RootOp("mpt"), Params: account, Backend: backend, Against: "cpu",
			Lo: lo, Hi: hi, Verdict: verdict, UpTo: 9006, SignChanges: changes}
		if verdict == VerdictFound {
			c.Batch = &hi
		}
		r.Crossovers = append(r.Crossovers, c)
	}
	root(VerdictNever, "wgsl", 9006, 0)
	root(VerdictAlways, "cpu-mt", 0, 1996)
	root(VerdictFound, "metal", 1996, 2100)
	root(VerdictNoise, "simd", 1996, 9006)
	root(VerdictNoise, "auto", 1996, 0)
	root(VerdictNoise, "cuda", 0, 1996)
	root(VerdictNoise, "hip", 0, 0)
	root(VerdictNever, "vulkan", 9006, 0, 1, 1996)
	row(RootOp("flat"), account, "cpu", 1996, 400).Root = strings.Repeat("ab", 32)
	r.Fits = []Fit{{Op: RootOp("mpt"), Params: account, Backend: "cpu", DNs: 1e4, TauNs: 900, MaxError: 0.02},
		{Op: KeccakOp, Params: map[string]string{ParamLen: "32"}, Backend: "cpu", DNs: 10, TauNs: 280, MaxError: 0.01}}
	return r
}

// The words are those of the operation: messages and leaves are no polynomials.
func TestHashingWords(t *testing.T) {
	r := hashingReport()
	for i, want := range []string{
		"keccak-256, 32 bytes: wgsl (software) overtakes cpu at batch 1050 [1000, 1100]; the fits cross at 1050",
		"keccak-256, 136 bytes: wgsl (software) overtakes cpu at batch 1050 [1000, 1100]; the fits cross at 1050",
		"mpt root, account: wgsl (software) never overtakes cpu up to 9006 leaves",
		"mpt root, account: cpu-mt beats cpu at every size up to 9006 leaves",
		"mpt root, account: metal overtakes cpu at 2100 leaves [1996, 2100]",
		"mpt root, account: too noisy to say where simd overtakes cpu: cpu still won at 1996 leaves, simd wins from 9006 on",
		"mpt root, account: too noisy to say where auto overtakes cpu: cpu still won at 1996 leaves, and at 9006 neither wins outright",
		"mpt root, account: too noisy to say where cuda overtakes cpu: cuda wins from 1996 leaves on, and below it cpu nowhere outright",
		"mpt root, account: too noisy to say where hip overtakes cpu: cpu won nowhere outright, and at 9006 leaves neither does",
		"mpt root, account: vulkan does not stay ahead of cpu, which wins at 9006 leaves, the most; the winner changes after 1, 1996",
	} {
		require.Equal(t, want, r.sentence(&r.Crossovers[i]))
	}
	for format := range extensions {
		var b bytes.Buffer
		require.NoError(t, Write(&b, format, r))
		require.NotContains(t, b.String(), "poly", format)
	}
	row := r.Rows[1]
	require.Equal(t, "BenchmarkKeccak/backend=cpu-mt/op=256/len=32/n=1", benchName(&row))
	row = r.Rows[len(r.Rows)-1]
	require.Equal(t, "BenchmarkRoot/backend=cpu/op=flat/set=account/leaves=1996", benchName(&row))
}

func TestHashingPlot(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, render(&b, "svg", hashingReport()))
	for _, want := range []string{"Keccak-256, 136 bytes", "messages per batch, n", "time per message",
		"Merkle-Patricia root, account", ">leaves<", "time per leaf"} {
		require.Contains(t, b.String(), want)
	}
}

// Roots that differ are not passed off as one, and a row without a time has none.
func TestRootTable(t *testing.T) {
	row := func(backend, root string) Row {
		return Row{Op: RootOp("mpt"), Backend: backend, Batch: 5, NsPerRow: 1, Verified: true, Root: root}
	}
	unchecked := row("wgsl", "03")
	unchecked.Verified = false
	for name, c := range map[string]struct {
		rows []Row
		want string
	}{
		"equal":        {[]Row{row("cpu", "01"), row("cpu-mt", "01"), unchecked}, "01"},
		"one has none": {[]Row{row("cpu", ""), row("cpu-mt", "01")}, "01"},
		"differ":       {[]Row{row("cpu", "01"), row("cpu-mt", "02"), row("simd", "01")}, "differs from backend to backend"},
	} {
		require.Equal(t, c.want, groupRows(c.rows)[0].rootTable().rows[0][1].text, name)
	}
	require.Nil(t, groupRows([]Row{row("cpu", "")})[0].rootTable())
}

// A message of no or of absurd length has no rate, and no panic.
func TestMessageLen(t *testing.T) {
	for text, want := range map[string]int{"32": 32, "0": 0, "-5": 0, "": 0, "x": 0, "99999999999999999999": 0} {
		row := Row{Op: KeccakOp, Backend: "cpu", Batch: 1, NsPerRow: 1, Verified: true, Params: map[string]string{ParamLen: text}}
		require.Equal(t, want, row.messageLen(), text)
		require.Equal(t, want == 0, groupRows([]Row{row})[0].rateTable() == nil, text)
	}
	require.Zero(t, (&Row{Op: "forward", Params: map[string]string{ParamLen: "32"}}).messageLen())
}
