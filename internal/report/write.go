package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// writers are the formats of a report by their names on the command line.
var writers = []struct {
	name  string
	write func(io.Writer, *Report) error
}{
	{"md", WriteMarkdown},
	{"csv", WriteCSV},
	{"json", WriteJSON},
	{"latex", WriteLaTeX},
	{"gobench", WriteGobench},
}

// Formats lists the names that [Write] takes, the default first.
func Formats() []string {
	names := make([]string, len(writers))
	for i := range writers {
		names[i] = writers[i].name
	}
	return names
}

// Write writes r in the named format; a name that [Formats] does not list is
// ErrFormat.
func Write(w io.Writer, format string, r *Report) error {
	if err := CheckFormat(format); err != nil {
		return err
	}
	i := slices.Index(Formats(), format)
	return writers[i].write(w, r)
}

// CheckFormat is nil for a name that [Formats] lists, so that a command can
// refuse any other before it measures.
func CheckFormat(format string) error {
	if !slices.Contains(Formats(), format) {
		return fmt.Errorf("%w: %q is none of %s", ErrFormat, format, strings.Join(Formats(), ", "))
	}
	return nil
}
