package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// WriteGobench writes the measured rows in the Go benchmark format, for
// benchstat: one operation is one call on the whole batch, the iterations are
// the samples. Names are paths of key=value with n the batch, so that
// "benchstat -col /backend" works. A row without a time has no line.
func WriteGobench(w io.Writer, r *Report) error {
	var b strings.Builder
	configLine(&b, "goos", r.Machine.OS)
	configLine(&b, "goarch", r.Machine.Arch)
	configLine(&b, "cpu", r.Machine.CPU)
	configLine(&b, "commit", r.Commit)
	configLine(&b, "command", r.Command)
	rows := r.allRows()
	for i := range rows {
		row := &rows[i]
		if !row.measured() || row.Batch < 1 {
			continue
		}
		name := benchName(row)
		if r.Machine.Cores > 1 {
			name += fmt.Sprintf("-%d", r.Machine.Cores)
		}
		fmt.Fprintf(&b, "%s %d %s ns/op %s rows/s", name, max(row.Samples, 1),
			significant(row.NsPerRow*float64(row.Batch), 6), significant(1e9/row.NsPerRow, 6))
		if bytes := row.messageLen(); bytes > 0 {
			fmt.Fprintf(&b, " %s MB/s", significant(1e3*float64(bytes)/row.NsPerRow, 6))
		}
		b.WriteString("\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func configLine(b *strings.Builder, key, value string) {
	if value = oneLine(value); value != "" {
		b.WriteString(key + ": " + value + "\n")
	}
}

// benchName is the path of a row: BenchmarkNTT/backend=wgsl/op=forward/ring=pulsar/n=512,
// BenchmarkKeccak/backend=cpu/op=256/len=136/n=1024, BenchmarkRoot/backend=cpu/op=mpt/set=kv/leaves=1996.
func benchName(row *Row) string {
	family, op := splitOp(row.Op)
	backend := row.Backend
	if row.Software {
		backend += "(software)" // beside the others with -col /backend, but never taken for hardware
	}
	parts := []string{"Benchmark" + benchFamily(family), "backend=" + nameValue(backend)}
	if family == "hotpath" {
		parts = append(parts, "reading="+nameValue(op))
	} else {
		parts = append(parts, "op="+nameValue(op))
	}
	ring := row.Params[paramRing]
	if ring != "" {
		parts = append(parts, "ring="+nameValue(ring))
	}
	for _, k := range slices.Sorted(maps.Keys(row.Params)) {
		switch {
		case k == paramRing, ring != "" && (k == paramDegree || k == paramQ):
			// The ring says it all.
		case k == paramDegree:
			parts = append(parts, "N="+nameValue(row.Params[k]))
		default:
			parts = append(parts, nameValue(k)+"="+nameValue(row.Params[k]))
		}
	}
	if row.Resident && family != "hotpath" {
		parts = append(parts, "resident=true")
	}
	if family == "hotpath" {
		return strings.Join(append(parts, fmt.Sprintf("signers=%d", row.Batch)), "/")
	}
	return strings.Join(append(parts, fmt.Sprintf("%s=%d", wordsOf(row.Op).n, row.Batch)), "/")
}

// benchFamily is the name of the benchmark: it has to begin in upper case.
func benchFamily(family string) string {
	switch family {
	case "ntt":
		return "NTT"
	case "hotpath":
		return "HotPath"
	case familyBlocks:
		return "BlockSTM"
	}
	return capital(nameValue(family))
}
