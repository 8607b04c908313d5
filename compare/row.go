package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"text/tabwriter"
)

// Row is one comparison. Times are medians in ns per unit of the work; Lo and
// Hi bound the ratio with 95 % confidence.
type Row struct {
	Work    string  `json:"work"`
	Ours    string  `json:"ours"`
	OursNs  float64 `json:"ours_ns"`
	Rival   string  `json:"rival"`
	RivalNs float64 `json:"rival_ns"`
	Ratio   float64 `json:"ratio"`
	Lo      float64 `json:"lo"`
	Hi      float64 `json:"hi"`
}

func printRows(w io.Writer, rows []Row) {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "work\tours\tns\trival\tns\tratio\t95 %\t")
	for _, r := range rows {
		fmt.Fprintf(tw, "%s\t%s\t%.0f\t%s\t%.0f\t%.3f\t%.3f to %.3f\t\n",
			r.Work, r.Ours, r.OursNs, r.Rival, r.RivalNs, r.Ratio, r.Lo, r.Hi)
	}
	tw.Flush()
}

func writeJSON(file string, rows []Row) error {
	b, err := json.MarshalIndent(struct {
		Go    string `json:"go"`
		OS    string `json:"os"`
		Arch  string `json:"arch"`
		Cores int    `json:"cores"`
		Rows  []Row  `json:"rows"`
	}{runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), rows}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(b, '\n'), 0o644)
}
