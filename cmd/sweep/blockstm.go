package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/crosspoint-kernels/crosspoint/blockstm/pipeline"
	"github.com/crosspoint-kernels/crosspoint/blockstm/workload"
	"github.com/crosspoint-kernels/crosspoint/internal/blocksuite"
	"github.com/crosspoint-kernels/crosspoint/internal/report"
	"github.com/crosspoint-kernels/crosspoint/internal/suite"
)

// loadOptions say what blocks are made of.
type loadOptions struct {
	conflict []string
	ntx      int
	gas      []int
	workers  string
	reps     int
	seed     uint64
	deltas   bool
	zipf     float64
	distance int
	latency  time.Duration
	readOnly float64
}

func (o *loadOptions) add(f *pflag.FlagSet, conflict string, gas []int, reps int) {
	f.StringSliceVar(&o.conflict, "conflict", strings.Split(conflict, ","), "`loads`: percentages, hot, oneslot, transfers, dynamic")
	f.IntSliceVar(&o.gas, "gas", gas, "`counts` of Keccak-256 in a transaction")
	f.IntVar(&o.ntx, "ntx", 20_000, "`count` of transactions in a block")
	f.StringVar(&o.workers, "workers", "1,2,4,8,16", "`counts` of workers")
	f.IntVar(&o.reps, "reps", reps, "`count` of repetitions, each of every run")
	f.Uint64Var(&o.seed, "seed", 1, "`number` that draws the blocks and the order")
	f.BoolVar(&o.deltas, "deltas", false, "credits and increments are commutative additions")
	f.Float64Var(&o.zipf, "zipf", 0, "`exponent` by which balances are drawn")
	f.IntVar(&o.distance, "distance", 0, "`count` of transactions back to one that each depends on")
	f.DurationVar(&o.latency, "latency", 0, "`time` that a read of the state blocks a thread for")
	f.Float64Var(&o.readOnly, "read-only", 0, "`percentage` of transactions that only read")
	saidInWords(f, "zipf", "read-only")
}

// loads are those asked for, in order of first appearance.
func (o *loadOptions) loads() ([]blocksuite.Load, error) {
	readOnly, ok := partsPerMillion(o.readOnly)
	if !ok {
		return nil, fmt.Errorf("--read-only: %g is not a percentage", o.readOnly)
	}
	var loads []blocksuite.Load
	for _, name := range o.conflict {
		load, err := parseLoad(name)
		if err != nil {
			return nil, err
		}
		c := &load.Config
		c.Zipf, c.Distance, c.Latency, c.ReadOnly = o.zipf, o.distance, o.latency, readOnly
		load.Name += o.axes()
		if !slices.Contains(loads, load) {
			loads = append(loads, load)
		}
	}
	if len(loads) == 0 {
		return nil, errors.New("--conflict: no load is named")
	}
	return loads, nil
}

// partsPerMillion are those of a percentage; ok is false for what is none.
func partsPerMillion(percent float64) (ppm int, ok bool) {
	if !(percent >= 0 && percent <= 100) {
		return 0, false
	}
	return int(percent*1e4 + 0.5), true
}

// axes name what else a load differs in.
func (o *loadOptions) axes() string {
	var s string
	if o.zipf > 0 {
		s += fmt.Sprintf(", zipf %g", o.zipf)
	}
	if o.distance > 0 {
		s += fmt.Sprintf(", distance %d", o.distance)
	}
	if o.latency > 0 {
		s += fmt.Sprintf(", latency %v", o.latency)
	}
	if o.readOnly > 0 {
		s += fmt.Sprintf(", %g %% read only", o.readOnly)
	}
	return s
}

// namedLoads are the loads that are no percentage.
var namedLoads = map[string]func() blocksuite.Load{
	"hot":       blocksuite.HotLoad,
	"oneslot":   blocksuite.OneSlotLoad,
	"dynamic":   blocksuite.DynamicLoad,
	"transfers": blocksuite.TransfersLoad,
}

func parseLoad(name string) (blocksuite.Load, error) {
	if named := namedLoads[name]; named != nil {
		return named(), nil
	}
	percent, err := strconv.ParseFloat(strings.TrimSuffix(name, "%"), 64)
	ppm, ok := partsPerMillion(percent)
	if err != nil || !ok {
		return blocksuite.Load{}, fmt.Errorf("--conflict: %q is neither a percentage nor hot, oneslot, transfers or dynamic", name)
	}
	return blocksuite.Conflict(ppm), nil
}

// measured is the case that the options ask for, without a root.
func (o *loadOptions) measured(table string) (blocksuite.Case, error) {
	c := blocksuite.Case{Table: table, Gas: o.gas, Transactions: o.ntx, Reps: o.reps, Seed: o.seed, Deltas: o.deltas}
	var err error
	if c.Loads, err = o.loads(); err != nil {
		return c, err
	}
	if c.Workers, err = parseSizes(o.workers); err != nil {
		return c, fmt.Errorf("--workers: %w", err)
	}
	return c, c.Check()
}

// rootedOptions are those of blocks that end in a root.
type rootedOptions struct {
	loadOptions
	outputOptions
	kinds   []string
	names   []string
	device  string
	overlap string
}

// overlaps are the values of --overlap, the default first.
var overlaps = []string{"auto", "always", "never"}

func (o *rootedOptions) add(f *pflag.FlagSet, conflict string, gas []int, reps int) {
	o.loadOptions.add(f, conflict, gas, reps)
	f.StringSliceVar(&o.kinds, "root", []string{string(pipeline.Merkle)}, "`names`: merkle (default), mpt, flat")
	f.StringSliceVar(&o.names, "backend", []string{suite.CPU}, "`names` of those that hash the root")
	f.StringVar(&o.device, "device", "", "`part` of the name of the device to use")
	f.StringVar(&o.overlap, "overlap", overlaps[0], "`when` the commit goes along with the execution: "+choice(overlaps))
	o.outputOptions.add(f)
	saidInWords(f, "root", "overlap")
}

// hashings opens the backends. The caller closes them.
func (a *app) hashings(o *rootedOptions) ([]*blocksuite.Hashing, error) {
	var hs []*blocksuite.Hashing
	bo := backendOptions{names: o.names, device: o.device}
	for _, name := range once(o.names) {
		if !slices.Contains(a.drivers(), name) {
			return hs, usage(fmt.Errorf("--backend: there is no %q; there are %s", name, strings.Join(a.drivers(), ", ")))
		}
		options := bo.open()
		if name == suite.CPU {
			options.Device = ""
		}
		h, err := blocksuite.OpenHashing(blocksuite.Opener(a.open), name, options)
		if err != nil {
			return hs, &exitError{exitNothing, fmt.Errorf("%s is not here: %s", name, cause(err))}
		}
		hs = append(hs, h)
	}
	return hs, nil
}

// cases are one for each root and backend.
func (o *rootedOptions) cases(table string, hs []*blocksuite.Hashing) ([]blocksuite.Case, error) {
	base, err := o.measured(table)
	if err != nil {
		return nil, err
	}
	at := slices.Index(overlaps, o.overlap)
	if at < 0 {
		return nil, fmt.Errorf("--overlap: %q is none of %s", o.overlap, strings.Join(overlaps, ", "))
	}
	if len(o.kinds) == 0 || len(o.names) == 0 {
		return nil, errors.New("--root and --backend: each needs a name")
	}
	base.Overlap = []pipeline.Overlap{pipeline.Auto, pipeline.Always, pipeline.Never}[at]
	var cases []blocksuite.Case
	for _, kind := range once(o.kinds) {
		if !slices.Contains(pipeline.Kinds(), pipeline.Kind(kind)) {
			return nil, fmt.Errorf("--root: %q is none of %s", kind, strings.Join(texts(pipeline.Kinds()), ", "))
		}
		for _, h := range hs {
			c := base
			c.Kind, c.Hashing = pipeline.Kind(kind), h
			cases = append(cases, c)
		}
	}
	return cases, nil
}

// rooted measures blocks that end in a root.
func (a *app) rooted(ctx context.Context, o *rootedOptions, table string) error {
	if _, err := o.cases(table, nil); err != nil {
		return usage(err)
	}
	hs, err := a.hashings(o)
	defer func() {
		for _, h := range hs {
			h.Close()
		}
	}()
	if err != nil {
		return err
	}
	cases, err := o.cases(table, hs)
	if err != nil {
		return usage(err)
	}
	var runs []blockRun
	for _, c := range cases {
		if table == report.BlockSimulate {
			s := blocksuite.Simulation{Case: c, Virtual: c.Workers}
			runs = append(runs, blockRun{c.Work(), s.Run})
			continue
		}
		runs = append(runs, blockRun{c.Work(), c.Run})
	}
	return a.blocks(ctx, runs, hs, o.outputOptions)
}

// blockRun is one part of a command about blocks.
type blockRun struct {
	work int
	run  func(ctx context.Context, progress blocksuite.Progress) ([]report.Block, error)
}

// blocks runs the parts and publishes what came of them, also what was finished when
// a mismatch or an interrupt ended the run.
func (a *app) blocks(ctx context.Context, runs []blockRun, hs []*blocksuite.Hashing, oo outputOptions) error {
	out, err := a.newOutput(oo)
	if err != nil {
		return usage(err)
	}
	defer out.discard()
	var cs []suite.Contestant
	for _, h := range hs {
		cs = append(cs, suite.Contestant{Name: h.Name, Backend: h.Backend(), Info: h.Info})
	}
	built := commit()
	if err := a.check(ctx, cs, []stage{{hashes: true}}); err != nil {
		return err
	}
	found, failure := a.runBlocks(ctx, runs)
	interrupted := ctx.Err() != nil
	if interrupted && !errors.Is(failure, blocksuite.ErrMismatch) {
		failure = nil
	}
	if isUsage(failure) {
		return usage(failure)
	}
	r := &report.Report{Machine: machine(cs), Commit: built, Command: commandLine(a.args), Blocks: found,
		Partial: interrupted || failure != nil}
	errs := []error{failure}
	switch {
	case len(found) > 0:
		errs = append(errs, a.publish(out, r, &suite.Result{}))
		if interrupted {
			errs = append(errs, errors.New("interrupted: the report is partial"))
		}
	case interrupted:
		errs = append(errs, &exitError{exitNothing, errors.New("interrupted before anything was finished")})
	}
	return errors.Join(errs...)
}

// isUsage says that an error is about what was asked for.
func isUsage(err error) bool {
	var config *workload.ConfigError
	return errors.Is(err, blocksuite.ErrCase) || errors.As(err, &config)
}

func (a *app) runBlocks(ctx context.Context, runs []blockRun) ([]report.Block, error) {
	total := 0
	for _, r := range runs {
		total += r.work
	}
	progress := newMeter(a.stderr, max(total, 1))
	done := false
	defer func() { progress.finish(done) }()
	var found []report.Block
	for _, r := range runs {
		blocks, err := r.run(ctx, blocksuite.Progress(progress.stage(r.work)))
		found = append(found, blocks...)
		if err != nil {
			return found, err
		}
	}
	done = true
	return found, nil
}
