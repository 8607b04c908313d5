package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/internal/report"
	"github.com/crosspoint-kernels/crosspoint/internal/suite"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// backendOptions say which backends take part and how they are opened.
type backendOptions struct {
	names    []string
	require  []string
	device   string
	metallib string
	wipe     bool

	withoutAuto bool // in all
}

func (o *backendOptions) add(f *pflag.FlagSet) {
	f.StringSliceVar(&o.names, "backend", []string{"all"}, "`names`, all by default but auto; cpu runs too")
	f.StringSliceVar(&o.require, "require", nil, "`names` of those that must be here and work")
	saidInWords(f, "backend")
	o.addDevice(f)
	f.BoolVar(&o.wipe, "wipe", false, "zero device memory that held data")
}

func (o *backendOptions) addDevice(f *pflag.FlagSet) {
	f.StringVar(&o.device, "device", "", "`part` of the name of the device to use")
	f.StringVar(&o.metallib, "metallib", "", "`file` with the kernels of metal, by make metallib")
}

// open are the options for the backends. A software device is accepted, since it
// is labelled as one wherever it is named.
func (o *backendOptions) open() backends.Options {
	return backends.Options{Device: o.device, Metallib: o.metallib, AllowSoftware: true, Wipe: o.wipe}
}

// asksFor reports whether c is what the user wants to see measured, rather than
// the reference that runs beside it: where nobody like that is here, there is
// nothing to run. Who names a device asks for one.
func (o *backendOptions) asksFor(c suite.Contestant) bool {
	if o.device != "" && c.Info.Workers > 0 {
		return false
	}
	return len(o.names) == 0 || slices.Contains(o.names, "all") ||
		slices.Contains(o.names, c.Name) || slices.Contains(o.require, c.Name)
}

// checkMetallib refuses a library that no backend of this build would take.
func (o *backendOptions) checkMetallib(drivers []string) error {
	if o.metallib != "" && !slices.Contains(drivers, "metal") {
		return errors.New("--metallib is for backend metal, which is built on macOS alone")
	}
	return nil
}

// selected returns the drivers asked for, best first. An unknown name is an error
// that lists the known ones.
func (o *backendOptions) selected(drivers []string) ([]string, error) {
	if err := o.checkMetallib(drivers); err != nil {
		return nil, err
	}
	known := slices.Clone(drivers)
	if i := slices.Index(known, suite.CPU); i >= 0 { // which enters twice
		known = slices.Insert(known, i+1, suite.CPUMT)
	}
	for _, name := range o.names {
		if name != "all" && !slices.Contains(known, name) {
			hint := ""
			if name == "metal" {
				hint = ", which is built on macOS alone"
			}
			return nil, fmt.Errorf("%w %q%s; there are %s", backends.ErrUnknown, name, hint, strings.Join(known, ", "))
		}
	}
	if slices.Contains(o.names, "all") {
		named := slices.Contains(o.names, suite.Auto) || slices.Contains(o.require, suite.Auto)
		return slices.DeleteFunc(slices.Clone(drivers), func(d string) bool {
			return d == suite.Auto && o.withoutAuto && !named
		}), nil
	}
	var names []string
	for _, d := range drivers {
		if slices.Contains(o.names, d) || slices.Contains(o.require, d) {
			names = append(names, d)
		}
	}
	return names, nil
}

// measureOptions say how to measure.
type measureOptions struct {
	budget time.Duration
	seed   uint64
}

func (o *measureOptions) add(f *pflag.FlagSet) {
	f.DurationVar(&o.budget, "budget", 200*time.Millisecond, "`time` for a cell beyond 11 samples")
	f.Uint64Var(&o.seed, "seed", 1, "`number` that draws the input and the order")
}

func (o *measureOptions) check() error {
	if o.budget < 0 {
		return fmt.Errorf("--budget %v is negative", o.budget)
	}
	return nil
}

// outputOptions say where the results go, and what they are compared with.
type outputOptions struct {
	format    string
	plot      string
	out       string
	base      string
	tolerance float64
	table     string // where addTable was called
}

func (o *outputOptions) add(f *pflag.FlagSet) {
	f.StringVar(&o.format, "format", report.Formats()[0], formatUsage(report.Formats()))
	saidInWords(f, "format")
	f.StringVar(&o.plot, "plot", "", "`file` for the curves, .svg or .png")
	f.StringVar(&o.out, "out", "", "`file` for the report, instead of standard output")
	f.StringVar(&o.base, "base", "", "`file` with a JSON report to compare with")
	f.Float64Var(&o.tolerance, "tolerance", 0.1, "slowdown `ratio` allowed, 0.1; more on a shared machine")
	saidInWords(f, "tolerance")
}

// addTable adds the flag of the commands that measure what auto chooses by.
func (o *outputOptions) addTable(f *pflag.FlagSet) {
	f.StringVar(&o.table, "table", "", "`file` for the times, for auto to choose by")
}

// formatUsage describes a flag that takes one of names.
func formatUsage(names []string) string { return "`name`: " + choice(names) }

// saidInWords keeps the defaults of flags from being printed once more.
func saidInWords(f *pflag.FlagSet, names ...string) {
	for _, name := range names {
		flag := f.Lookup(name)
		switch kind := flag.Value.Type(); { // how an empty default of the kind is written
		case strings.Contains(kind, "Slice") || kind == "stringArray":
			flag.DefValue = "[]"
		case kind == "float64":
			flag.DefValue = "0"
		default:
			flag.DefValue = ""
		}
	}
}

// choice lists what a flag takes, the default first.
func choice(names []string) string {
	return names[0] + " (default), " + strings.Join(names[1:], ", ")
}

func (o *outputOptions) check() error {
	if err := report.CheckFormat(o.format); err != nil {
		return err
	}
	if !(o.tolerance >= 0) {
		return fmt.Errorf("--tolerance %v is not a fraction from 0 up", o.tolerance)
	}
	for _, path := range []string{o.out, o.plot} {
		if o.table != "" && path != "" && sameFile(o.table, path) {
			return fmt.Errorf("--table and another file are the same, %s", path)
		}
	}
	if o.plot == "" {
		return nil
	}
	if o.out != "" && sameFile(o.out, o.plot) {
		return fmt.Errorf("--out and --plot are the same file, %s", o.out)
	}
	return report.CheckPlot(o.plot)
}

// sweepOptions are those of the root command.
type sweepOptions struct {
	backendOptions
	measureOptions
	outputOptions
	sizes    string
	rings    []string
	ops      []string
	resident bool
}

const paperSizes = "1,4,16,64,256,1024,2688,4096,16384,65536"

func (o *sweepOptions) add(f *pflag.FlagSet) {
	f.StringVar(&o.sizes, "n", paperSizes, "`sizes` of batches, the paper's ten or others"+progressionUsage)
	f.StringArrayVar(&o.rings, "ring", []string{"pulsar"}, choice(ntt.Names())+", `N,q[,psi]`; repeatable")
	f.StringSliceVar(&o.ops, "op", []string{"forward"}, "`names`: "+choice(texts(suite.Ops())))
	f.BoolVar(&o.resident, "resident", false, "rows stay on the device: no transfers in the time")
	o.backendOptions.add(f)
	o.measureOptions.add(f)
	o.outputOptions.add(f)
	o.addTable(f)
	saidInWords(f, "n", "ring", "op")
}

// texts are names as flags have them.
func texts[S ~string](list []S) []string {
	var all []string
	for _, s := range list {
		all = append(all, string(s))
	}
	return all
}

// narrowed reports whether a flag asks for other cells than the paper's, so that
// what follows them is not wanted.
func narrowed(f *pflag.FlagSet) bool {
	return slices.ContainsFunc([]string{"n", "ring", "op", "resident"}, f.Changed)
}

// cases are the sweeps asked for, each once however often and in whatever spelling
// it is named. Batches that a ring is too large for are left out of the default
// sizes; asked for, they are an error.
func (o *sweepOptions) cases(sizesGiven bool) ([]suite.Case, error) {
	sizes, err := parseSizes(o.sizes)
	if err != nil {
		return nil, fmt.Errorf("--n: %w", err)
	}
	var cases []suite.Case
	for _, text := range o.rings {
		ring, err := ntt.Parse(text)
		if err != nil {
			return nil, err
		}
		name := ringName(ring)
		for _, text := range o.ops {
			op, err := suite.ParseOp(strings.TrimSpace(text))
			if err != nil {
				return nil, err
			}
			c := suite.Case{Op: op, Ring: ring, RingName: name, Resident: o.resident, Sizes: sizes}
			most := suite.MaxBatch(ring, op)
			if i := slices.IndexFunc(sizes, func(n int) bool { return n > most }); i >= 0 {
				if sizesGiven || i == 0 {
					return nil, fmt.Errorf("%w: %d rows of N = %d; the most are %d", suite.ErrSizes, sizes[i], ring.N(), most)
				}
				c.Sizes = sizes[:i]
			}
			if !slices.ContainsFunc(cases, func(d suite.Case) bool { return d.Op == op && d.RingName == name }) {
				cases = append(cases, c)
			}
		}
	}
	return cases, nil
}

// ringName is what a report calls a ring, whatever it was called by: its name, or
// N,q, or N,q,psi where psi is another than the derived one.
func ringName(ring *ntt.Ring) string {
	for _, name := range ntt.Names() {
		if r, err := ntt.Parse(name); err == nil && r.String() == ring.String() {
			return name
		}
	}
	if r, err := ntt.NewRing(ring.N(), ring.Q()); err == nil && r.Psi() == ring.Psi() {
		return fmt.Sprintf("%d,%d", ring.N(), ring.Q())
	}
	return ring.String()
}
