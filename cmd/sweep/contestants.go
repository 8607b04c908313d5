package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/internal/report"
	"github.com/crosspoint-kernels/crosspoint/internal/suite"
)

// enter opens the backends asked for. It fails if a required one is missing
// (exit 1), or if none of those asked for by name is here (exit 3); of others
// that are missing it warns. All are those that compute something: auto, which sends
// calls to them, takes part where it is named.
func (a *app) enter(o *backendOptions) ([]suite.Contestant, []suite.Missing, error) {
	fixed := *o
	fixed.withoutAuto = true
	cs, missing, err := a.openAll(&fixed)
	if err != nil {
		return nil, nil, err
	}
	if err := a.admit(o, cs, missing); err != nil {
		suite.Close(cs)
		return nil, nil, err
	}
	return cs, missing, nil
}

// openAll opens the backends asked for. Required ones that this build does not
// have are missing like those that have no device.
func (a *app) openAll(o *backendOptions) ([]suite.Contestant, []suite.Missing, error) {
	drivers, err := o.selected(a.drivers())
	if err != nil {
		return nil, nil, usage(err)
	}
	cs, missing := suite.Open(a.open, drivers, o.open())
	for i, name := range o.require {
		if slices.Contains(o.require[:i], name) ||
			slices.ContainsFunc(cs, func(c suite.Contestant) bool { return c.Name == name }) ||
			slices.ContainsFunc(missing, func(m suite.Missing) bool { return m.Name == name }) {
			continue
		}
		missing = append(missing, suite.Missing{Name: name, Err: fmt.Errorf("%w: not in this build", backends.ErrUnknown)})
	}
	return cs, missing, nil
}

func (a *app) admit(o *backendOptions, cs []suite.Contestant, missing []suite.Missing) error {
	var required []error
	for _, m := range missing {
		if slices.Contains(o.require, m.Name) {
			required = append(required, fmt.Errorf("required: %s is not here: %w", m.Name, m.Err))
		}
	}
	if len(required) > 0 {
		return errors.Join(required...)
	}
	for _, m := range missing {
		a.warn("%s is not here: %s", m.Name, cause(m.Err))
	}
	if len(cs) == 0 {
		return &exitError{exitNothing, fmt.Errorf("nothing to run: no backend is here")}
	}
	if !slices.ContainsFunc(cs, func(c suite.Contestant) bool { return o.asksFor(c) }) {
		if o.device != "" {
			return &exitError{exitNothing, fmt.Errorf("nothing to run: no backend asked for has a device named like %q", o.device)}
		}
		return &exitError{exitNothing, fmt.Errorf("nothing to run: none of the backends asked for is here")}
	}
	return nil
}

// list prints every backend of the build.
func (a *app) list(o *backendOptions) error {
	if err := o.checkMetallib(a.drivers()); err != nil {
		return usage(err)
	}
	cs, missing := suite.Open(a.open, a.drivers(), o.open())
	defer suite.Close(cs)
	var lines []report.Listing
	for i, d := range devices(cs) {
		lines = append(lines, report.Listing{
			Backend: d.Backend, Device: d.Name, Driver: d.Driver, Software: d.Software, Available: true,
			Supports: supports(&cs[i]),
		})
	}
	for _, m := range missing {
		lines = append(lines, report.Listing{Backend: m.Name, Reason: cause(m.Err)})
	}
	return report.WriteList(a.stdout, lines)
}

// cause is why a backend is not here, without the layers through which the error
// came: each says who it is and that it could not open, and the reader knows both.
func cause(err error) string {
	const opening = ": open: "
	text := err.Error()
	if i := strings.LastIndex(text, opening); i >= 0 {
		text = text[i+len(opening):]
	}
	return strings.TrimPrefix(text, backends.ErrUnavailable.Error()+": ")
}

// supports says in a few words what a backend can do, for the list.
func supports(c *suite.Contestant) []string {
	var able []string
	for _, kind := range []backends.Kind{backends.NTT, backends.Keccak} {
		if c.Backend.Supports(backends.Op{Kind: kind}) != nil {
			continue
		}
		what := string(kind)
		if kind == backends.NTT {
			what += fmt.Sprintf(" to N = %d", c.Info.MaxN)
		}
		able = append(able, what)
	}
	return able
}
