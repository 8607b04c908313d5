package report

import (
	"encoding/csv"
	"io"
	"strconv"
)

var blockColumns = []string{
	"table", "load", "transactions", "gas", "deltas", "keys", "latency_ns", "processors", "run", "workers", "simulated",
	"root_kind", "backend", "device", "software", "root",
	"exec_ns", "exec_lo", "exec_hi", "commit_ns", "commit_lo", "commit_hi", "root_ns", "root_lo", "root_hi",
	"end_to_end_ns", "end_to_end_lo", "end_to_end_hi", "commit_busy_ns", "root_busy_ns",
	"exec_speedup", "exec_speedup_lo", "exec_speedup_hi", "end_to_end_speedup", "end_to_end_speedup_lo", "end_to_end_speedup_hi",
	"exec_of_control", "exec_of_control_lo", "exec_of_control_hi",
	"end_to_end_of_control", "end_to_end_of_control_lo", "end_to_end_of_control_hi",
	"exec_of_even", "exec_of_even_lo", "exec_of_even_hi",
	"end_to_end_of_even", "end_to_end_of_even_lo", "end_to_end_of_even_hi",
	"ceiling", "ceiling_lo", "ceiling_hi", "above_ceiling", "cpu", "cpu_lo", "cpu_hi",
	"overhead_ns", "tps", "abort", "tail", "deviation",
	"model_transaction_ns", "model_overhead_ns", "model_commit_ns", "model_slowdown", "model_serial_tail_ns", "model_shared_tail_ns",
	"samples", "mismatches", "verified", "error",
}

// writeBlocksCSV writes a line for each block, with every column of [Block]; what
// does not apply is empty.
func writeBlocksCSV(w io.Writer, blocks []Block) error {
	out := csv.NewWriter(w)
	if err := out.Write(blockColumns); err != nil {
		return err
	}
	for i := range blocks {
		if err := out.Write(blocks[i].csvLine()); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func (b *Block) csvLine() []string {
	line := []string{
		b.Table, b.Load, strconv.Itoa(b.Transactions), strconv.Itoa(b.Gas), strconv.FormatBool(b.Deltas),
		strconv.Itoa(b.Keys), some(b.Latency), some(float64(b.Processors)), b.Run, strconv.Itoa(b.Workers), strconv.FormatBool(b.Simulated),
		b.RootKind, b.Backend, b.Device, strconv.FormatBool(b.Software), b.Root,
	}
	for _, s := range []Span{b.Exec, b.Commit, b.RootTime, b.EndToEnd} {
		line = append(line, some(s.Median), some(s.Lo), some(s.Hi))
	}
	line = append(line, some(b.CommitBusy), some(b.RootBusy))
	ratios := func(rs ...*Ratio) {
		for _, r := range rs {
			if r == nil {
				r = &Ratio{}
			}
			line = append(line, some(r.Median), some(r.Lo), some(r.Hi))
		}
	}
	ratios(b.ExecSpeedup, b.EndToEndSpeedup, b.ExecOfControl, b.EndToEndOfControl, b.ExecOfEven, b.EndToEndOfEven, b.Ceiling)
	line = append(line, strconv.Itoa(b.AboveCeiling))
	ratios(b.CPU)
	line = append(line, given(b.Overhead), some(b.TPS), exact(b.Abort), some(b.Tail), given(b.Deviation))
	if m := b.Model; m != nil {
		line = append(line, exact(m.Transaction), exact(m.Overhead), exact(m.Commit), exact(m.Slowdown), exact(m.SerialTail), exact(m.SharedTail))
	} else {
		line = append(line, make([]string, 6)...)
	}
	return append(line,
		strconv.Itoa(b.Samples), strconv.Itoa(b.Mismatches), strconv.FormatBool(b.Verified), b.Error)
}

// some is empty for zero, which no time and no ratio is.
func some(x float64) string {
	if x == 0 {
		return ""
	}
	return exact(x)
}

// given is empty for a number that there is none of.
func given(x *float64) string {
	if x == nil {
		return ""
	}
	return exact(*x)
}
