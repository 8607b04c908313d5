package auto

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/crosspoint-kernels/crosspoint/backends"
)

// ErrTable is wrapped by every error about a Table.
var ErrTable = errors.New("table of measurements")

// TableError says in what a Table differs from what is here. It wraps ErrTable.
type TableError struct {
	Backend string // whose; empty for the table as a whole
	Field   string // "schema", "version", "machine", "device", "driver", "workers", "backend"
	Table   string // what the table says
	Here    string // what is the case
}

func (e *TableError) Error() string {
	if e.Backend == "" {
		return fmt.Sprintf("%v: its %s is %q, and here it is %q", ErrTable, e.Field, e.Table, e.Here)
	}
	return fmt.Sprintf("%v: its %s of %s is %q, and here it is %q", ErrTable, e.Field, e.Backend, e.Table, e.Here)
}

func (e *TableError) Unwrap() error { return ErrTable }

// TableSchema names the layout of a Table.
const TableSchema = "crosspoint-auto/1"

// Table is measurements to choose by. It counts for the machine, the devices, the
// drivers and the version of this module and of Go that it was made with, and for no
// others.
type Table struct {
	Schema  string `json:"schema"`  // TableSchema
	Version string `json:"version"` // Version()
	// Machine is what its maker calls the machine: a CPU backend does not tell one
	// processor from another, and sweep --table names it here.
	Machine  string         `json:"machine"`
	Backends []TableBackend `json:"backends"`
	Curves   []TableCurve   `json:"curves"`
}

// TableBackend is one that was measured, as its Info describes it.
type TableBackend struct {
	Name    string `json:"name"`
	Device  string `json:"device"`
	Driver  string `json:"driver"`
	Workers int    `json:"workers"` // 0 for a device
}

// TableCurve is the times of one operation on one backend.
type TableCurve struct {
	Backend string `json:"backend"`
	Workers int    `json:"workers"`
	// Op is as in Timing, or "batch"; HashOp for hashes, and the same with "merkleroot"
	// for "keccak" for trees.
	Op     string       `json:"op"`
	Ring   string       `json:"ring,omitempty"` // N,q,psi
	Points []TablePoint `json:"points"`         // one or more
}

// TablePoint is the time of one call.
type TablePoint struct {
	Rows int     `json:"rows"` // positive
	Ns   float64 `json:"ns"`   // from 1 to 2^62
}

// Version is what a table is made with besides its devices: the version of this
// module in the program, with its revision where that is known, and that of Go.
func Version() string {
	const module = "github.com/crosspoint-kernels/crosspoint"
	version := "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		if info.Main.Path == module {
			version = info.Main.Version
		}
		for _, m := range info.Deps {
			if m.Path == module {
				version = m.Version
			}
		}
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && info.Main.Path == module {
				version += " " + s.Value
			}
		}
	}
	return version + ", " + runtime.Version()
}

// NewTable returns a table of no measurements yet, made with this version.
func NewTable() *Table { return &Table{Schema: TableSchema, Version: Version()} }

// Add puts the times of an operation on a backend into the table. Points that are out
// of range are left out.
func (t *Table) Add(i backends.Info, op, ring string, points []TablePoint) {
	b := entry(i)
	known := false
	for _, x := range t.Backends {
		known = known || x == b
	}
	if !known {
		t.Backends = append(t.Backends, b)
	}
	c := TableCurve{Backend: i.Name, Workers: i.Workers, Op: op, Ring: ring}
	for _, p := range points {
		if p.valid() {
			c.Points = append(c.Points, p)
		}
	}
	if len(c.Points) > 0 {
		t.Curves = append(t.Curves, c)
	}
}

func entry(i backends.Info) TableBackend {
	return TableBackend{Name: i.Name, Device: i.Device, Driver: i.Driver, Workers: i.Workers}
}

func (p TablePoint) valid() bool { return p.Rows > 0 && p.Ns >= 1 && p.Ns <= 1<<62 }

// Write writes the table as JSON.
func (t *Table) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(t)
}

// ReadTable reads what Write wrote. The error wraps ErrTable where it is no table,
// and is a *TableError where it is of another schema. Whether it fits the devices
// that are here New says.
func ReadTable(r io.Reader) (*Table, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrTable, err)
	}
	var t Table
	if err := json.Unmarshal(text, &t); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrTable, err)
	}
	if err := t.checkPoints(); err != nil {
		return nil, err
	}
	return &t, nil
}

// checkPoints looks at what a Table says by itself.
func (t *Table) checkPoints() error {
	if t.Schema != TableSchema {
		return &TableError{Field: "schema", Table: t.Schema, Here: TableSchema}
	}
	for _, c := range t.Curves {
		for _, p := range c.Points {
			if !p.valid() {
				return fmt.Errorf("%w: %s %s has a time of %v ns for %d rows", ErrTable, c.Backend, c.Op, p.Ns, p.Rows)
			}
		}
	}
	return nil
}

// check returns an error that wraps ErrTable unless the table, where there is one, was
// made on this machine with this version and every one of the members, but for those
// of one thread.
func (t *Table) check(machine string, members []*member) error {
	if t == nil {
		return nil
	}
	if err := t.checkPoints(); err != nil {
		return err
	}
	if v := Version(); t.Version != v {
		return &TableError{Field: "version", Table: t.Version, Here: v}
	}
	if t.Machine != machine {
		return &TableError{Field: "machine", Table: t.Machine, Here: machine}
	}
	for _, m := range members {
		if err := t.checkMember(entry(m.info)); err != nil && !m.twin {
			return err
		}
	}
	return nil
}

func (t *Table) checkMember(here TableBackend) error {
	err := &TableError{Backend: here.Name, Field: "backend", Here: here.Name}
	for _, x := range t.Backends {
		switch {
		case x == here:
			return nil
		case x.Name != here.Name || err.Field != "backend":
			continue
		case x.Device != here.Device:
			err.Field, err.Table, err.Here = "device", x.Device, here.Device
		case x.Driver != here.Driver:
			err.Field, err.Table, err.Here = "driver", x.Driver, here.Driver
		default:
			err.Field, err.Table, err.Here = "workers", fmt.Sprint(x.Workers), fmt.Sprint(here.Workers)
		}
	}
	return err
}

// points are those of an operation on a backend, nil for none.
func (t *Table) points(i backends.Info, op, ring string) []TablePoint {
	if t == nil {
		return nil
	}
	for _, c := range t.Curves {
		if c.Backend == i.Name && c.Workers == i.Workers && c.Op == op && c.Ring == ring {
			return c.Points
		}
	}
	return nil
}
