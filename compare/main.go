package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/internal/bench"
)

func main() {
	out := flag.String("out", "", "write the rows as JSON to this file")
	budget := flag.Duration("budget", time.Second, "time per side and row")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, *out, *budget); err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, w io.Writer, out string, budget time.Duration) error {
	var rows []Row
	for _, open := range groups {
		pairs, done, err := open()
		if errors.Is(err, backends.ErrUnavailable) {
			fmt.Fprintln(w, "left out:", err)
			continue
		}
		if err != nil {
			return err
		}
		for _, p := range pairs {
			row, err := measure(ctx, p, budget)
			if err != nil {
				done()
				return err
			}
			rows = append(rows, row)
			fmt.Fprintf(os.Stderr, "%s\n", row.Work)
		}
		done()
	}
	printRows(w, rows)
	if out == "" {
		return nil
	}
	return writeJSON(out, rows)
}

// measure checks that both sides of a pair give the same bytes, then times them.
func measure(ctx context.Context, p pair, budget time.Duration) (Row, error) {
	if err := p.verify(ctx); err != nil {
		return Row{}, fmt.Errorf("%s: %w", p.work, err)
	}
	results, err := bench.Measure(ctx, []bench.Task{
		{Name: p.ours.name, Run: p.ours.run},
		{Name: p.rival.name, Run: p.rival.run},
	}, bench.Options{Budget: budget, MinSamples: 21, Seed: 1})
	if err != nil {
		return Row{}, err
	}
	for _, r := range results {
		if r.Err != nil {
			return Row{}, fmt.Errorf("%s: %s: %w", p.work, r.Name, r.Err)
		}
	}
	ours, rival := results[0].Stats, results[1].Stats
	ratio := bench.PairedRatio(ours, rival)
	// The ratio is of times per unit, and the sides may differ in units.
	scale := p.rival.units / p.ours.units
	return Row{
		Work: p.work,
		Ours: p.ours.name, OursNs: ours.Median / p.ours.units,
		Rival: p.rival.name, RivalNs: rival.Median / p.rival.units,
		Ratio: ratio.Median * scale, Lo: ratio.Lo * scale, Hi: ratio.Hi * scale,
	}, nil
}
