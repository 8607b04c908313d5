package kat

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
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

	Hashes       []HashVector
	Permutations []Permutation
	Roots        []RootVector
}

// Provenance says where the expected values come from.
type Provenance struct {
	Source   string `json:"source"`            // what computed the values, with its version
	Licence  string `json:"licence"`           // of the source, or of the values where it has one
	Command  string `json:"command,omitempty"` // what rewrites the file
	Versions string `json:"versions,omitempty"`
	Note     string `json:"note,omitempty"`
}

//go:embed vectors/*.json vectors/keccak/*.json
//go:embed vectors/stateroot/*.json vectors/stateroot/*.gz vectors/stateroot/trietests/*.json
var embedded embed.FS

// Files returns the known answers that come with this package, by name.
func Files() ([]File, error) {
	names := []string{}
	for _, pattern := range []string{"vectors/*.json", "vectors/keccak/*.json", "vectors/stateroot/*.json"} {
		found, err := fs.Glob(embedded, pattern)
		if err != nil {
			return nil, err
		}
		names = append(names, found...)
	}
	var files []File
	for _, name := range names {
		data, err := embedded.ReadFile(name)
		if err != nil {
			return nil, err
		}
		f, err := Parse(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		files = append(files, f)
	}
	ethereum, err := ethereumTests()
	if err != nil {
		return nil, err
	}
	files = append(files, ethereum)
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
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
		return File{}, &ParseError{Err: syntax(err)}
	}
	var f File
	var err error
	switch head.Schema {
	case Schema:
		f, err = parseFile(data)
	case LuxSchema:
		f, err = parseLux(data)
	default:
		err = &ParseError{Where: "schema",
			Err: fmt.Errorf("%w: %q is neither %q nor %q", ErrSchema, head.Schema, Schema, LuxSchema)}
	}
	if err == nil {
		err = f.checkNames()
	}
	if err != nil {
		return File{}, err
	}
	return f, nil
}

// checkNames refuses two vectors of one name, of whatever kind: what became of them
// is told apart by name alone, in JUnit's reports among others.
func (f *File) checkNames() error {
	taken := map[string]bool{}
	check := func(list string, i int, name string) error {
		if taken[name] {
			return &ParseError{Where: fmt.Sprintf("%s[%d]", list, i), Err: fmt.Errorf("%w: %q", ErrName, name)}
		}
		taken[name] = true
		return nil
	}
	vectors := "vectors"
	if f.Schema == LuxSchema {
		vectors = "entries"
	}
	return cmp.Or(
		checkEach(vectors, f.Vectors, func(v Vector) string { return v.Name }, check),
		checkEach("probes", f.Probes, func(p Probe) string { return p.Ring.Name + "/probe" }, check),
		checkEach("hashes", f.Hashes, func(v HashVector) string { return v.Name }, check),
		checkEach("permutations", f.Permutations, func(p Permutation) string { return p.Name }, check),
		checkEach("roots", f.Roots, func(v RootVector) string { return v.Name }, check),
	)
}

func checkEach[T any](list string, items []T, name func(T) string, check func(string, int, string) error) error {
	for i, item := range items {
		if err := check(list, i, name(item)); err != nil {
			return err
		}
	}
	return nil
}
