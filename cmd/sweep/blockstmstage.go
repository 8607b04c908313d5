package main

import (
	"context"
	"runtime"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/blockstm/pipeline"
	"github.com/crosspoint-kernels/crosspoint/internal/blocksuite"
	"github.com/crosspoint-kernels/crosspoint/internal/report"
	"github.com/crosspoint-kernels/crosspoint/internal/suite"
)

// The block of the plain command: enough transactions to fill a device's batches,
// and light ones, so that commit and root are not lost in the execution.
const (
	fewTransactions = 10_000
	fewGas          = 20
	fewReps         = 3
)

// blockWork is the progress that a block on one backend makes.
const blockWork = 5000

// blockStage is a block of transactions, whose root each contestant hashes in turn.
// cpu and cpu-mt are one: the baseline hashes on one thread, and what runs on more
// workers on as many.
func blockStage(seed uint64, transactions int) stage {
	return stage{hashes: true, work: blockWork,
		run: func(ctx context.Context, cs []suite.Contestant, m suite.Measuring) (*suite.Result, error) {
			found := &suite.Result{}
			for i, c := range cs {
				if c.Name == suite.CPUMT {
					continue
				}
				if m.Progress != nil {
					m.Progress("a block, root by "+c.Name, i*blockWork/len(cs), blockWork)
				}
				blocks, err := blockOn(ctx, c, cs, seed, transactions)
				found.Blocks = append(found.Blocks, blocks...)
				switch {
				case ctx.Err() != nil:
					found.Partial = true
					return found, nil
				case err != nil:
					return found, err
				}
			}
			return found, nil
		}}
}

// blockOn measures the block with its root hashed by c. What cannot hash is left out.
func blockOn(ctx context.Context, c suite.Contestant, cs []suite.Contestant, seed uint64, transactions int) ([]report.Block, error) {
	if c.Backend.Supports(backends.Op{Kind: backends.Keccak}) != nil {
		return nil, nil // other stages have told of it
	}
	workers := runtime.GOMAXPROCS(0)
	var parallel backends.Backend
	for _, other := range cs {
		if c.Name == suite.CPU && other.Name == suite.CPUMT {
			parallel = other.Backend
		}
	}
	h, err := blocksuite.HashingBy(c.Name, c.Backend, parallel, workers)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	one := blocksuite.Case{
		Table: report.BlockEndToEnd, Loads: []blocksuite.Load{blocksuite.Conflict(100_000)}, Gas: []int{fewGas},
		Transactions: transactions, Workers: []int{workers}, Reps: fewReps, Seed: seed,
		Kind: pipeline.Merkle, Hashing: h,
	}
	return one.Run(ctx, nil)
}
