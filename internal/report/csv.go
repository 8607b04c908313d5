package report

import (
	"encoding/csv"
	"io"
	"maps"
	"slices"
	"strconv"
)

// WriteCSV writes a line per row, with a header (RFC 4180, lines end in \n). A
// parameter k has the column param_k and a phase p the column phase_p_ns, in
// sorted order; times are nanoseconds with all their digits. There is a column
// root where a row has one. The hot path follows
// as rows of the operations that [HotPathOp] names, with signatures for
// polynomials. A failed row keeps its line: its times are empty and error says
// why.
//
// A report of blocks alone has a line for each of them instead, with the columns of
// [Block]; beside other rows they have those of a row.
func WriteCSV(w io.Writer, r *Report) error {
	if len(r.Blocks) > 0 && len(r.Rows)+len(r.HotPath) == 0 {
		return writeBlocksCSV(w, r.Blocks)
	}
	rows := r.allRows()
	params, phases, roots := map[string]bool{}, map[string]bool{}, false
	for _, phase := range []string{PhaseUpload, PhaseKernel, PhaseDownload} {
		phases[phase] = true
	}
	for i := range rows {
		for k := range rows[i].Params {
			params[k] = true
		}
		for k := range rows[i].Phases {
			phases[k] = true
		}
		roots = roots || rows[i].Root != ""
	}
	paramKeys, phaseKeys := slices.Sorted(maps.Keys(params)), phaseOrder(phases)

	out := csv.NewWriter(w)
	head := []string{"op", "backend", "device", "software"}
	for _, k := range paramKeys {
		head = append(head, "param_"+k)
	}
	head = append(head, "batch", "resident", "ns_per_row", "lo", "hi")
	for _, k := range phaseKeys {
		head = append(head, "phase_"+k+"_ns")
	}
	head = append(head, "samples", "verified")
	if roots {
		head = append(head, "root")
	}
	head = append(head, "error")
	if err := out.Write(head); err != nil {
		return err
	}
	for i := range rows {
		line := csvLine(&rows[i], paramKeys, phaseKeys)
		if roots {
			line = append(line, rows[i].Root)
		}
		if err := out.Write(append(line, rows[i].Error)); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// csvLine is the line of a row but for the root and the error.
func csvLine(row *Row, paramKeys, phaseKeys []string) []string {
	line := []string{row.Op, row.Backend, row.Device, strconv.FormatBool(row.Software)}
	for _, k := range paramKeys {
		line = append(line, row.Params[k])
	}
	line = append(line, strconv.Itoa(row.Batch), strconv.FormatBool(row.Resident))
	if row.measured() {
		lo, hi := row.interval()
		line = append(line, exact(row.NsPerRow), exact(lo), exact(hi))
	} else {
		line = append(line, "", "", "")
	}
	for _, k := range phaseKeys {
		text := ""
		if ns, ok := row.Phases[k]; ok && row.measured() {
			text = exact(ns)
		}
		line = append(line, text)
	}
	return append(line, strconv.Itoa(row.Samples), strconv.FormatBool(row.Verified))
}
