package report

import (
	"fmt"
	"io"
	"strings"
)

// WriteMarkdown writes r for people: the paper's table and the speed-ups for
// each operation, the crossovers as sentences, the fits, the phases, the hot path,
// and below them the machine and the command. The source is aligned, so that it also reads
// as plain text.
func WriteMarkdown(w io.Writer, r *Report) error {
	var b strings.Builder
	if r.Partial {
		b.WriteString("**Interrupted:** what follows is what had finished.\n\n")
	}
	groups := groupRows(r.Rows)
	for _, g := range groups {
		markdownGroup(&b, g)
	}
	if len(groups) == 0 && len(r.HotPath) == 0 && len(r.Blocks) == 0 {
		b.WriteString("Nothing was measured.\n\n")
	}
	r.markdownCrossovers(&b)
	if t := r.fitTable(); t != nil {
		b.WriteString("## Fits\n\nThe line T(n) = D + τ·n through the times of whole batches.\n\n")
		t.writeMarkdown(&b)
		b.WriteString("\n")
	}
	markdownPhases(&b, groups)
	r.markdownHotPath(&b)
	r.markdownBlocks(&b)
	r.markdownMachine(&b)
	_, err := io.WriteString(w, strings.TrimRight(b.String(), "\n")+"\n")
	return err
}

func markdownGroup(b *strings.Builder, g *group) {
	fmt.Fprintf(b, "## %s\n\n", escapeMarkdown(longTitle(g.op, g.params, g.resident)))
	b.WriteString(escapeMarkdown(g.caption()) + "\n\n")
	g.timeTable().writeMarkdown(b)
	b.WriteString("\n")
	for _, failure := range g.failures() {
		b.WriteString("- " + escapeMarkdown(failure) + "\n")
	}
	if len(g.failures()) > 0 {
		b.WriteString("\n")
	}
	if t := g.rateTable(); t != nil {
		b.WriteString(rateCaption + ".\n\n")
		t.writeMarkdown(b)
		b.WriteString("\n")
	}
	if t := g.speedTable(); t != nil {
		b.WriteString(speedCaption + "; above 1 the backend is faster, in bold where the 95 % interval lies above 1.\n\n")
		t.writeMarkdown(b)
		b.WriteString("\n")
	}
	if t := g.rootTable(); t != nil {
		b.WriteString(rootCaption + ".\n\n")
		t.writeMarkdown(b)
		b.WriteString("\n")
	}
}

// markdownPhases comes after what answers the question: it explains.
func markdownPhases(b *strings.Builder, groups []*group) {
	head := "## Phases\n\nTimes in µs; they need not add up to the whole.\n\n"
	for _, g := range groups {
		t := g.phaseTable()
		if t == nil {
			continue
		}
		b.WriteString(head + escapeMarkdown(shortTitle(g.op, g.params, g.resident)) + ", per " + g.words().call + ":\n\n")
		t.writeMarkdown(b)
		b.WriteString("\n")
		head = ""
	}
}

// caption says what the numbers of the time table are.
func (g *group) caption() string {
	s := "Time in µs " + g.words().caption
	fewest, intervals := 0, false
	for _, row := range g.cells {
		if !row.measured() {
			continue
		}
		if fewest == 0 || row.Samples < fewest {
			fewest = row.Samples
		}
		lo, hi := row.interval()
		intervals = intervals || lo < hi
	}
	switch {
	case fewest > 0 && intervals:
		s += fmt.Sprintf(": medians of %d samples or more; ± is the reach of the 95 %% interval", fewest)
	case fewest > 0:
		s += fmt.Sprintf(", from %d samples or more", fewest)
	}
	return s + "."
}

// failures lists the cells without a time, or without phases, with the reason.
// Sizes that failed alike share a line.
func (g *group) failures() []string {
	var lines []string
	for _, c := range g.columns {
		var reasons []string
		sizes := map[string][]int{}
		for _, n := range g.batches {
			reason := g.cells[cellKey{c, n}].failure()
			if reason == "" {
				continue
			}
			if sizes[reason] == nil {
				reasons = append(reasons, reason)
			}
			sizes[reason] = append(sizes[reason], n)
		}
		for _, reason := range reasons {
			lines = append(lines, fmt.Sprintf("%s at %s = %s: %s", c.label(), g.words().n, joinInts(sizes[reason]), reason))
		}
	}
	return lines
}

// failure says why the row has no time, or no phases, that may be shown, if so.
func (row *Row) failure() string {
	switch {
	case row == nil:
		return ""
	case row.Unsupported:
		return oneLine(row.Error)
	case row.Error != "":
		return "failed: " + oneLine(row.Error)
	case !row.Verified:
		return "not checked against the reference"
	case row.PhaseError != "":
		return "no phases: " + oneLine(row.PhaseError)
	}
	return ""
}

func (r *Report) markdownCrossovers(b *strings.Builder) {
	if !r.hasCrossovers() {
		return
	}
	b.WriteString("## Crossovers\n\n")
	for i := range r.Crossovers {
		if c := &r.Crossovers[i]; !isHotPath(c.Op) {
			b.WriteString("- " + escapeMarkdown(r.sentence(c)) + "\n")
		}
	}
	b.WriteString("\n")
}

// hasCrossovers says whether any crossover is about batches rather than about
// signatures in flight.
func (r *Report) hasCrossovers() bool {
	for i := range r.Crossovers {
		if !isHotPath(r.Crossovers[i].Op) {
			return true
		}
	}
	return false
}

// hotPathSentences are the verdicts on one reading of the hot path.
func (r *Report) hotPathSentences(reading string) []string {
	var lines []string
	for i := range r.Crossovers {
		if c := &r.Crossovers[i]; c.Op == HotPathOp(reading) {
			lines = append(lines, r.sentence(c))
		}
	}
	return lines
}

func (r *Report) markdownHotPath(b *strings.Builder) {
	if len(r.HotPath) == 0 {
		return
	}
	b.WriteString("## Pulsar hot path\n\n")
	b.WriteString("Time of k signatures in flight as one batch, and the share of a signature that this work is.\n\n")
	for _, reading := range r.readings() {
		b.WriteString(escapeMarkdown(capital(readingTitle(reading))) + ".\n\n")
		r.hotPathTable(reading).writeMarkdown(b)
		b.WriteString("\n")
		sentences := r.hotPathSentences(reading)
		for _, s := range sentences {
			b.WriteString("- " + escapeMarkdown(s) + "\n")
		}
		if len(sentences) > 0 {
			b.WriteString("\n")
		}
	}
}

func (r *Report) markdownMachine(b *strings.Builder) {
	lines := r.Machine.lines()
	if len(lines) == 0 && r.Commit == "" && r.Command == "" {
		return
	}
	b.WriteString("---\n\n")
	for _, line := range lines {
		b.WriteString("- " + escapeMarkdown(line) + "\n")
	}
	if r.Commit != "" {
		b.WriteString("- commit " + escapeMarkdown(oneLine(r.Commit)) + "\n")
	}
	if r.Command != "" {
		b.WriteString("- " + codeSpan(r.Command) + "\n")
	}
}

// lines describe the host and then each device.
func (m *Machine) lines() []string {
	var parts []string
	if m.CPU != "" {
		parts = append(parts, m.CPU)
	}
	if m.Cores > 0 {
		parts = append(parts, plural(m.Cores, "core"))
	}
	if m.OS != "" || m.Arch != "" {
		parts = append(parts, m.OS+"/"+m.Arch)
	}
	if m.GoVersion != "" {
		parts = append(parts, m.GoVersion)
	}
	var lines []string
	if len(parts) > 0 {
		lines = append(lines, oneLine(strings.Join(parts, ", ")))
	}
	for _, d := range m.Devices {
		line := label(d.Backend, d.Software) + ": " + d.Name
		if d.Driver != "" {
			line += ", " + d.Driver
		}
		lines = append(lines, oneLine(line))
	}
	return lines
}
