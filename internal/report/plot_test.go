package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPlotSVG(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.svg")
	require.NoError(t, Plot(path, mixedReport()))
	data, err := os.ReadFile(path)
	require.NoError(t, err)
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

	again := filepath.Join(t.TempDir(), "out.svg")
	require.NoError(t, Plot(again, mixedReport()))
	same, err := os.ReadFile(again)
	require.NoError(t, err)
	require.Equal(t, text, string(same))
}

func TestPlotPNG(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.PNG")
	require.NoError(t, Plot(path, paperReport()))
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	img, err := png.Decode(f)
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
	path := filepath.Join(t.TempDir(), "x.svg")
	require.ErrorIs(t, Plot(path, &Report{}), ErrEmpty)
	require.NoFileExists(t, path)
	for _, bad := range []string{"x.pdf", "x", "", "svg"} {
		require.ErrorIs(t, Plot(bad, paperReport()), ErrFormat, bad)
	}
	failed := &Report{Rows: []Row{{Op: "forward", Backend: "cpu", Batch: 1, Error: "no", NsPerRow: 3}}}
	require.ErrorIs(t, Plot(path, failed), ErrEmpty)
	absurd := &Report{Rows: []Row{{Op: "forward", Backend: "cpu", Batch: 1, NsPerRow: 1e-300, Verified: true}}}
	require.ErrorIs(t, Plot(path, absurd), ErrEmpty)
	require.Error(t, Plot(filepath.Join(path, "no", "dir.svg"), paperReport()))
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
