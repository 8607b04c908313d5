package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/backends/katrun"
	"github.com/crosspoint-kernels/crosspoint/internal/suite"
	"github.com/crosspoint-kernels/crosspoint/kat"
)

// katOptions are those of sweep kat.
type katOptions struct {
	backendOptions
	file   string
	format string
	out    string
}

// functions is the row of the hash functions that no backend has, SHA-3 and
// SHAKE, and of Keccak-256 beside them.
const functions = "keccak package"

// katFormats write the outcomes in each format, the default first.
var katFormats = []struct {
	name  string
	write func(*bytes.Buffer, *katReport) error
}{{"md", writeKATMarkdown}, {"json", writeKATJSON}, {"junit", writeKATJUnit}}

func katFormatNames() []string {
	var names []string
	for _, f := range katFormats {
		names = append(names, f.name)
	}
	return names
}

func (o *katOptions) add(f *pflag.FlagSet) {
	f.StringVar(&o.file, "file", "", "`file` of vectors, instead of those built in")
	f.StringVar(&o.format, "format", katFormats[0].name, formatUsage(katFormatNames()))
	saidInWords(f, "format")
	f.StringVar(&o.out, "out", "", "`file` for the outcome, instead of standard output")
	o.backendOptions.add(f)
}

// kat runs the known answers and prints what became of each.
func (a *app) kat(ctx context.Context, o *katOptions) error {
	i := slices.Index(katFormatNames(), o.format)
	if i < 0 {
		return usage(fmt.Errorf("unknown format %q; there are %s", o.format, strings.Join(katFormatNames(), ", ")))
	}
	files, err := a.readVectors(o.file)
	if err != nil {
		return usage(err)
	}
	out, err := a.newSink(o.out)
	if err != nil {
		return usage(err)
	}
	defer out.discard()
	cs, missing, err := a.openAll(&o.backendOptions)
	if err != nil {
		return err
	}
	defer suite.Close(cs)
	// Who requires a backend that is missing finds that in the report too.
	refused := a.admit(&o.backendOptions, cs, missing)
	if exitCode(refused) == exitNothing {
		return refused
	}

	r := &katReport{Schema: katSchema, Machine: machine(cs), Commit: commit(), Command: commandLine(a.args)}
	for _, c := range cs {
		r.add(c.Name, c.Info, katrun.Check(ctx, c.Backend, files))
	}
	if outcomes := katrun.CheckFunctions(files); len(outcomes) > 0 {
		r.add(functions, backends.Info{Device: "CPU, no backend"}, outcomes)
	}
	for _, m := range missing {
		r.Backends = append(r.Backends, katBackend{Backend: m.Name, Absent: cause(m.Err), Cases: []katCase{}})
	}
	for i := range r.Backends {
		r.Backends[i].Required = slices.Contains(o.require, r.Backends[i].Backend)
	}
	var b bytes.Buffer
	if err := katFormats[i].write(&b, r); err != nil {
		return err
	}
	err = errors.Join(refused, out.deliver(b.Bytes()))
	if ctx.Err() != nil {
		return errors.Join(err, errors.New("interrupted: the outcomes are partial"))
	}
	a.tellSkips(r)
	return errors.Join(err, r.verdict())
}

// readVectors reads the known answers of a file, or those built in.
func (a *app) readVectors(path string) ([]kat.File, error) {
	if path == "" {
		return a.vectors()
	}
	data, err := readBounded(path, maxFile)
	if err != nil {
		return nil, err
	}
	f, err := kat.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if f.Name == "" {
		f.Name = path
	}
	return []kat.File{f}, nil
}

// maxFile is the largest file of vectors that is read, in bytes.
const maxFile = 64 << 20

// errFileSize is wrapped by the error about a file that is too large.
var errFileSize = errors.New("too large")

// readBounded reads a file of at most so many bytes; a device or a pipe may have no
// end.
func readBounded(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("%s: %w: more than %d bytes", path, errFileSize, most)
	}
	return data, err
}

// tellSkips says of required backends how much of what was asked they have not
// been checked on.
func (a *app) tellSkips(r *katReport) {
	for _, b := range r.Backends {
		if b.Required && b.Skipped > 0 {
			a.warn("required: %s skipped %d of %d vectors, which it does not support", b.Backend, b.Skipped, len(b.Cases))
		}
	}
}

// verdict is an error if a vector failed, or if a required backend that is here
// passed none.
func (r *katReport) verdict() error {
	var errs []error
	for _, b := range r.Backends {
		for _, c := range b.Cases {
			if c.Status == statusFailed {
				errs = append(errs, fmt.Errorf("%s: %d of %d vectors failed, the first %s: %s",
					b.Backend, b.Failed, len(b.Cases), c.Vector, c.Reason))
				break
			}
		}
		if b.Required && b.Absent == "" && b.Passed == 0 && b.Failed == 0 {
			errs = append(errs, fmt.Errorf("required: %s supports none of the %d vectors", b.Backend, len(b.Cases)))
		}
	}
	return errors.Join(errs...)
}
