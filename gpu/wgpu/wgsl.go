package wgpu

import "strings"

// declares reports whether WGSL text has a function of that name outside line
// comments. A pipeline for an entry point that isn't there makes some drivers
// crash instead of refusing it.
func declares(text, name string) bool {
	if name == "" {
		return false
	}
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "//")
		for {
			_, after, ok := strings.Cut(line, "fn ")
			if !ok {
				break
			}
			line = after
			rest, ok := strings.CutPrefix(strings.TrimSpace(after), name)
			if ok && strings.HasPrefix(strings.TrimSpace(rest), "(") {
				return true
			}
		}
	}
	return false
}
