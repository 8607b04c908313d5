package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/internal/report"
	"github.com/crosspoint-kernels/crosspoint/internal/suite"
	"github.com/crosspoint-kernels/crosspoint/kat"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// fewSigners are those of the plain command: enough to see the trend.
var fewSigners = []int{1, 2, 4}

// fewLeaves are the states of the plain command: all but the largest of the
// seed's.
var fewLeaves = []int{1996, 9006, 18342}

// A stage is one part of a run: a sweep, or the hot path.
type stage struct {
	ring   *ntt.Ring // whose operations it needs; nil for none
	hashes bool      // whether it needs a hasher
	work   int
	run    func(ctx context.Context, cs []suite.Contestant, m suite.Measuring) (*suite.Result, error)
}

func sweepStage(c suite.Case) stage {
	return stage{ring: c.Ring, work: suite.Work(c.Sizes, 1),
		run: func(ctx context.Context, cs []suite.Contestant, m suite.Measuring) (*suite.Result, error) {
			return suite.Sweep(ctx, cs, c, m)
		}}
}

func hotPathStage(signers []int) (stage, error) {
	ring, err := ntt.Parse(suite.HotPathRing)
	return stage{ring: ring, work: suite.HotPathWork(signers),
		run: func(ctx context.Context, cs []suite.Contestant, m suite.Measuring) (*suite.Result, error) {
			return suite.HotPath(ctx, cs, signers, m)
		}}, err
}

// sweep is the root command.
func (a *app) sweep(ctx context.Context, o *sweepOptions, f *pflag.FlagSet) error {
	stages, err := o.stages(f)
	if err != nil {
		return usage(err)
	}
	return a.measure(ctx, stages, &o.backendOptions, o.measureOptions, o.outputOptions)
}

// stages are the sweeps asked for and, unless a flag narrows the question, the hot
// path, a state root and a block of transactions.
func (o *sweepOptions) stages(f *pflag.FlagSet) ([]stage, error) {
	cases, err := o.cases(f.Changed("n"))
	if err != nil {
		return nil, err
	}
	var stages []stage
	for _, c := range cases {
		stages = append(stages, sweepStage(c))
	}
	if narrowed(f) {
		return stages, nil
	}
	hot, err := hotPathStage(fewSigners)
	if err != nil {
		return nil, err
	}
	root, err := rootStage(suite.RootCase{Kind: suite.MPT, Set: kat.RuleKV, Sizes: fewLeaves})
	return append(stages, hot, root, blockStage(o.seed, fewTransactions)), err
}

// hotPathOptions are those of sweep hotpath.
type hotPathOptions struct {
	backendOptions
	measureOptions
	outputOptions
	signers string
}

func (o *hotPathOptions) add(f *pflag.FlagSet) {
	f.StringVar(&o.signers, "signers", "1,2,...,64", "`counts` of signatures")
	o.backendOptions.add(f)
	o.measureOptions.add(f)
	o.outputOptions.add(f)
}

func (a *app) hotPath(ctx context.Context, o *hotPathOptions) error {
	signers, err := parseSizes(o.signers)
	if err != nil {
		return usage(fmt.Errorf("--signers: %w", err))
	}
	s, err := hotPathStage(signers)
	if err != nil {
		return err
	}
	return a.measure(ctx, []stage{s}, &o.backendOptions, o.measureOptions, o.outputOptions)
}

// measure runs the stages on the backends asked for and publishes the results,
// also those that were finished when a mismatch or an interrupt ended the run.
func (a *app) measure(ctx context.Context, stages []stage, bo *backendOptions, mo measureOptions, oo outputOptions) error {
	if err := mo.check(); err != nil {
		return usage(err)
	}
	if len(stages) == 0 { // a flag that lists what to measure was given an empty list
		return usage(errors.New("nothing to run: an empty list names nothing to measure"))
	}
	out, err := a.newOutput(oo)
	if err != nil {
		return usage(err)
	}
	defer out.discard()
	cs, _, err := a.enter(bo)
	if err != nil {
		return err
	}
	defer suite.Close(cs)

	built := commit() // before measuring, which gives the checkout time to move on
	found, failure := &suite.Result{}, a.check(ctx, cs, stages)
	if failure == nil {
		found, failure = a.runStages(ctx, stages, cs, mo)
	}
	r := &report.Report{
		Machine: machine(cs), Commit: built, Command: commandLine(a.args),
		Rows: found.Rows, Fits: found.Fits, Crossovers: found.Crossovers, HotPath: found.HotPath, Blocks: found.Blocks,
		Partial: found.Partial || failure != nil,
	}
	if errors.Is(failure, suite.ErrSizes) {
		return usage(failure)
	}
	errs := []error{failure}
	switch finished := len(r.Rows)+len(r.HotPath)+len(r.Blocks) > 0; {
	case finished:
		errs = append(errs, a.publish(out, r, found))
		if out.times != nil && failure == nil {
			errs = append(errs, publishTable(out.times, cs, append(found.Rows, found.Extra...)))
		}
		if found.Partial {
			errs = append(errs, errors.New("interrupted: the report is partial"))
		}
	case found.Partial:
		errs = append(errs, &exitError{exitNothing, errors.New("interrupted before anything was finished")})
	}
	return errors.Join(append(errs, a.failures(found.Failed, bo.require))...)
}

func (a *app) runStages(ctx context.Context, stages []stage, cs []suite.Contestant, mo measureOptions) (*suite.Result, error) {
	total := 0
	for _, s := range stages {
		total += s.work
	}
	progress := newMeter(a.stderr, total)
	done := false
	defer func() { progress.finish(done) }()
	found := &suite.Result{}
	for _, s := range stages {
		m := suite.Measuring{Seed: mo.seed, Budget: mo.budget, Clock: a.clock, Progress: progress.stage(s.work)}
		r, err := s.run(ctx, cs, m)
		found.Add(r)
		if err != nil || r.Partial {
			return found, err
		}
	}
	done = true
	return found, nil
}

// failures is an error if a contestant has no time where one was asked for. What
// a backend does not support is no failure, and told, unless it is required.
func (a *app) failures(failed []suite.Failure, require []string) error {
	var errs []error
	for _, f := range failed {
		err := fmt.Errorf("%s failed: %w", f.Name, f.Err)
		if errors.Is(f.Err, backends.ErrUnsupported) && !slices.Contains(require, f.Name) {
			a.warn("%s is left out: %v", f.Name, f.Err)
			continue
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
