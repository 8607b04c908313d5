package report

import (
	"strings"
	"unicode/utf8"
)

// table is a grid of cells, ready to be printed in any markup. Columns are
// right-justified but for those marked left.
type table struct {
	head []string
	left map[int]bool
	rows [][]cell
}

type cell struct {
	text string
	bold bool
}

func plain(text string) cell { return cell{text: text} }

func (t *table) add(cells ...cell) { t.rows = append(t.rows, cells) }

// column applies f to every cell of column j.
func (t *table) column(j int, f func(c *cell)) {
	for i := range t.rows {
		if j < len(t.rows[i]) {
			f(&t.rows[i][j])
		}
	}
}

// writeMarkdown prints the table with its source aligned, so that it reads in a
// terminal as it does in a browser. Cells are escaped here.
func (t *table) writeMarkdown(b *strings.Builder) {
	grid := make([][]string, 0, len(t.rows)+1)
	head := make([]string, len(t.head))
	for j, h := range t.head {
		head[j] = escapeMarkdown(h)
	}
	grid = append(grid, head)
	for _, row := range t.rows {
		line := make([]string, len(t.head))
		for j := range line {
			if j < len(row) {
				line[j] = markdownCell(row[j], t.hasBold(j))
			}
		}
		grid = append(grid, line)
	}
	widths := columnWidths(grid, 3)
	for i, line := range grid {
		b.WriteString("|")
		for j, text := range line {
			b.WriteString(" " + t.pad(j, text, widths[j]) + " |")
		}
		b.WriteString("\n")
		if i == 0 {
			t.writeRule(b, widths)
		}
	}
}

func (t *table) writeRule(b *strings.Builder, widths []int) {
	b.WriteString("|")
	for j, w := range widths {
		if t.left[j] {
			b.WriteString(" :" + strings.Repeat("-", w-1) + " |")
		} else {
			b.WriteString(" " + strings.Repeat("-", w-1) + ": |")
		}
	}
	b.WriteString("\n")
}

func (t *table) hasBold(j int) bool {
	for _, row := range t.rows {
		if j < len(row) && row[j].bold {
			return true
		}
	}
	return false
}

// markdownCell escapes a cell. Where its column has bold cells the others are
// padded by the width of the mark, so that the digits stay in line.
func markdownCell(c cell, padded bool) string {
	text := escapeMarkdown(c.text)
	switch {
	case c.bold:
		return "**" + text + "**"
	case padded:
		return text + "  "
	}
	return text
}

// writeText prints the table for a terminal, without any mark-up.
func (t *table) writeText(b *strings.Builder) {
	grid := [][]string{t.head}
	for _, row := range t.rows {
		line := make([]string, len(t.head))
		for j := range line {
			if j < len(row) {
				line[j] = oneLine(row[j].text)
			}
		}
		grid = append(grid, line)
	}
	widths := columnWidths(grid, 0)
	for _, line := range grid {
		var l strings.Builder
		for j, text := range line {
			if j > 0 {
				l.WriteString("  ")
			}
			l.WriteString(t.pad(j, text, widths[j]))
		}
		b.WriteString(strings.TrimRight(l.String(), " ") + "\n")
	}
}

// pad fills text to width on the side that its column's alignment asks for.
func (t *table) pad(j int, text string, width int) string {
	if t.left[j] {
		return text + spaces(width-utf8.RuneCountInString(text))
	}
	return spaces(width-utf8.RuneCountInString(text)) + text
}

func spaces(n int) string { return strings.Repeat(" ", max(n, 0)) }

func columnWidths(grid [][]string, least int) []int {
	widths := make([]int, len(grid[0]))
	for j := range widths {
		widths[j] = least
	}
	for _, line := range grid {
		for j, text := range line {
			widths[j] = max(widths[j], utf8.RuneCountInString(text))
		}
	}
	return widths
}
