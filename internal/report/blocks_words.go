package report

import (
	"fmt"
	"slices"
	"strings"
)

// caption says what the numbers are.
func (g *blockGroup) caption() string {
	switch g.table {
	case BlockHarness:
		return "Blocks whose state, root and outputs were compared with the sequential run's."
	case BlockBench:
		return "Speed-up of the execution over the sequential one. " + g.medians() + "; " + ofControl + "." + g.facts()
	case BlockSimulate:
		return "SIMULATED, but for the rows that say measured: the same block in virtual time. " + g.model() + g.facts()
	}
	return "Times in ms that each phase adds. " + g.medians() + "; " + ofControl +
		"; the ceiling is Amdahl's, with the commit and root of the same repetition." + g.facts()
}

const ofControl = "of control is the speed-up over that of a goroutine for each worker, or for each processor if these are fewer, " +
	"on disjoint parts of the block without an executor, commit or root; of even, over the mean of their times, " +
	"as if none had been held up more than the others, which workers that share the block even out"

func (g *blockGroup) medians() string {
	samples := 0
	for _, b := range g.blocks {
		if b.Samples > 0 && (samples == 0 || b.Samples < samples) {
			samples = b.Samples
		}
	}
	if samples == 1 {
		return "One repetition, which says nothing of the noise"
	}
	return fmt.Sprintf("Medians of %d interleaved repetitions; ± is the reach of the 95 %% interval", samples)
}

// model says what a simulation goes by.
func (g *blockGroup) model() string {
	at := slices.IndexFunc(g.blocks, func(b *Block) bool { return b.Model != nil })
	if at < 0 {
		return "It goes by the costs of transactions that were measured here."
	}
	m := g.blocks[at].Model
	return fmt.Sprintf("Measured here, and assumed of every worker: a transaction takes %s, to which the executor adds %s on one "+
		"worker, %s of it on one worker at a time; each of several cores takes %s times as long as one alone; of commit and "+
		"root %s are not shared out and %s are. One worker agrees with the measurement by construction. Caches, locks and "+
		"the time to wake a worker are not modelled, so that many workers are an upper bound.",
		Duration(m.Transaction), Duration(m.Overhead), Duration(m.Commit), fixed(m.Slowdown, 2),
		Duration(m.SerialTail), Duration(m.SharedTail))
}

// facts are what all blocks of the table have in common: the number of keys, where
// there is one block, and how the state is read.
func (g *blockGroup) facts() string {
	first := g.blocks[0]
	same := func(other func(b *Block) bool) bool { return !slices.ContainsFunc(g.blocks, other) }
	s := ""
	if n := first.Keys; n > 0 && same(func(b *Block) bool { return b.Keys != n }) {
		s += fmt.Sprintf(" The block writes %s keys.", thousands(n))
	}
	if first.Latency > 0 {
		s += " A read of the state before it takes " + Duration(first.Latency) + ", as measured on one goroutine."
	}
	if first.Processors > 0 {
		s += fmt.Sprintf(" GOMAXPROCS is %d in all runs, so that blocked reads overlap.", first.Processors)
	}
	return s
}

// notes are lines that follow the table.
func (g *blockGroup) notes() []string {
	var lines, added []string
	if g.table == BlockHarness {
		lines = append(lines, g.verdict())
	}
	for _, b := range g.blocks {
		if b.Error != "" {
			lines = append(lines, fmt.Sprintf("%s: failed: %s", g.nameOf(b), oneLine(b.Error)))
		}
		if b.Overhead != nil {
			added = append(added, fmt.Sprintf("%s (%s)", Duration(*b.Overhead), g.loadOf(b)))
		}
	}
	if len(added) > 0 {
		lines = append(lines, "On one worker the executor, which keeps its memory from block to block, adds to a transaction "+strings.Join(added, ", ")+".")
	}
	for _, b := range g.blocks {
		if g.table != BlockBench && b.aboveCeiling() {
			lines = append(lines, fmt.Sprintf("(!) %s: faster than the ceiling in %d of %d repetitions: noise, or a baseline that is too slow.",
				g.nameOf(b), b.AboveCeiling, b.Samples))
		}
	}
	return lines
}

// loadOf tells the load of a block from those of its table.
func (g *blockGroup) loadOf(b *Block) string {
	if g.table == BlockGas {
		return fmt.Sprintf("%s, gas %d", b.Load, b.Gas)
	}
	return b.Load
}

// nameOf tells a block from those of its table.
func (g *blockGroup) nameOf(b *Block) string {
	if b.Run != RunParallel {
		return g.loadOf(b) + ", " + b.who()
	}
	return fmt.Sprintf("%s, W = %d", g.loadOf(b), b.Workers)
}

// verdict counts the comparisons of a harness.
func (g *blockGroup) verdict() string {
	total, wrong := 0, 0
	for _, b := range g.blocks {
		total += b.Samples
		wrong += b.Mismatches
	}
	mismatches := "mismatches"
	if wrong == 1 {
		mismatches = "mismatch"
	}
	return fmt.Sprintf("%s comparisons, %d %s", thousands(total), wrong, mismatches)
}
