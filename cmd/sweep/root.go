package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/crosspoint-kernels/crosspoint/internal/suite"
	"github.com/crosspoint-kernels/crosspoint/kat"
)

// rootOptions are those of sweep root.
type rootOptions struct {
	backendOptions
	measureOptions
	outputOptions
	kinds  []string
	sets   []string
	leaves string
	input  string
	as     string
}

// seedLeaves are the states that a block of 20,000 transactions touches, from
// full contention to none.
const seedLeaves = "1996,9006,18342,49637"

func (o *rootOptions) add(f *pflag.FlagSet) {
	f.StringSliceVar(&o.kinds, "kind", []string{string(suite.MPT)}, "`names`: "+choice(texts(suite.RootKinds())))
	f.StringSliceVar(&o.sets, "set", []string{string(kat.RuleKV)}, "`names`: "+choice(texts(suite.RootSets()))+"; mpt takes all")
	f.StringVar(&o.leaves, "leaves", seedLeaves, "`sizes` of the states")
	f.StringVar(&o.input, "input", "", "CSV `file` to print the Merkle-Patricia root of")
	f.StringVar(&o.as, "as", leafFormats[0].name, "`format` of --input: "+choice(leafFormatNames()))
	o.backendOptions.add(f)
	o.measureOptions.add(f)
	o.outputOptions.add(f)
	saidInWords(f, "kind", "set", "as")
}

// ofInput are the flags that mean something beside --input: it computes a root
// once, and measures nothing.
var ofInput = []string{"input", "as", "backend", "require", "device", "wipe", "out"}

// check refuses flags that do nothing.
func (o *rootOptions) check(f *pflag.FlagSet) error {
	switch {
	case o.input == "" && f.Changed("input"):
		return errors.New("--input names no file")
	case o.input == "" && f.Changed("as"):
		return errors.New("--as says what the lines of --input are, which is not given")
	case o.input == "":
		return nil
	}
	var idle []string
	f.Visit(func(flag *pflag.Flag) {
		if !slices.Contains(ofInput, flag.Name) {
			idle = append(idle, "--"+flag.Name)
		}
	})
	if len(idle) > 0 {
		return fmt.Errorf("--input computes one root and measures nothing: it takes no %s", strings.Join(idle, ", "))
	}
	return nil
}

// stages are the sweeps asked for, one for each kind and set, however often it is
// named.
func (o *rootOptions) stages() ([]stage, error) {
	sizes, err := parseSizes(o.leaves)
	if err != nil {
		return nil, fmt.Errorf("--leaves: %w", err)
	}
	var stages []stage
	for _, kind := range once(o.kinds) {
		for _, set := range once(o.sets) {
			s, err := rootStage(suite.RootCase{Kind: suite.RootKind(kind), Set: kat.Rule(set), Sizes: sizes})
			if err != nil {
				return nil, err
			}
			stages = append(stages, s)
		}
	}
	return stages, nil
}

// once lists names in order of first appearance, without the blanks around them.
func once(names []string) []string {
	var all []string
	for _, name := range names {
		if name = strings.TrimSpace(name); !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

func rootStage(c suite.RootCase) (stage, error) {
	return stage{hashes: true, work: suite.Work(c.Sizes, 1),
		run: func(ctx context.Context, cs []suite.Contestant, m suite.Measuring) (*suite.Result, error) {
			return suite.Root(ctx, cs, c, m)
		}}, c.Check()
}

func (a *app) root(ctx context.Context, o *rootOptions, f *pflag.FlagSet) error {
	if err := o.check(f); err != nil {
		return usage(err)
	}
	if o.input != "" {
		return a.fileRoot(ctx, o)
	}
	stages, err := o.stages()
	if err != nil {
		return usage(err)
	}
	return a.measure(ctx, stages, &o.backendOptions, o.measureOptions, o.outputOptions)
}

// fileRoot prints the root of a file, in hexadecimal on a line of its own, once
// every backend asked for has computed it.
func (a *app) fileRoot(ctx context.Context, o *rootOptions) error {
	format, err := parseLeafFormat(o.as)
	if err != nil {
		return usage(fmt.Errorf("--as: %w", err))
	}
	found, err := readLeafFile(o.input, format)
	if err != nil {
		return usage(err)
	}
	if len(found.pairs) == 0 {
		a.warn("%s: no lines of leaves: the root is that of the empty trie", o.input)
	}
	if found.repeated > 0 {
		a.warn("%s: keys given again: %d, the first on line %d; the later one counts", o.input, found.repeated, found.at)
	}
	out, err := a.newSink(o.out)
	if err != nil {
		return usage(err)
	}
	defer out.discard()
	cs, _, err := a.enter(&o.backendOptions)
	if err != nil {
		return err
	}
	defer suite.Close(cs)
	root, failed, err := suite.RootOf(ctx, cs, found.pairs, format.secure)
	if ctx.Err() != nil {
		return &exitError{exitNothing, errors.New("interrupted before the root was known")}
	}
	if err != nil {
		return err
	}
	err = out.deliver(fmt.Appendf(nil, "%x\n", root))
	a.warn("%s: keys: %d; the root is the same from %s", o.input, len(found.pairs)-found.repeated, agreed(cs, failed))
	return errors.Join(err, a.failures(failed, o.require))
}

// agreed lists the contestants that computed the root, and software as such.
func agreed(cs []suite.Contestant, failed []suite.Failure) string {
	var names []string
	for _, c := range cs {
		if slices.ContainsFunc(failed, func(f suite.Failure) bool { return f.Name == c.Name }) {
			continue
		}
		name := c.Name
		if c.Info.Software {
			name += " (software)"
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

func readLeafFile(path string, format leafFormat) (leaves, error) {
	f, err := os.Open(path)
	if err != nil {
		return leaves{}, err
	}
	defer f.Close()
	return readLeaves(&bounded{r: f, most: maxLeafFile}, path, format)
}

// maxLeafFile is the largest file of leaves that is read, in bytes; a device or a
// pipe may have no end.
const maxLeafFile = 1 << 30

// bounded reads what r does, and fails once that is more than most bytes.
type bounded struct {
	r          io.Reader
	read, most int
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if b.read += n; b.read > b.most {
		return 0, fmt.Errorf("%w: more than %d bytes", errFileSize, b.most)
	}
	return n, err
}
