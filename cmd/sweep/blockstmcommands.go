package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/crosspoint-kernels/crosspoint/internal/blocksuite"
	"github.com/crosspoint-kernels/crosspoint/internal/report"
)

const blockSTMHelp = `sweep blockstm runs blocks of transactions by Block-STM, from execution to state
root, and compares them with the sequential run.

  sweep blockstm harness    6,000 comparisons of state, root and outputs
  sweep blockstm bench      the execution phase
  sweep blockstm endtoend   execution, commit and root, and their ceiling
  sweep blockstm gas        the same at several costs of a transaction
  sweep blockstm simulate   1 to 64 workers in virtual time

The blocks are made of 60 % transfers, 15 % sweeps, 15 % increments of shared
counters and 10 % swaps: a reconstruction of the load of a report on another
executor. Hot is the load where some classes of transactions meet in one key each;
oneslot the one where all transactions do.`

// blockSTMCommand has commands of its own, and does nothing by itself.
func (a *app) blockSTMCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "blockstm", Long: blockSTMHelp, Args: a.noArguments,
		RunE: func(*cobra.Command, []string) error {
			return usage(errors.New("blockstm needs one of harness, bench, endtoend, gas, simulate"))
		},
	}
	c.AddCommand(a.harnessCommand(), a.benchCommand(),
		a.rootedCommand("endtoend", report.BlockEndToEnd, "0,10,50,hot", []int{80}, 7, endToEndHelp),
		a.rootedCommand("gas", report.BlockGas, "0,10,50", []int{20, 80, 200}, 5, gasHelp),
		a.rootedCommand("simulate", report.BlockSimulate, "0,10,50,hot", []int{80}, 7, simulateHelp))
	return c
}

const endToEndHelp = `sweep blockstm endtoend measures blocks from their transactions to their state
root: the execution, the commit and the root, what each adds to the time, and the
speed-up over the sequential run with the same root and the same hasher. The
ceiling is Amdahl's, of the same repetition. The control is as many goroutines on
disjoint parts of the block, which share nothing; the even control evens out that
another process held one of them up. From 4 workers on the commit goes along with the
execution, unless --overlap says otherwise.

Examples:
  sweep blockstm endtoend --root merkle,mpt,flat --workers 1,2
  sweep blockstm endtoend --conflict hot --deltas --plot hot.svg
  sweep blockstm endtoend --conflict transfers --gas 0 --latency 100us --ntx 1000 --workers 1,64`

const gasHelp = `sweep blockstm gas measures the same as endtoend at several costs of a transaction,
in Keccak-256 of 32 bytes: the heavier they are the more a block gains, and the fewer
it has in a second.

Example:
  sweep blockstm gas --gas 0,20,80,200 --workers 2`

const simulateHelp = `sweep blockstm simulate runs blocks in virtual time on the workers asked for, by the
scheduling of the executor and with the costs that it measures here, beside real runs
on one and two workers. What is simulated is marked so, and says what it goes by: it
knows who waits for whom, and nothing of caches, locks and memory. Commit and root
follow the execution; none of it overlaps.

Example:
  sweep blockstm simulate --conflict 50,hot --workers 1,2,4,...,64`

func (a *app) rootedCommand(use, table, conflict string, gas []int, reps int, long string) *cobra.Command {
	o := &rootedOptions{}
	c := &cobra.Command{
		Use: use, Long: long, Args: a.noArguments,
		RunE: func(c *cobra.Command, _ []string) error { return a.rooted(c.Context(), o, table) },
	}
	o.add(c.Flags(), conflict, gas, reps)
	if table == report.BlockSimulate {
		f := c.Flags().Lookup("workers")
		f.DefValue = "1,2,...,64"
		f.Value.Set(f.DefValue)
	}
	return c
}

// benchOptions are those of sweep blockstm bench.
type benchOptions struct {
	loadOptions
	outputOptions
}

func (a *app) benchCommand() *cobra.Command {
	o := &benchOptions{}
	c := &cobra.Command{
		Use: "bench",
		Long: "sweep blockstm bench measures the execution of blocks without commit and root.\n\n" +
			"Example:\n  sweep blockstm bench --conflict 0,hot,oneslot --workers 1,2,8",
		Args: a.noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			m, err := o.measured(report.BlockBench)
			if err != nil {
				return usage(err)
			}
			return a.blocks(c.Context(), []blockRun{{m.Work(), m.Run}}, nil, o.outputOptions)
		},
	}
	o.loadOptions.add(c.Flags(), "2,15,80,oneslot", []int{80}, 7)
	o.outputOptions.add(c.Flags())
	return c
}

// harnessOptions are those of sweep blockstm harness.
type harnessOptions struct {
	outputOptions
	batches int
	ntx     int
	workers string
}

func (o *harnessOptions) add(f *pflag.FlagSet) {
	f.IntVar(&o.batches, "batches", 200, "`count` of blocks of each profile, with seeds from 1")
	f.IntVar(&o.ntx, "ntx", 200, "`count` of transactions in a block")
	f.StringVar(&o.workers, "workers", "1,2,4,8,16", "`counts` of workers")
	o.outputOptions.add(f)
}

func (a *app) harnessCommand() *cobra.Command {
	o := &harnessOptions{}
	c := &cobra.Command{
		Use: "harness",
		Long: "sweep blockstm harness compares blocks with the sequential run: the state, its\n" +
			"root, the outputs of every transaction, and what the rolling commit told of. The\n" +
			"six profiles are 0, 10 and 50 % conflict, hot, oneslot, and dynamic, with deletes,\n" +
			"re-creation, reverts and panics, and behaviour that depends on the values read and\n" +
			"on the incarnation. It exits with 1 after a mismatch.\n\n" +
			"Example:\n  sweep blockstm harness --batches 10",
		Args: a.noArguments,
		RunE: func(c *cobra.Command, _ []string) error { return a.harness(c.Context(), o) },
	}
	o.add(c.Flags())
	return c
}

func (a *app) harness(ctx context.Context, o *harnessOptions) error {
	h := blocksuite.DefaultHarness()
	h.Batches, h.Transactions = o.batches, o.ntx
	if o.plot != "" {
		return usage(errors.New("--plot: a harness has no curves"))
	}
	var err error
	if h.Workers, err = parseSizes(o.workers); err != nil {
		return usage(fmt.Errorf("--workers: %w", err))
	}
	if err := h.Check(); err != nil {
		return usage(err)
	}
	return a.blocks(ctx, []blockRun{{len(h.Loads) * h.Batches, h.Run}}, nil, o.outputOptions)
}
