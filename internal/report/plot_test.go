package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// picture is the plot of r as a file of that name has it.
func picture(t *testing.T, name string, r *Report) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, Plot(&b, name, r))
	return b.Bytes()
}

func TestPlotSVG(t *testing.T) {
	data := picture(t, "out.svg", mixedReport())
	dec := xml.NewDecoder(bytes.NewReader(data))
	for {
		_, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
	}
	text := string(data)
	for _, want := range []string{
		"wgsl (software)", "cpu-mt", "wgsl (software) overtakes cpu at 167", "NTT inverse, 256,12289",
		"time per polynomial", "polynomials per call, n", "10 µs", ">1024<", "stroke-dasharray",
		"Liberation Sans,Arial", "interrupted", "100% _fast_ &amp; #1",
	} {
		require.Contains(t, text, want)
	}
	require.NotContains(t, text, "hot path", "the hot path does not crowd out the batches")
	require.Equal(t, text, string(picture(t, "out.svg", mixedReport())))
}

// What holds nothing but the hot path has a panel for each reading, with what a
// signature costs and from how many on a device pays.
func TestPlotHotPath(t *testing.T) {
	r := mixedReport()
	r.Rows = nil
	text := string(picture(t, "out.svg", r))
	for _, want := range []string{
		"Pulsar hot path, the paper&#39;s 2,688 transforms", "Pulsar hot path, Round 1",
		"time per signature", "signatures in flight, k", "wgsl (software) pays against cpu from 3", "2 ms",
	} {
		require.Contains(t, text, want)
	}
	require.NotContains(t, text, "polynomial")
}

func TestPlotPNG(t *testing.T) {
	img, err := png.Decode(bytes.NewReader(picture(t, "out.PNG", paperReport())))
	require.NoError(t, err)
	require.Equal(t, 1296, img.Bounds().Dx())
	seen := map[[3]uint32]int{}
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			r, g, b, _ := img.At(x, y).RGBA()
			seen[[3]uint32{r >> 8, g >> 8, b >> 8}]++
		}
	}
	for _, k := range []int{0, 2, 3} {
		c := colors[k]
		require.Greater(t, seen[[3]uint32{uint32(c.R), uint32(c.G), uint32(c.B)}], 100, "colour %d", k)
	}
}

func TestPlotRefuses(t *testing.T) {
	var b bytes.Buffer
	require.ErrorIs(t, Plot(&b, "x.svg", &Report{}), ErrEmpty)
	for _, bad := range []string{"x.pdf", "x", "", "svg"} {
		require.ErrorIs(t, Plot(&b, bad, paperReport()), ErrFormat, bad)
	}
	failed := &Report{Rows: []Row{{Op: "forward", Backend: "cpu", Batch: 1, Error: "no", NsPerRow: 3}}}
	require.ErrorIs(t, Plot(&b, "x.svg", failed), ErrEmpty)
	absurd := &Report{Rows: []Row{{Op: "forward", Backend: "cpu", Batch: 1, NsPerRow: 1e-300, Verified: true}}}
	require.ErrorIs(t, Plot(&b, "x.svg", absurd), ErrEmpty)
	require.Zero(t, b.Len())
	require.ErrorIs(t, Plot(failingWriter{}, "x.svg", paperReport()), errDisk)
}

// Odd shapes are drawn without a panic: one point, one batch, extreme ranges,
// more backends than colours, texts that do not fit.
func TestPlotOddShapes(t *testing.T) {
	row := func(backend string, batch int, ns float64) Row {
		return Row{Op: "forward", Backend: backend, Batch: batch, NsPerRow: ns, Lo: ns, Hi: ns, Verified: true}
	}
	many := &Report{Command: strings.Repeat("sweep ", 200)}
	for i := range 12 {
		many.Rows = append(many.Rows, row("backend-with-a-long-name-"+string(rune('a'+i)), 1<<i, float64(1+i)))
		many.Crossovers = append(many.Crossovers, Crossover{Op: "forward", Backend: "a", Against: "b",
			Verdict: VerdictFound, Batch: ptr(1 << i), Lo: 1, Hi: 1 << 30})
	}
	for name, r := range map[string]*Report{
		"point":   {Rows: []Row{row("cpu", 1, 1)}},
		"batch":   {Rows: []Row{row("cpu", 7, 1), row("wgsl", 7, 1e6)}},
		"extreme": {Rows: []Row{row("cpu", 1, 1e-6), row("cpu", 1<<62, 1e18)}},
		"many":    many,
	} {
		for _, format := range []string{"svg", "png"} {
			var b bytes.Buffer
			require.NoError(t, render(&b, format, r), name)
			require.NotZero(t, b.Len(), name)
		}
	}
}

func TestTicks(t *testing.T) {
	var labels []string
	for _, tick := range timeTicks(800, 3e6) {
		if tick.Label != "" {
			labels = append(labels, tick.Label)
		}
	}
	require.Equal(t, []string{"1 µs", "10 µs", "100 µs", "1 ms"}, labels)
	labels = nil
	for _, tick := range timeTicks(150, 1200) {
		if tick.Label != "" {
			labels = append(labels, tick.Label)
		}
	}
	require.Equal(t, []string{"200 ns", "500 ns", "1 µs"}, labels)
	require.Empty(t, timeTicks(0, 1))
	require.Empty(t, batchTicks(1, 1))
}
