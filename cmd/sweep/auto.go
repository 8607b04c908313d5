package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/backends/auto"
	"github.com/crosspoint-kernels/crosspoint/internal/report"
	"github.com/crosspoint-kernels/crosspoint/internal/suite"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// autoOptions are those of sweep auto.
type autoOptions struct {
	backendOptions
	measureOptions
	sizes, ring, op string
	from            string
}

func (o *autoOptions) add(f *pflag.FlagSet) {
	f.StringVar(&o.sizes, "n", paperSizes, "`sizes` of batches, the paper's ten or others"+progressionUsage)
	f.StringVar(&o.ring, "ring", "pulsar", choice(ntt.Names())+", `N,q[,psi]`")
	f.StringVar(&o.op, "op", "forward", "`name`: "+choice(texts(suite.Ops())))
	f.StringVar(&o.from, "from", "", "`file` that sweep --table wrote, to choose by")
	o.backendOptions.add(f)
	o.measureOptions.add(f)
	saidInWords(f, "n", "ring", "op")
}

func (a *app) autoCommand() *cobra.Command {
	o := &autoOptions{}
	c := &cobra.Command{
		Use: "auto",
		Long: "sweep auto measures the backend that chooses among the others beside each of them,\n" +
			"and prints at each size the best of those, what the choice took against it, and\n" +
			"where it sent the call. It measures for itself what there is to choose from, or\n" +
			"takes that from a file made here by sweep --table.\n\n" +
			"Example:\n  sweep --table here.json\n  sweep auto --from here.json",
		Args: a.noArguments,
		RunE: func(c *cobra.Command, _ []string) error { return a.routes(c.Context(), o) },
	}
	o.add(c.Flags())
	return c
}

// routes is sweep auto.
func (a *app) routes(ctx context.Context, o *autoOptions) error {
	if err := o.check(); err != nil {
		return usage(err)
	}
	if _, err := o.selected(a.drivers()); err != nil { // before auto is among the names
		return usage(err)
	}
	cases, err := (&sweepOptions{sizes: o.sizes, rings: []string{o.ring}, ops: []string{o.op}}).cases(o.sizes != paperSizes)
	if err != nil {
		return usage(err)
	}
	open := a.open
	if o.from != "" {
		if a.open, err = withTable(o.from, open); err != nil {
			return usage(err)
		}
		defer func() { a.open = open }()
	}
	o.names, o.require = append(o.names, suite.Auto), append(o.require, suite.Auto)
	cs, _, err := a.enter(&o.backendOptions)
	if err != nil {
		return err
	}
	defer suite.Close(cs)
	// Those that auto sends calls to: its own first call is to be timed.
	others := slices.DeleteFunc(slices.Clone(cs), func(c suite.Contestant) bool { return c.Name == suite.Auto })
	if err := a.check(ctx, others, []stage{{ring: cases[0].Ring}}); err != nil {
		return err
	}
	progress := newMeter(a.stderr, suite.Work(cases[0].Sizes, 1))
	m := suite.Measuring{Seed: o.seed, Budget: o.budget, Clock: a.clock, Progress: progress.stage(suite.Work(cases[0].Sizes, 1))}
	r, err := suite.Route(ctx, cs, cases[0], m)
	progress.finish(err == nil && !r.Partial)
	if len(r.Rows) > 0 {
		err = errors.Join(err, report.WriteRoutes(a.stdout, r))
	}
	if r.Partial {
		err = errors.Join(err, errors.New("interrupted: the table is partial"))
	}
	return err
}

// withTable returns open with auto choosing by the measurements in a file.
func withTable(path string, open suite.Opener) (suite.Opener, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	table, err := auto.ReadTable(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return func(name string, o backends.Options) (backends.Backend, error) {
		if name != auto.Name {
			return open(name, o)
		}
		b, err := auto.New(auto.Options{Options: o, Table: table, Machine: cpuName()})
		if err != nil {
			return nil, err
		}
		return b, nil
	}, nil
}

// autoOps are the operations on rings of a report as auto calls them.
var autoOps = map[string]string{"ntt/forward": "forward", "ntt/inverse": "inverse", "ntt/muladd": "muladdmont"}

// curveOf is a curve of auto's table.
type curveOf struct{ op, ring string }

// inTable says of which curve a row is a point, if it is of any.
func inTable(row report.Row) (curveOf, bool) {
	if row.Resident || row.Error != "" {
		return curveOf{}, false
	}
	if row.Op == report.KeccakOp {
		bytes, err := strconv.Atoi(row.Params[report.ParamLen])
		return curveOf{op: auto.HashOp(bytes)}, err == nil
	}
	op := autoOps[row.Op]
	r, err := ntt.Parse(row.Params["ring"])
	if op == "" || err != nil {
		return curveOf{}, false
	}
	return curveOf{op, r.String()}, true
}

// table makes of a sweep what auto chooses by: the times of calls from memory to
// memory, but for those of auto itself. Lengths of message that auto takes to be alike
// share a curve, on which the later one counts.
func table(cs []suite.Contestant, rows []report.Row) *auto.Table {
	t := auto.NewTable()
	t.Machine = cpuName()
	for _, c := range cs {
		if c.Name == suite.Auto {
			continue
		}
		var curves []curveOf // in the order of the rows
		points := map[curveOf][]auto.TablePoint{}
		for _, row := range rows {
			k, ok := inTable(row)
			if !ok || row.Backend != c.Name {
				continue
			}
			if points[k] == nil {
				curves = append(curves, k)
			}
			points[k] = append(points[k], auto.TablePoint{Rows: row.Batch, Ns: row.NsPerRow * float64(row.Batch)})
		}
		for _, k := range curves {
			t.Add(c.Info, k.op, k.ring, points[k])
		}
	}
	return t
}

// publishTable writes the table of a sweep.
func publishTable(s *sink, cs []suite.Contestant, rows []report.Row) error {
	var b bytes.Buffer
	if err := table(cs, rows).Write(&b); err != nil {
		return err
	}
	return s.deliver(b.Bytes())
}
