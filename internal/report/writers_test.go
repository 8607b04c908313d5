package report

import (
	"bytes"
	"encoding/csv"
	"errors"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// reports are the inputs whose output is pinned in testdata.
var reports = []struct {
	name   string
	report func() *Report
}{
	{"paper", paperReport},
	{"mixed", mixedReport},
	{"hashing", hashingReport},
	{"blocks", blocksReport},
	{"empty", func() *Report { return &Report{} }},
	{"single", func() *Report {
		r := paperReport()
		r.Rows, r.Fits, r.Crossovers, r.HotPath = r.Rows[:1], nil, nil, nil
		return r
	}},
}

var extensions = map[string]string{"md": "md", "csv": "csv", "json": "json", "latex": "tex", "gobench": "txt"}

func TestGolden(t *testing.T) {
	for _, format := range Formats() {
		for _, in := range reports {
			t.Run(format+"/"+in.name, func(t *testing.T) {
				var b bytes.Buffer
				require.NoError(t, Write(&b, format, in.report()))
				golden(t, in.name+"."+extensions[format], b.String())
			})
		}
	}
}

// The same report gives the same bytes, and no writer changes it.
func TestWritersArePure(t *testing.T) {
	for _, format := range Formats() {
		r := mixedReport()
		var first bytes.Buffer
		require.NoError(t, Write(&first, format, r))
		for range 20 {
			var again bytes.Buffer
			require.NoError(t, Write(&again, format, r))
			require.Equal(t, first.String(), again.String(), format)
		}
		require.Equal(t, mixedReport(), r, format)
	}
}

func TestWriteUnknownFormat(t *testing.T) {
	err := Write(&bytes.Buffer{}, "xls", &Report{})
	require.ErrorIs(t, err, ErrFormat)
	require.ErrorContains(t, err, "md, csv, json, latex, gobench")
	require.NoError(t, CheckFormat("md"))
}

type failingWriter struct{}

var errDisk = errors.New("disk full")

func (failingWriter) Write([]byte) (int, error) { return 0, errDisk }

func TestWritersReportWriteErrors(t *testing.T) {
	for _, format := range Formats() {
		require.ErrorIs(t, Write(failingWriter{}, format, paperReport()), errDisk, format)
	}
	require.ErrorIs(t, WriteList(failingWriter{}, nil), errDisk)
	require.ErrorIs(t, WriteJUnit(failingWriter{}, nil), errDisk)
	require.ErrorIs(t, WriteChanges(failingWriter{}, nil), errDisk)
}

// The paper's own numbers have to be in the tables as it printed them, but for
// one: it rounds 8588.15/2688 = 3.19499 up to 3.20.
func TestMarkdownShowsThePaper(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, WriteMarkdown(&b, paperReport()))
	text := b.String()
	for _, row := range [][]string{
		{"1", "1.36", "1481.36", "2731.92", "1.36", "1481.36", "2731.92"},
		{"4", "1.34", "505.23", "692.78", "5.35", "2020.93", "2771.13"},
		{"2688", "1.38", "3.19", "2.65", "3705.77", "8588.15", "7117.69"},
		{"65536", "1.38", "0.93", "1.58", "90652.03", "61190.16", "103545.52"},
		{"4096", "0.665×", "0.687×", "cpu"},
		{"16384", "**1.254×**", "0.889×", "metal"},
		{"65536", "**1.481×**", "0.875×", "metal"},
	} {
		require.Regexp(t, `\|\s+`+strings.Join(quoteAll(row), `\s+\|\s+`)+`\s+\|`, text)
	}
	require.Contains(t, text, "ntt forward, pulsar: metal overtakes cpu at batch 11100 [4096, 16384]")
	require.Contains(t, text, "ntt forward, pulsar: wgsl never overtakes cpu up to batch 65536")
}

func quoteAll(texts []string) []string {
	out := make([]string, len(texts))
	for i, s := range texts {
		out[i] = regexp.QuoteMeta(s)
	}
	return out
}

var unescapedPipe = regexp.MustCompile(`(^|[^\\])\|`)

// Every line of a Markdown table has as many cells and, in runes, the same width.
func TestMarkdownTablesAreAligned(t *testing.T) {
	for _, in := range reports {
		var b bytes.Buffer
		require.NoError(t, WriteMarkdown(&b, in.report()))
		var cells, width int
		for _, line := range strings.Split(b.String(), "\n") {
			if !strings.HasPrefix(line, "|") {
				cells = 0
				continue
			}
			n, w := len(unescapedPipe.FindAllString(line, -1)), len([]rune(line))
			if cells == 0 {
				cells, width = n, w
			}
			require.Equal(t, cells, n, line)
			require.Equal(t, width, w, line)
		}
	}
}

// A software device is labelled wherever it is named and never the fastest.
func TestSoftwareIsLabelledAndNeverBest(t *testing.T) {
	r := mixedReport()
	for i := range r.Rows {
		if r.Rows[i].Software {
			r.Rows[i].NsPerRow, r.Rows[i].Lo, r.Rows[i].Hi = 1, 1, 1
		}
	}
	for _, g := range groupRows(r.Rows) {
		for _, n := range g.batches {
			require.NotContains(t, g.fastest(n), "wgsl")
		}
	}
	for _, format := range []string{"md", "latex"} {
		var b bytes.Buffer
		require.NoError(t, Write(&b, format, r))
		for _, line := range strings.Split(b.String(), "\n") {
			if strings.HasPrefix(line, "%") || !regexp.MustCompile(`\bwgsl\b`).MatchString(line) {
				continue
			}
			require.Equal(t, strings.Count(line, "wgsl"), strings.Count(line, "wgsl (software)"), line)
		}
	}
	var b bytes.Buffer
	require.NoError(t, WriteGobench(&b, r))
	require.Equal(t, strings.Count(b.String(), "backend=wgsl"), strings.Count(b.String(), "backend=wgsl(software)/"))
}

// Backends whose intervals overlap are named together, and a row without any
// hardware names none.
func TestFastest(t *testing.T) {
	row := func(backend string, batch int, lo, ns, hi float64) Row {
		return Row{Op: "forward", Backend: backend, Software: backend == "wgsl", Batch: batch,
			NsPerRow: ns, Lo: lo, Hi: hi, Samples: 11, Verified: true}
	}
	g := groupRows([]Row{
		row("cpu", 1, 90, 100, 110), row("metal", 1, 105, 108, 112), row("simd", 1, 111, 115, 119),
		row("cpu", 4, 90, 100, 110), row("metal", 4, 50, 60, 70),
		row("wgsl", 1, 1, 1, 1), row("wgsl", 16, 1, 1, 1),
	})[0]
	require.Equal(t, "cpu ≈ metal", g.fastest(1))
	require.Equal(t, "metal", g.fastest(4))
	require.Equal(t, noCell, g.fastest(16))
}

// A speed-up is that of paired samples where there are such, from whichever of the
// two rows, and both what is bold and who is fastest follow it.
func TestSpeedups(t *testing.T) {
	row := func(backend string, lo, ns, hi float64, s map[string]Ratio) Row {
		return Row{Op: "forward", Backend: backend, Batch: 4, NsPerRow: ns, Lo: lo, Hi: hi, Samples: 11, Verified: true, Speedup: s}
	}
	g := groupRows([]Row{
		row("cpu", 90, 100, 110, nil), row("cpu-mt", 50, 60, 120, map[string]Ratio{"cpu": {1.5, 1.25, 2}}),
		row("metal", 30, 40, 200, map[string]Ratio{"cpu": {3, 0.9, 4}, "cpu-mt": {2, 1.25, 2.5}}),
		row("simd", 10, 20, 30, nil),
	})[0]
	table := g.speedTable()
	require.Equal(t, []string{"n", "cpu-mt", "metal", "simd", "metal over best CPU", "fastest"}, table.head)
	require.Equal(t, [][]cell{{plain("4"), {"1.500×", true}, {"3.000×", false}, {"5.000×", true}, {"0.500×", false}, plain("metal ≈ simd")}}, table.rows)
	cpu, mt, metal := g.at(g.columns[0], 4), g.at(g.columns[1], 4), g.at(g.columns[2], 4)
	require.Equal(t, Ratio{0.5, 0.4, 0.8}, mt.speedup(metal), "the other way round")
	require.True(t, metal.beats(mt))
	require.False(t, metal.beats(cpu))
	require.Equal(t, Ratio{100. / 60, 90. / 120, 110. / 50}, (&Row{Backend: "x", NsPerRow: 60, Lo: 50, Hi: 120}).speedup(cpu))

	// One thread is the best CPU code there is, alone or although another's median is
	// a little lower: nothing is said twice.
	g = groupRows([]Row{row("cpu", 90, 100, 110, nil), row("cpu-mt", 90, 99, 110, nil), row("metal", 30, 40, 50, nil)})[0]
	require.Equal(t, []string{"n", "cpu-mt", "metal", "fastest"}, g.speedTable().head)
	g = groupRows([]Row{row("cpu", 90, 100, 110, nil), row("metal", 30, 40, 50, nil)})[0]
	require.Equal(t, []string{"n", "metal", "fastest"}, g.speedTable().head)
	require.Nil(t, groupRows([]Row{row("cpu", 90, 100, 110, nil)})[0].speedTable())
}

func TestCSVReadsBack(t *testing.T) {
	r := mixedReport()
	var b bytes.Buffer
	require.NoError(t, WriteCSV(&b, r))
	lines, err := csv.NewReader(&b).ReadAll()
	require.NoError(t, err)
	require.Len(t, lines, 1+len(r.Rows)+len(r.HotPath))
	col := map[string]int{}
	for j, name := range lines[0] {
		col[name] = j
	}
	for i, row := range r.Rows {
		line := lines[1+i]
		require.Equal(t, row.Device, line[col["device"]])
		require.Equal(t, row.Params["ring"], line[col["param_ring"]])
		require.Equal(t, row.Error, line[col["error"]])
		if row.measured() {
			require.Equal(t, exact(row.NsPerRow), line[col["ns_per_row"]])
		} else {
			require.Empty(t, line[col["ns_per_row"]])
		}
	}
}

// benchLine is what golang.org/design/14313-benchmark-format asks of a result.
var benchLine = regexp.MustCompile(`^Benchmark[A-Z]\S*(-\d+)? [1-9]\d*( \d+(\.\d+)? \S+)+$`)

func TestGobenchLines(t *testing.T) {
	r := mixedReport()
	r.Rows[0].Params = map[string]string{"ring": "a b/c=d", "width": "32"}
	var b bytes.Buffer
	require.NoError(t, WriteGobench(&b, r))
	results := 0
	for _, line := range strings.Split(strings.TrimSpace(b.String()), "\n") {
		if strings.HasPrefix(line, "Benchmark") {
			results++
			require.Regexp(t, benchLine, line)
		} else {
			require.Regexp(t, `^[a-z]\S*: `, line)
		}
	}
	measured := 0
	for _, row := range r.allRows() {
		if row.measured() {
			measured++
		}
	}
	require.Equal(t, measured, results)

	row := Row{Op: "forward", Backend: "wgsl", Params: pulsar(), Batch: 512}
	require.Equal(t, "BenchmarkNTT/backend=wgsl/op=forward/ring=pulsar/n=512", benchName(&row))
}

func TestLaTeXIsASCIIAndBalanced(t *testing.T) {
	for _, in := range reports {
		var b bytes.Buffer
		require.NoError(t, WriteLaTeX(&b, in.report()))
		depth := 0
		for _, line := range strings.Split(b.String(), "\n") {
			for i, c := range line {
				require.Less(t, c, rune(0x7f), line)
				if i > 0 && line[i-1] == '\\' || strings.HasPrefix(line, "%") {
					continue
				}
				switch c {
				case '{':
					depth++
				case '}':
					depth--
				}
			}
			require.Equal(t, 0, depth, line)
		}
		require.Equal(t, strings.Count(b.String(), `\begin{`), strings.Count(b.String(), `\end{`))
	}
}

func TestEscapes(t *testing.T) {
	for _, c := range []struct{ in, markdown, latex string }{
		{"plain text", "plain text", "plain text"},
		{"a|b", `a\|b`, `a\textbar{}b`},
		{"_x_ a_b", `\_x\_ a_b`, `\_x\_ a\_b`},
		{"[1, 2]", "[1, 2]", "{[}1, 2{]}"},
		{"[a](b)", `[a\](b)`, "{[}a{]}(b)"},
		{"a\nb\x00", "a b", "a b"},
		{"100% & #1 &amp;", `100% & #1 \&amp;`, `100\% \& \#1 \&amp;`},
		{"--n ---", "--n ---", "-{}-n -{}-{}-"},
		{"<b> `x` *y*", "\\<b\\> \\`x\\` \\*y\\*", `\textless{}b\textgreater{} \textasciigrave{}x\textasciigrave{} *y*`},
		{`\~^$a`, `\\~^$a`, `\textbackslash{}\textasciitilde{}\textasciicircum{}\$a`},
		{"~a~ $b$", `\~a\~ \$b\$`, `\textasciitilde{}a\textasciitilde{} \$b\$`},
		{"µ × ± 核", "µ × ± 核", `\textmu{} \ensuremath{\times} \ensuremath{\pm} ?`},
		{"bad \xff utf8", "bad \ufffd utf8", "bad ? utf8"},
	} {
		require.Equal(t, c.markdown, escapeMarkdown(c.in), c.in)
		require.Equal(t, c.latex, escapeLaTeX(c.in), c.in)
	}
	require.Equal(t, "`a`", codeSpan("a"))
	require.Equal(t, "``a`b``", codeSpan("a`b"))
	require.Equal(t, "`` `a` ``", codeSpan("`a`"))
	require.Equal(t, "_", nameValue(""))
}

func TestDuration(t *testing.T) {
	for _, c := range []struct {
		ns   float64
		want string
	}{
		{0, "0 ns"}, {1, "1.00 ns"}, {0.01234, "0.0123 ns"}, {853, "853 ns"}, {999.4, "999 ns"}, {999.6, "1.00 µs"},
		{1360, "1.36 µs"}, {1481360, "1.48 ms"}, {5.85e6, "5.85 ms"}, {103545520, "104 ms"}, {12.67e9, "12.7 s"},
		{1.21274e12, "1210 s"}, {-12e6, "-12.0 ms"}, {math.NaN(), "n/a"}, {math.Inf(1), "n/a"},
	} {
		require.Equal(t, c.want, Duration(c.ns))
	}
}

func TestSpread(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		want   string
	}{
		{100, 100, ""}, {97, 101, "±3%"}, {99.6, 100.1, "±0.4%"}, {99.99, 100, "±0%"}, {99.05, 100, "±1%"}, {50, 300, "±200%"},
	} {
		require.Equal(t, c.want, spread(100, c.lo, c.hi))
	}
	require.Empty(t, spread(0, 1, 2))
	require.Equal(t, "-1,234,567", thousands(-1234567))
	require.Equal(t, "2,688", thousands(2688))
	require.Equal(t, "100", thousands(100))
}
