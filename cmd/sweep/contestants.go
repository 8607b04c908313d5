package main

import (
	"fmt"
	"slices"

	"github.com/crosspoint-kernels/crosspoint/internal/report"
	"github.com/crosspoint-kernels/crosspoint/internal/suite"
)

// enter opens the backends asked for. It fails if a required one is missing
// (exit 1), or if none of those asked for by name is here (exit 3); of others
// that are missing it warns.
func (a *app) enter(o *backendOptions) ([]suite.Contestant, []suite.Missing, error) {
	drivers, err := o.selected(a.drivers())
	if err != nil {
		return nil, nil, usage(err)
	}
	cs, missing := suite.Open(a.open, drivers, o.open())
	if err := a.admit(o, cs, missing); err != nil {
		suite.Close(cs)
		return nil, nil, err
	}
	return cs, missing, nil
}

func (a *app) admit(o *backendOptions, cs []suite.Contestant, missing []suite.Missing) error {
	for _, name := range o.require {
		if slices.ContainsFunc(cs, func(c suite.Contestant) bool { return c.Name == name }) {
			continue
		}
		for _, m := range missing {
			if m.Name == name {
				return &exitError{exitFailure, fmt.Errorf("required: %s is not here: %w%s", name, m.Err, remedy(name))}
			}
		}
		return &exitError{exitFailure, fmt.Errorf("required: %s is not in this build", name)}
	}
	for _, m := range missing {
		a.warn("%s is not here: %v%s", m.Name, m.Err, remedy(m.Name))
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

// install says what to install where a backend has no device.
var install = map[string]string{
	"wgsl": "a Vulkan, Metal, DX12 or GLES driver; without a GPU, Mesa's lavapipe runs it on the CPU " +
		"(Debian: apt install mesa-vulkan-drivers)",
}

// remedy is install as a clause, empty where nothing is known.
func remedy(name string) string {
	if what, ok := install[name]; ok {
		return "; to have it, install " + what
	}
	return ""
}

// list prints every backend of the build.
func (a *app) list(o *backendOptions) error {
	cs, missing := suite.Open(a.open, a.drivers(), o.open())
	defer suite.Close(cs)
	var lines []report.Listing
	for _, d := range devices(cs) {
		lines = append(lines, report.Listing{
			Backend: d.Backend, Device: d.Name, Driver: d.Driver, Software: d.Software, Available: true,
		})
	}
	for _, m := range missing {
		lines = append(lines, report.Listing{Backend: m.Name, Reason: m.Err.Error(), Install: install[m.Name]})
	}
	return report.WriteList(a.stdout, lines)
}
