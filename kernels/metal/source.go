package metal

import (
	"embed"
	"strings"
	"sync"
)

//go:embed *.h *.metal
var files embed.FS

// order is that of the files in the one translation unit: what a file includes
// stands before it.
var order = []string{"field.h", "butterflies.h", "ntt.metal", "pointwise.metal", "keccak.metal", "probe.metal"}

// Source returns all kernels as one text, with our own headers in it: a driver
// that compiles a string has no path to search for them. It is the same string
// for every ring.
func Source() string { return source() }

var source = sync.OnceValue(func() string { return join(order...) })

// join returns the files as one text, without what they include of each other.
func join(names ...string) string {
	var b strings.Builder
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			return "#error \"" + err.Error() + "\"\n" // not for a name that a test has read
		}
		for line := range strings.Lines(string(text)) {
			if !strings.HasPrefix(line, `#include "`) {
				b.WriteString(line)
			}
		}
	}
	return b.String()
}
