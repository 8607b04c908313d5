package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/crosspoint-kernels/crosspoint/internal/report"
	"github.com/crosspoint-kernels/crosspoint/internal/suite"
)

// machine describes the host and the devices of the contestants.
func machine(cs []suite.Contestant) report.Machine {
	return report.Machine{
		OS: runtime.GOOS, Arch: runtime.GOARCH, CPU: cpuName(), Cores: runtime.NumCPU(),
		GoVersion: runtime.Version(), Devices: devices(cs),
	}
}

func devices(cs []suite.Contestant) []report.Device {
	var ds []report.Device
	for _, c := range cs {
		d := report.Device{Backend: c.Name, Name: c.Info.Device, Driver: c.Info.Driver, Software: c.Info.Software}
		if n := c.Info.Workers; n > 1 {
			d.Driver += fmt.Sprintf(", %d threads", n)
		} else if n == 1 {
			d.Driver += ", 1 thread"
		}
		ds = append(ds, d)
	}
	return ds
}

// cpuName is the processor's name as the system gives it, else its architecture.
func cpuName() string {
	if name := systemCPUName(); name != "" {
		return name
	}
	if data, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if name := modelName(string(data)); name != "" {
			return name
		}
	}
	return runtime.GOARCH + " processor"
}

// modelName finds the name in the text of /proc/cpuinfo, whose keys depend on
// the architecture.
func modelName(cpuinfo string) string {
	for _, key := range []string{"model name", "Hardware", "cpu model", "uarch", "cpu"} {
		for line := range strings.Lines(cpuinfo) {
			k, v, ok := strings.Cut(line, ":")
			if v = strings.TrimSpace(v); ok && strings.TrimSpace(k) == key && v != "" {
				return v
			}
		}
	}
	return ""
}

// commandLine is the command as it would be typed in a POSIX shell: a word with
// anything that a shell could take for its own is in single quotes.
func commandLine(args []string) string {
	words := []string{"sweep"}
	for _, arg := range args {
		if arg == "" || strings.ContainsFunc(arg, special) {
			arg = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
		words = append(words, arg)
	}
	return strings.Join(words, " ")
}

// special reports whether c may mean something to a shell.
func special(c rune) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		return false
	}
	return !strings.ContainsRune("-_.,:/=+@%", c)
}
