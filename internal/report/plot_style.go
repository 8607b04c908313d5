package report

import (
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

var (
	gray      = color.NRGBA{0x55, 0x55, 0x55, 0xff}
	lightGray = color.NRGBA{0xdd, 0xdd, 0xdd, 0xff}
)

// colors are those of Okabe and Ito, told apart by colour-blind readers too.
var colors = []color.NRGBA{
	{0x33, 0x33, 0x33, 0xff}, // near black
	{0x00, 0x72, 0xb2, 0xff}, // blue
	{0xd5, 0x5e, 0x00, 0xff}, // vermilion
	{0x00, 0x9e, 0x73, 0xff}, // bluish green
	{0xcc, 0x79, 0xa7, 0xff}, // reddish purple
	{0xe6, 0x9f, 0x00, 0xff}, // orange
	{0x56, 0xb4, 0xe9, 0xff}, // sky blue
}

// usualColor keeps a backend's colour the same from plot to plot.
var usualColor = map[string]int{"cpu": 0, "cpu-mt": 1, "metal": 2, "wgsl": 3, "simd": 4, "simd-mt": 5, "auto": 6}

var glyphs = []draw.GlyphDrawer{
	draw.CircleGlyph{}, draw.SquareGlyph{}, draw.PyramidGlyph{}, draw.RingGlyph{}, draw.BoxGlyph{},
	draw.TriangleGlyph{}, draw.CrossGlyph{},
}

// lineLook is how the line of one backend looks.
type lineLook struct {
	line  draw.LineStyle
	glyph draw.GlyphStyle
	band  color.Color
}

// newPalette gives each column a look of its own: the usual colour of its
// backend, or the first that is free.
func newPalette(columns []column) []lineLook {
	looks := make([]lineLook, len(columns))
	used := map[int]bool{}
	for i, c := range columns {
		k, ok := usualColor[c.backend]
		if !ok || used[k] {
			k = firstFree(used, i)
		}
		used[k] = true
		looks[i] = newLook(k, c.software)
	}
	return looks
}

func firstFree(used map[int]bool, i int) int {
	for k := len(colors) - 1; k >= 0; k-- {
		if !used[k] {
			return k
		}
	}
	return i % len(colors)
}

func newLook(k int, software bool) lineLook {
	look := lineLook{
		line:  draw.LineStyle{Color: colors[k], Width: vg.Points(1.7)},
		glyph: draw.GlyphStyle{Color: colors[k], Radius: vg.Points(3), Shape: glyphs[k%len(glyphs)]},
		band:  translucent(colors[k], 0x38),
	}
	if software {
		look.line.Dashes = []vg.Length{vg.Points(6), vg.Points(3)}
	}
	return look
}

func translucent(c color.Color, alpha uint8) color.Color {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	n.A = alpha
	return n
}

func sans(size vg.Length) font.Font {
	return font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, size)
}

// textStyle hangs text from its upper left corner.
func textStyle(size vg.Length, c color.Color) draw.TextStyle {
	return text.Style{Color: c, Font: sans(size), XAlign: text.XLeft, YAlign: text.YTop, Handler: plot.DefaultTextHandler}
}

func noteStyle() draw.TextStyle { return textStyle(8, gray) }

// timeTicks labels the decades of a time axis in nanoseconds, and 2 and 5 times
// them where fewer than two decades are in view.
func timeTicks(lo, hi float64) []plot.Tick {
	var ticks []plot.Tick
	if !(lo > 0) || !(hi > lo) || !isFinite(hi) {
		return ticks
	}
	short := hi/lo < 100
	for e := math.Floor(math.Log10(lo)); e <= math.Log10(hi); e++ {
		for m := 1.0; m < 10; m++ {
			ns := m * math.Pow(10, e)
			if ns < lo || ns > hi {
				continue
			}
			tick := plot.Tick{Value: ns}
			if m == 1 || short && (m == 2 || m == 5) {
				tick.Label = tickDuration(ns)
			}
			ticks = append(ticks, tick)
		}
	}
	return ticks
}

// tickDuration writes a round time without the zeros that Duration keeps:
// "100 µs", "0.2 ns".
func tickDuration(ns float64) string {
	units := []struct {
		ns   float64
		name string
	}{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}}
	for _, u := range units {
		if ns >= u.ns*(1-1e-9) {
			return strconv.FormatFloat(roundTo(ns/u.ns, significantDigits), 'f', -1, 64) + " " + u.name
		}
	}
	return strconv.FormatFloat(roundTo(ns, significantDigits), 'f', -1, 64) + " ns"
}

// batchTicks labels powers of four, or of two where the axis is short.
func batchTicks(lo, hi float64) []plot.Tick {
	var ticks []plot.Tick
	if !(lo > 0) || !(hi > lo) || !isFinite(hi) {
		return ticks
	}
	labelEvery := 1
	if hi/lo > 1<<8 {
		labelEvery = 2
	}
	if hi/lo > 1<<20 {
		labelEvery = 4
	}
	for e := 0; e < 63; e++ {
		n := math.Ldexp(1, e)
		if n < lo || n > hi {
			continue
		}
		tick := plot.Tick{Value: n}
		if e%labelEvery == 0 {
			tick.Label = strconv.FormatFloat(n, 'f', -1, 64)
		}
		ticks = append(ticks, tick)
	}
	return ticks
}
