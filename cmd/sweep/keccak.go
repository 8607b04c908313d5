package main

import (
	"context"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/crosspoint-kernels/crosspoint/internal/suite"
)

// keccakOptions are those of sweep keccak.
type keccakOptions struct {
	backendOptions
	measureOptions
	outputOptions
	sizes   string
	lengths string
}

// The lengths of a digest, of a Merkle node's children, of the last message of
// one block, of the first of two, and of a full branch of a Merkle-Patricia trie.
const keccakLengths = "32,64,135,136,532"

func (o *keccakOptions) add(f *pflag.FlagSet) {
	f.StringVar(&o.sizes, "n", "1,4,...,65536", "`sizes` of the batches, by default 1,4,...,65536"+progressionUsage)
	f.StringVar(&o.lengths, "len", keccakLengths, "`bytes` of a message")
	o.backendOptions.add(f)
	o.measureOptions.add(f)
	o.outputOptions.add(f)
	o.addTable(f)
	saidInWords(f, "n")
}

// stages are the sweeps asked for, one for each length.
func (o *keccakOptions) stages() ([]stage, error) {
	sizes, err := parseSizes(o.sizes)
	if err != nil {
		return nil, fmt.Errorf("--n: %w", err)
	}
	lengths, err := parseSizes(o.lengths)
	if err != nil {
		return nil, fmt.Errorf("--len: %w", err)
	}
	var stages []stage
	for _, length := range lengths {
		c := suite.HashCase{Len: length, Sizes: sizes}
		if err := c.Check(); err != nil {
			return nil, err
		}
		stages = append(stages, stage{hashes: true, work: c.Work(),
			run: func(ctx context.Context, cs []suite.Contestant, m suite.Measuring) (*suite.Result, error) {
				return suite.Hash(ctx, cs, c, m)
			}})
	}
	return stages, nil
}

func (a *app) keccak(ctx context.Context, o *keccakOptions) error {
	stages, err := o.stages()
	if err != nil {
		return usage(err)
	}
	return a.measure(ctx, stages, &o.backendOptions, o.measureOptions, o.outputOptions)
}
