package report

import (
	"cmp"
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// panel is the plot of one operation.
type panel struct {
	title string
	words words
	// measures is what the vertical axis shows; empty for the time per row.
	measures string
	axes     *plot.Plot
	lines    []*series
	marks    []mark
}

// series is the line of one backend.
type series struct {
	name  string
	line  draw.LineStyle
	glyph draw.GlyphStyle
	band  color.Color
	at    plotter.XYs // batch size or signatures in flight, ns per row
	lo    plotter.XYs
	hi    plotter.XYs
}

// mark is a crossover: a vertical line at a batch size, between two bounds.
type mark struct {
	text       string
	at, lo, hi float64
	color      color.Color
}

// Times beyond these, in ns, are no measurements and would drown all others.
const (
	shortest = 1e-6
	longest  = 1e18
)

// newPanel gathers what a group has to show; nil if nothing was measured.
func newPanel(r *Report, g *group) *panel {
	p := &panel{title: longTitle(g.op, g.params, g.resident), words: g.words(), axes: newAxes()}
	styles := newPalette(g.columns)
	for i, c := range g.columns {
		s := &series{name: c.label(), line: styles[i].line, glyph: styles[i].glyph, band: styles[i].band}
		for _, n := range g.batches {
			row := g.at(c, n)
			if row == nil || n < 1 {
				continue
			}
			lo, hi := row.interval()
			if lo < shortest || hi > longest {
				continue
			}
			s.at = append(s.at, plotter.XY{X: float64(n), Y: row.NsPerRow})
			s.lo = append(s.lo, plotter.XY{X: float64(n), Y: lo})
			s.hi = append(s.hi, plotter.XY{X: float64(n), Y: hi})
		}
		if len(s.at) > 0 {
			p.lines = append(p.lines, s)
		}
	}
	if len(p.lines) == 0 {
		return nil
	}
	p.setRange()
	p.addMarks(r, g, styles)
	p.addPlotters()
	return p
}

func newAxes() *plot.Plot {
	a := plot.New()
	a.BackgroundColor = nil
	a.X.Scale, a.Y.Scale = plot.LogScale{}, plot.LogScale{}
	a.X.Tick.Marker, a.Y.Tick.Marker = plot.TickerFunc(batchTicks), plot.TickerFunc(timeTicks)
	for _, axis := range []*plot.Axis{&a.X, &a.Y} {
		axis.Padding = 0
		axis.Tick.Label.Font = sans(9)
		axis.Tick.Length = vg.Points(5)
		axis.LineStyle.Color, axis.Tick.LineStyle.Color = gray, gray
	}
	return a
}

// setRange leaves room around the data, and at least a factor of two in batches
// and of eight in time, so that flat lines look flat.
func (p *panel) setRange() {
	xMin, xMax, yMin, yMax := math.Inf(1), 0.0, math.Inf(1), 0.0
	for _, s := range p.lines {
		for i := range s.at {
			xMin, xMax = min(xMin, s.at[i].X), max(xMax, s.at[i].X)
			yMin, yMax = min(yMin, s.lo[i].Y), max(yMax, s.hi[i].Y)
		}
	}
	p.axes.X.Min, p.axes.X.Max = widen(xMin, xMax, 2)
	p.axes.Y.Min, p.axes.Y.Max = widen(yMin, yMax, 8)
}

// widen extends [lo, hi] by the same factor on both sides, to hi/lo >= least.
func widen(lo, hi, least float64) (float64, float64) {
	margin := max(math.Pow(hi/lo, 0.035), math.Sqrt(least*lo/hi))
	return lo / margin, hi * margin
}

// addMarks marks the crossovers of this operation that lie within the plot.
func (p *panel) addMarks(r *Report, g *group, styles []lineLook) {
	for i := range r.Crossovers {
		c := &r.Crossovers[i]
		if c.Verdict != VerdictFound || c.Batch == nil || !g.isOf(c) {
			continue
		}
		at := float64(*c.Batch)
		if at < p.axes.X.Min || at > p.axes.X.Max {
			continue
		}
		m := mark{at: at, lo: at, hi: at, color: gray}
		if c.Lo > 0 && c.Hi >= c.Lo {
			m.lo = max(float64(c.Lo), p.axes.X.Min)
			m.hi = min(float64(c.Hi), p.axes.X.Max)
		}
		for j, col := range g.columns {
			if col.backend == c.Backend {
				m.color = styles[j].line.Color
			}
		}
		says := "%s overtakes %s at %s"
		if isHotPath(g.op) {
			says = "%s pays against %s from %s"
		}
		m.text = fmt.Sprintf(says, label(c.Backend, r.software(c.Backend)), c.Against, thousands(*c.Batch))
		p.marks = append(p.marks, m)
	}
}

// addPlotters puts the doubt below the grid, the grid below the bands, and the
// lines on top. The constructors of gonum/plot would only check again what
// newPanel has checked.
func (p *panel) addPlotters() {
	for i := range p.marks {
		p.axes.Add(doubt{&p.marks[i]})
	}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = lightGray, lightGray
	p.axes.Add(grid)
	for _, s := range p.lines {
		ring := append(plotter.XYs{}, s.hi...)
		for i := len(s.lo) - 1; i >= 0; i-- {
			ring = append(ring, s.lo[i])
		}
		p.axes.Add(&plotter.Polygon{XYs: []plotter.XYs{ring}, Color: s.band})
	}
	for i := range p.marks {
		p.axes.Add(&p.marks[i])
	}
	for _, s := range p.lines {
		p.axes.Add(&plotter.Line{XYs: s.at, LineStyle: s.line}, &plotter.Scatter{XYs: s.at, GlyphStyle: s.glyph})
	}
}

// Plot draws the vertical line of a crossover.
func (m *mark) Plot(c draw.Canvas, p *plot.Plot) {
	x, _ := p.Transforms(&c)
	style := draw.LineStyle{Color: m.color, Width: vg.Points(1.1), Dashes: []vg.Length{vg.Points(2), vg.Points(2)}}
	c.StrokeLine2(style, x(m.at), c.Min.Y, x(m.at), c.Max.Y)
}

// doubt shades the interval of a crossover.
type doubt struct{ *mark }

func (d doubt) Plot(c draw.Canvas, p *plot.Plot) {
	x, _ := p.Transforms(&c)
	lo, hi := x(d.lo), x(d.hi)
	c.FillPolygon(translucent(d.color, 0x18), []vg.Point{
		{X: lo, Y: c.Min.Y}, {X: hi, Y: c.Min.Y}, {X: hi, Y: c.Max.Y}, {X: lo, Y: c.Max.Y},
	})
}

// draw lays out, from the top: the title, the legend, a line for the text of each
// crossover, the axes. The axes' labels are drawn here, since those of gonum/plot
// are placed as if the axes were linear.
func (p *panel) draw(c draw.Canvas) {
	title := textStyle(13, color.Black)
	c.FillText(title, vg.Point{X: c.Min.X, Y: c.Max.Y}, fit(title, p.title, c.Size().X))
	c.Max.Y -= title.Height("M") * 1.7
	c = p.drawLegend(c)

	text := textStyle(9, color.Black)
	step := text.Height("M") * 1.4
	label := textStyle(10, color.Black)
	room := label.Height("M") * 1.6
	axes := draw.Crop(c, room, 0, room, -step*vg.Length(len(p.marks))-vg.Points(4))
	data := p.axes.DataCanvas(axes)

	label.XAlign, label.YAlign = draw.XCenter, draw.YBottom
	c.FillText(label, vg.Point{X: data.Center().X, Y: c.Min.Y}, p.words.axis)
	label.Rotation, label.YAlign = math.Pi/2, draw.YTop
	c.FillText(label, vg.Point{X: c.Min.X, Y: data.Center().Y}, cmp.Or(p.measures, "time per "+p.words.row))

	x, _ := p.axes.Transforms(&data)
	for i, m := range p.marks {
		y := data.Max.Y + step*vg.Length(len(p.marks)-i)
		text.Color = m.color
		width := text.Width(m.text)
		left := min(max(x(m.at)-width/2, c.Min.X), c.Max.X-width)
		c.FillText(text, vg.Point{X: left, Y: y + vg.Points(3)}, m.text)
		stem := draw.LineStyle{Color: m.color, Width: vg.Points(0.6)}
		c.StrokeLine2(stem, x(m.at), data.Max.Y, x(m.at), y-text.Height("M"))
	}
	p.axes.Draw(axes)
}

// drawLegend puts the names of the lines side by side and returns the canvas
// below them.
func (p *panel) drawLegend(c draw.Canvas) draw.Canvas {
	text := textStyle(10, color.Black)
	height := text.Height("M")
	sample, gap := vg.Points(26), vg.Points(5)
	x, y := c.Min.X, c.Max.Y
	for _, s := range p.lines {
		name := fit(text, s.name, c.Size().X-sample-gap)
		width := sample + gap + text.Width(name)
		if x > c.Min.X && x+width > c.Max.X {
			x, y = c.Min.X, y-height*1.5
		}
		middle := y - height/2
		c.StrokeLine2(s.line, x, middle, x+sample, middle)
		c.DrawGlyphNoClip(s.glyph, vg.Point{X: x + sample/2, Y: middle})
		c.FillText(text, vg.Point{X: x + sample + gap, Y: y}, name)
		x += width + 3*gap
	}
	c.Max.Y = y - height*1.5
	return c
}
