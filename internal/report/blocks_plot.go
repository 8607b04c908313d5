package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// Lines of a panel of blocks, with the looks that they keep from panel to panel.
const (
	lineExec = iota
	lineEndToEnd
	lineCeiling
	lineMeasured
	lineMeasuredEndToEnd
)

// newBlockPanels makes a panel for each table of blocks that has speed-ups: over the
// number of workers, or for a gas sweep over the cost of a transaction.
func newBlockPanels(r *Report) []*panel {
	var panels []*panel
	for _, g := range r.groupBlocks() {
		var p *panel
		switch g.table {
		case BlockHarness:
			continue
		case BlockBench:
			p = g.panelByLoad("workers", func(b *Block) float64 { return float64(b.Workers) })
		case BlockGas:
			p = g.panelByLoad("Keccak-256 per transaction", func(b *Block) float64 { return float64(b.Gas) })
		default:
			p = g.panelByWorkers()
		}
		if p != nil {
			panels = append(panels, p)
		}
	}
	return panels
}

// newSpeedPanel is an empty panel of speed-ups.
func (g *blockGroup) newSpeedPanel(axis string) *panel {
	p := &panel{title: g.title, words: words{axis: axis}, axes: newAxes(), measures: "speed-up over the sequential run"}
	p.axes.Y.Tick.Marker = plot.TickerFunc(speedTicks)
	return p
}

// panelByWorkers shows one block's speed-ups against the workers.
func (g *blockGroup) panelByWorkers() *panel {
	p := g.newSpeedPanel("workers")
	for line, name := range []string{
		lineExec: "execution", lineEndToEnd: "end to end", lineCeiling: "ceiling, end to end",
		lineMeasured: "execution, measured", lineMeasuredEndToEnd: "end to end, measured",
	} {
		if g.table == BlockSimulate && line < lineMeasured {
			name += ", SIMULATED"
		}
		p.addSeries(name, line, g.table == BlockSimulate && line < lineMeasured, g.blocks, func(b *Block) (float64, *Ratio) {
			measured := g.table == BlockSimulate && !b.Simulated
			if measured != (line >= lineMeasured) {
				return 0, nil
			}
			return float64(b.Workers), []*Ratio{b.ExecSpeedup, b.EndToEndSpeedup, b.Ceiling, b.ExecSpeedup, b.EndToEndSpeedup}[line]
		})
	}
	return p.finish()
}

// panelByLoad shows a line for each load: of a bench the execution, of a gas sweep
// the end to end speed-up with the most workers.
func (g *blockGroup) panelByLoad(axis string, x func(*Block) float64) *panel {
	p := g.newSpeedPanel(axis)
	most := 0
	var loads []string
	for _, b := range g.blocks {
		most = max(most, b.Workers)
		if !slices.Contains(loads, b.Load) {
			loads = append(loads, b.Load)
		}
	}
	for i, load := range loads {
		name := load
		if g.table == BlockGas {
			name = fmt.Sprintf("%s, %d workers", load, most)
		}
		p.addSeries(name, i, false, g.blocks, func(b *Block) (float64, *Ratio) {
			switch {
			case b.Load != load:
				return 0, nil
			case g.table == BlockGas && b.Workers == most:
				return x(b), b.EndToEndSpeedup
			case g.table == BlockGas:
				return 0, nil
			}
			return x(b), b.ExecSpeedup
		})
	}
	return p.finish()
}

// addSeries adds the line of the blocks for which at has a point, if there is one.
func (p *panel) addSeries(name string, look int, dashed bool, blocks []*Block, at func(*Block) (float64, *Ratio)) {
	style := newLook(look%len(colors), dashed)
	s := &series{name: name, line: style.line, glyph: style.glyph, band: style.band}
	for _, b := range blocks {
		x, y := at(b)
		if b.Run != RunParallel || b.Error != "" || y == nil || x < 1 || y.Median <= 0 {
			continue
		}
		lo, hi := y.Lo, y.Hi
		if lo <= 0 || hi < lo {
			lo, hi = y.Median, y.Median
		}
		s.at = append(s.at, plotter.XY{X: x, Y: y.Median})
		s.lo = append(s.lo, plotter.XY{X: x, Y: lo})
		s.hi = append(s.hi, plotter.XY{X: x, Y: hi})
	}
	if len(s.at) > 0 {
		p.lines = append(p.lines, s)
	}
}

// finish sets the axes up; nil for a panel without a line.
func (p *panel) finish() *panel {
	if len(p.lines) == 0 {
		return nil
	}
	p.setRange()
	p.addPlotters()
	return p
}

// speedTicks labels powers of two.
func speedTicks(lo, hi float64) []plot.Tick {
	var ticks []plot.Tick
	if !(lo > 0) || !(hi > lo) || !isFinite(hi) {
		return ticks
	}
	for e := math.Ceil(math.Log2(lo)); e <= math.Log2(hi); e++ {
		x := math.Exp2(e)
		ticks = append(ticks, plot.Tick{Value: x, Label: strconv.FormatFloat(x, 'g', 4, 64) + "x"})
	}
	return ticks
}
