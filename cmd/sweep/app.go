package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/internal/bench"
	"github.com/crosspoint-kernels/crosspoint/internal/suite"
	"github.com/crosspoint-kernels/crosspoint/kat"
)

// Exit codes.
const (
	exitOK         = 0
	exitFailure    = 1 // a mismatch, a required backend that is not here, or another failure
	exitRegression = 2 // slower than --base
	exitNothing    = 3 // nothing to run or compare: no backend, or arguments that make no sense
)

// exitError is an error that ends the command with a code of its own.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

// exitCode is the code of an error, and of errors that were joined the gravest: a
// failure hides neither behind a regression nor behind arguments.
func exitCode(err error) int {
	switch e := err.(type) {
	case nil:
		return exitOK
	case *exitError:
		return e.code
	case interface{ Unwrap() []error }:
		code := exitOK
		for _, part := range e.Unwrap() {
			if c := exitCode(part); code == exitOK || c != exitOK && c < code {
				code = c
			}
		}
		return code
	case interface{ Unwrap() error }:
		if inner := e.Unwrap(); inner != nil {
			return exitCode(inner)
		}
	}
	return exitFailure
}

// usage wraps an error about arguments: nothing was run.
func usage(err error) error {
	if err == nil {
		return nil
	}
	return &exitError{exitNothing, err}
}

// app is the command with what it takes from outside.
type app struct {
	stdout, stderr io.Writer
	args           []string
	open           suite.Opener
	drivers        func() []string            // names, best first
	vectors        func() ([]kat.File, error) // built in
	clock          bench.Clock                // nil: the machine's
}

// run executes the command line args (without the program's name) and returns the
// exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	a := &app{stdout: stdout, stderr: stderr, open: backends.Open, drivers: registered, vectors: kat.Files}
	return a.run(ctx, args)
}

func (a *app) run(ctx context.Context, args []string) int {
	a.args = args
	root := a.rootCommand()
	root.SetArgs(args)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	err := root.ExecuteContext(ctx)
	if err != nil {
		for line := range strings.Lines(err.Error()) { // a line for each error that was joined
			a.warn("%s", strings.TrimSuffix(line, "\n"))
		}
	}
	return exitCode(err)
}

// warn tells of something that does not end the run.
func (a *app) warn(format string, args ...any) {
	fmt.Fprintf(a.stderr, "sweep: "+format+"\n", args...)
}

func registered() []string {
	var names []string
	for _, d := range backends.Drivers() {
		names = append(names, d.Name)
	}
	return names
}
