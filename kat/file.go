package kat

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
)

// Schema names the format of this package's files; see README.md.
const Schema = "crosspoint-kat/1"

// File is a set of known answers of one origin.
type File struct {
	Name       string
	Schema     string
	Provenance Provenance
	Vectors    []Vector
	Probes     []Probe
}

// Provenance says where the expected values come from.
type Provenance struct {
	Source   string `json:"source"`            // what computed the values, with its version
	Licence  string `json:"licence"`           // of the source, or of the values where it has one
	Command  string `json:"command,omitempty"` // what rewrites the file
	Versions string `json:"versions,omitempty"`
	Note     string `json:"note,omitempty"`
}

//go:embed vectors/*.json
var embedded embed.FS

// Files returns the known answers that come with this package, by name.
func Files() ([]File, error) {
	names, err := fs.Glob(embedded, "vectors/*.json")
	if err != nil {
		return nil, err
	}
	files := make([]File, len(names))
	for i, name := range names {
		data, err := fs.ReadFile(embedded, name)
		if err != nil {
			return nil, err
		}
		if files[i], err = Parse(data); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return files, nil
}

// Parse reads a file in this package's schema or in Lux's lux.math.kat.v1. It
// accepts nothing that it does not understand, and no value out of range; the
// error is a *ParseError. It expands no generator, so its cost is that of the
// bytes given.
func Parse(data []byte) (File, error) {
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return File{}, &ParseError{Err: fmt.Errorf("%w: %w", ErrSyntax, err)}
	}
	switch head.Schema {
	case Schema:
		return parseFile(data)
	case LuxSchema:
		return parseLux(data)
	}
	return File{}, &ParseError{Where: "schema",
		Err: fmt.Errorf("%w: %q is neither %q nor %q", ErrSchema, head.Schema, Schema, LuxSchema)}
}
