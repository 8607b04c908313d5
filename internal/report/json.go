package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// WriteJSON writes r as indented JSON in the layout named by [Schema]. An empty
// r.Schema stands for it; any other is ErrSchema. Absent lists are written as
// empty ones, so that a consumer never meets a null in their place. A number
// that cannot be a measurement is ErrValue and nothing is written.
func WriteJSON(w io.Writer, r *Report) error {
	out, err := normalised(r)
	if err != nil {
		return err
	}
	data, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		return fmt.Errorf("%w: %w", ErrValue, err)
	}
	_, err = w.Write(append(data, '\n'))
	return err
}

// ReadJSON reads one report. Data that are no JSON object, that are followed by
// more data, or that name another schema are ErrSchema; numbers that cannot be
// measurements are ErrValue. Unknown fields are ignored, since a later program
// may add some under the same name.
func ReadJSON(rd io.Reader) (*Report, error) {
	dec := json.NewDecoder(rd)
	var r Report
	if err := dec.Decode(&r); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSchema, err)
	}
	if r.Schema != Schema {
		return nil, fmt.Errorf("%w: its schema is %q", ErrSchema, r.Schema)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: more data after the report", ErrSchema)
	}
	return normalised(&r)
}

// normalised returns a copy of r with its schema set and no nil list or map
// where the layout has a list or an object.
func normalised(r *Report) (*Report, error) {
	out := *r
	if out.Schema == "" {
		out.Schema = Schema
	}
	if out.Schema != Schema {
		return nil, fmt.Errorf("%w: its schema is %q", ErrSchema, out.Schema)
	}
	if err := out.checkValues(); err != nil {
		return nil, err
	}
	out.Machine.Devices = orEmpty(out.Machine.Devices)
	out.Rows = append([]Row{}, out.Rows...)
	for i := range out.Rows {
		out.Rows[i].Params = orEmptyMap(out.Rows[i].Params)
		out.Rows[i].Phases = orEmptyMap(out.Rows[i].Phases)
		if len(out.Rows[i].Speedup) == 0 {
			out.Rows[i].Speedup = nil // left out where it is empty
		}
	}
	out.Fits = append([]Fit{}, out.Fits...)
	for i := range out.Fits {
		out.Fits[i].Params = orEmptyMap(out.Fits[i].Params)
	}
	out.Crossovers = append([]Crossover{}, out.Crossovers...)
	for i := range out.Crossovers {
		out.Crossovers[i].Params = orEmptyMap(out.Crossovers[i].Params)
		out.Crossovers[i].SignChanges = orNil(out.Crossovers[i].SignChanges)
	}
	out.HotPath = orNil(out.HotPath)
	out.Blocks = orNil(out.Blocks)
	return &out, nil
}

func orEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// orNil is for lists that are left out where they are empty.
func orNil[T any](s []T) []T {
	if len(s) == 0 {
		return nil
	}
	return s
}

func orEmptyMap[V any](m map[string]V) map[string]V {
	if m == nil {
		return map[string]V{}
	}
	return m
}
