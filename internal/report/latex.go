package report

import (
	"io"
	"strings"
)

// WriteLaTeX writes the tables of r as LaTeX, to be read with \input by a
// document that loads booktabs. Each is a table of its own with a caption; the
// crossovers follow as a list. Text is escaped and pure ASCII.
func WriteLaTeX(w io.Writer, r *Report) error {
	var b strings.Builder
	b.WriteString("% Needs \\usepackage{booktabs}.\n")
	for _, line := range r.Machine.lines() {
		latexComment(&b, line)
	}
	if r.Commit != "" {
		latexComment(&b, "commit "+r.Commit)
	}
	if r.Command != "" {
		latexComment(&b, r.Command)
	}
	if r.Partial {
		b.WriteString("% Interrupted: what follows is what had finished.\n")
	}
	b.WriteString("\n")
	for _, g := range groupRows(r.Rows) {
		title := longTitle(g.op, g.params, g.resident)
		g.timeTable().writeLaTeX(&b, title+". "+g.caption())
		if t := g.rateTable(); t != nil {
			t.writeLaTeX(&b, title+". "+rateCaption+".")
		}
		if t := g.speedTable(); t != nil {
			t.writeLaTeX(&b, title+". "+speedCaption+".")
		}
		if t := g.phaseTable(); t != nil {
			t.writeLaTeX(&b, title+". Phases of a "+g.words().call+" in µs.")
		}
		if t := g.rootTable(); t != nil {
			t.writeLaTeX(&b, title+". "+rootCaption+".")
		}
	}
	if t := r.fitTable(); t != nil {
		t.writeLaTeX(&b, "Fits: the line T(n) = D + τ·n through the times of whole batches.")
	}
	for _, reading := range r.readings() {
		r.hotPathTable(reading).writeLaTeX(&b, "Pulsar hot path, k signatures in flight. "+capital(readingTitle(reading))+".")
	}
	r.latexBlocks(&b)
	r.latexCrossovers(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// latexComment keeps to one line and to ASCII, whatever it is given.
func latexComment(b *strings.Builder, s string) {
	b.WriteString("% " + strings.Map(func(c rune) rune {
		if c > '~' {
			return '?'
		}
		return c
	}, oneLine(s)) + "\n")
}

func (r *Report) latexCrossovers(b *strings.Builder) {
	if len(r.Crossovers) == 0 {
		return
	}
	b.WriteString("\\begin{itemize}\n")
	for i := range r.Crossovers {
		b.WriteString("\\item " + escapeLaTeX(r.sentence(&r.Crossovers[i])) + ".\n")
	}
	b.WriteString("\\end{itemize}\n")
}

// writeLaTeX prints the table with booktabs rules, its source aligned.
func (t *table) writeLaTeX(b *strings.Builder, caption string) {
	grid := make([][]string, 0, len(t.rows)+1)
	head := make([]string, len(t.head))
	for j, h := range t.head {
		head[j] = escapeLaTeX(h)
	}
	grid = append(grid, head)
	for _, row := range t.rows {
		line := make([]string, len(t.head))
		for j := range line {
			if j < len(row) {
				line[j] = latexCell(row[j])
			}
		}
		grid = append(grid, line)
	}
	widths := columnWidths(grid, 0)

	b.WriteString("\\begin{table}[htbp]\n\\centering\n")
	b.WriteString("\\caption{" + escapeLaTeX(caption) + "}\n\\small\n")
	b.WriteString("\\begin{tabular}{")
	for j := range t.head {
		if t.left[j] {
			b.WriteString("l")
		} else {
			b.WriteString("r")
		}
	}
	b.WriteString("}\n\\toprule\n")
	for i, line := range grid {
		for j, text := range line {
			if j > 0 {
				b.WriteString(" & ")
			}
			b.WriteString(t.pad(j, text, widths[j]))
		}
		b.WriteString(" \\\\\n")
		if i == 0 {
			b.WriteString("\\midrule\n")
		}
	}
	b.WriteString("\\bottomrule\n\\end{tabular}\n\\end{table}\n\n")
}

func latexCell(c cell) string {
	text := escapeLaTeX(c.text)
	if c.bold {
		return "\\textbf{" + text + "}"
	}
	return text
}
