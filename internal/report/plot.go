package report

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

const (
	panelWidth  = 9 * vg.Inch
	panelHeight = 5.6 * vg.Inch
	plotMargin  = 0.18 * vg.Inch
	pngDPI      = 144
)

// Plot draws the time per row against the batch size, both on logarithmic axes, as
// SVG or PNG, whichever the extension of path says; any other is ErrFormat. Each
// operation has a panel, each backend a line with its 95 % interval as a band, each
// crossover a vertical line with the doubt about it shaded. A software device has
// a broken line and is labelled. Where nothing but the hot path was measured, each
// of its readings has a panel: the time per signature against the signatures in
// flight. Blocks alone have panels of their speed-ups against the workers. A report
// without a time is ErrEmpty and nothing is written.
func Plot(w io.Writer, path string, r *Report) error {
	if err := CheckPlot(path); err != nil {
		return err
	}
	return render(w, plotFormat(path), r)
}

// CheckPlot is nil for a path that [Plot] can draw to, so that a command can
// refuse any other before it measures.
func CheckPlot(path string) error {
	switch plotFormat(path) {
	case "svg", "png":
		return nil
	}
	return fmt.Errorf("%w: a plot ends in .svg or .png, not %q", ErrFormat, filepath.Ext(path))
}

func plotFormat(path string) string {
	return strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))
}

// render draws the panels one below the other.
func render(w io.Writer, format string, r *Report) error {
	panels := newPanels(r, r.Rows)
	if len(panels) == 0 {
		panels = newPanels(r, r.hotPathRows())
	}
	if len(panels) == 0 {
		panels = newBlockPanels(r)
	}
	if len(panels) == 0 {
		return ErrEmpty
	}
	notes := footnotes(r)
	noteHeight := vg.Length(len(notes))*noteStyle().Height("M")*1.35 + 2*plotMargin
	width, height := panelWidth, panelHeight*vg.Length(len(panels))+noteHeight

	var canvas vg.CanvasWriterTo
	if format == "png" {
		canvas = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(pngDPI))}
	} else {
		canvas = vgsvg.New(width, height)
	}
	page := draw.NewCanvas(canvas, width, height)
	page.SetColor(color.White)
	page.Fill(page.Rectangle.Path())
	for i, p := range panels {
		top := vg.Length(i) * panelHeight
		p.draw(draw.Crop(page, plotMargin, -plotMargin, height-top-panelHeight, -top-plotMargin))
	}
	drawNotes(draw.Crop(page, plotMargin, -plotMargin, 0, noteHeight-plotMargin-height), notes)

	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return err
	}
	_, err := w.Write(portableFonts(b.Bytes(), format))
	return err
}

// newPanels makes a panel for each operation among rows that was measured.
func newPanels(r *Report, rows []Row) []*panel {
	var panels []*panel
	for _, g := range groupRows(rows) {
		if p := newPanel(r, g); p != nil {
			panels = append(panels, p)
		}
	}
	return panels
}

// portableFonts lets a viewer without the Liberation fonts take others of the
// same widths in their place.
func portableFonts(data []byte, format string) []byte {
	if format != "svg" {
		return data
	}
	return bytes.ReplaceAll(data, []byte("font-family:Liberation Sans;"),
		[]byte("font-family:Liberation Sans,Arial,Helvetica,sans-serif;"))
}

// footnotes say where and how the numbers were taken.
func footnotes(r *Report) []string {
	notes := r.Machine.lines()
	if r.Command != "" {
		notes = append(notes, oneLine(r.Command))
	}
	if r.Partial {
		notes = append(notes, "interrupted: what is shown is what had finished")
	}
	return notes
}

func drawNotes(c draw.Canvas, notes []string) {
	style := noteStyle()
	y := c.Max.Y
	for _, note := range notes {
		c.FillText(style, vg.Point{X: c.Min.X, Y: y}, fit(style, note, c.Size().X))
		y -= style.Height("M") * 1.35
	}
}

// fit cuts text to a width, with an ellipsis where something is lost.
func fit(style draw.TextStyle, text string, width vg.Length) string {
	if style.Width(text) <= width {
		return text
	}
	runes := []rune(text)
	for len(runes) > 0 {
		runes = runes[:len(runes)-1]
		if cut := string(runes) + "…"; style.Width(cut) <= width {
			return cut
		}
	}
	return ""
}
