package auto

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

func TestTableIsReadBackAndRefused(t *testing.T) {
	scalar, gpu := newFake("cpu", 2, nil), newFake("gpu", 0, nil)
	r, err := ntt.NewRing(16, 97)
	require.NoError(t, err)
	made := NewTable()
	made.Machine = "a processor"
	made.Add(scalar.info, "forward", r.String(), []TablePoint{{1, 1000}, {1000, 1e6}, {0, 5}, {5, math.NaN()}, {5, 0.5}, {5, 1e300}})
	made.Add(gpu.info, "forward", r.String(), []TablePoint{{1, 1e5}, {1000, 1e5}})
	var file bytes.Buffer
	require.NoError(t, made.Write(&file))
	text := file.String()
	table, err := ReadTable(strings.NewReader(text))
	require.NoError(t, err)
	require.Equal(t, made, table)

	b := open(t, Options{Table: table, Machine: made.Machine}, scalar, gpu)
	p := planOf(t, b)
	_, err = Explain(p, "forward", 64)
	require.NoError(t, err)
	require.Empty(t, scalar.seen(), "nothing was measured")
	for n, want := range map[int]string{64: "cpu", 200: "gpu"} {
		c, err := Explain(p, "forward", n)
		require.NoError(t, err)
		require.Equal(t, want, c.Parts[0].Backend)
	}
	_, err = Explain(p, "inverse", 64)
	require.NoError(t, err)
	require.NotEmpty(t, scalar.seen(), "what the table does not have is measured")

	for name, c := range map[string]struct {
		change func(t *Table)
		field  string
	}{
		"another device":  {func(t *Table) { t.Backends[1].Device = "other" }, "device"},
		"another driver":  {func(t *Table) { t.Backends[1].Driver = "planted 1.1" }, "driver"},
		"more threads":    {func(t *Table) { t.Backends[0].Workers = 3 }, "workers"},
		"without a CPU":   {func(t *Table) { t.Backends = t.Backends[1:] }, "backend"},
		"another version": {func(t *Table) { t.Version = "v9" }, "version"},
		"another schema":  {func(t *Table) { t.Schema = "x/2" }, "schema"},
		"another machine": {func(t *Table) { t.Machine = "" }, "machine"},
	} {
		table, err := ReadTable(strings.NewReader(text))
		require.NoError(t, err)
		c.change(table)
		_, err = New(Options{Table: table, Machine: made.Machine, drivers: []string{"cpu", "gpu"}, open: opener(scalar, gpu)})
		var e *TableError
		require.ErrorAs(t, err, &e, name)
		require.ErrorIs(t, err, ErrTable)
		require.Equal(t, c.field, e.Field, name)
		require.NotEmpty(t, e.Error())
	}
	for _, text := range []string{"", "{", `{"schema":"x"}`, text + "{}",
		`{"schema":"crosspoint-auto/1","curves":[{"points":[{"rows":-1,"ns":1}]}]}`,
		`{"schema":"crosspoint-auto/1","curves":[{"points":[{"rows":1,"ns":1e300}]}]}`} {
		_, err := ReadTable(strings.NewReader(text))
		require.ErrorIs(t, err, ErrTable, text)
	}
	_, err = ReadTable(iotest.ErrReader(errors.New("planted")))
	require.ErrorIs(t, err, ErrTable)

	// One that was made by hand is looked at as one that was read.
	table.Curves[0].Points[0].Ns = math.NaN()
	_, err = New(Options{Table: table, Machine: made.Machine, drivers: []string{"cpu", "gpu"}, open: opener(scalar, gpu)})
	require.ErrorIs(t, err, ErrTable)
}

// FuzzTable chooses by whatever ReadTable takes: nothing panics, no time is negative,
// and the parts are all rows, in order.
func FuzzTable(f *testing.F) {
	r, err := ntt.NewRing(16, 97)
	require.NoError(f, err)
	for _, points := range [][2][]TablePoint{
		{{{1, 1000}, {1000, 1e6}}, {{1, 1e5}, {1000, 1e5}}},
		{{{1, 1 << 62}, {math.MaxInt, 1 << 62}}, {{3, 1}, {2, 1}, {1, 1}}},
		{{{1, 1e18}, {1 << 24, 1}}, {{1, 1e9}, {math.MaxInt, 1e18}}},
		{{{1, 1e6}, {1 << 20, 1e6 * (1 << 20)}}, {{1, 1e6}, {1 << 20, 1e6 * (1 << 20)}}},
	} {
		made := NewTable()
		for i, workers := range []int{1, 0} {
			made.Add(newFake([]string{"gpu", "cpu"}[workers], workers, nil).info, "forward", r.String(), points[i])
		}
		var file bytes.Buffer
		require.NoError(f, made.Write(&file))
		f.Add(file.Bytes(), 77)
	}
	scalar, gpu := newFake("cpu", 1, nil), newFake("gpu", 0, nil)
	f.Fuzz(func(t *testing.T, text []byte, n int) {
		table, err := ReadTable(bytes.NewReader(text))
		if err != nil {
			require.ErrorIs(t, err, ErrTable)
			return
		}
		// The file is of this machine, whatever it says; what it lacks is not measured.
		table.Machine, table.Version, table.Backends = "", Version(), []TableBackend{entry(scalar.info), entry(gpu.info)}
		for i := range table.Curves {
			table.Curves[i].Op, table.Curves[i].Ring = "forward", r.String()
		}
		b := openTB(t, Options{Table: table, calibration: 1}, scalar, gpu)
		p, err := b.NTT(r)
		require.NoError(t, err)
		for _, n := range []int{n, 1, 2, 3, 1000, 1 << 30, math.MaxInt} {
			c, err := Explain(p, "forward", n)
			if n < 1 {
				require.ErrorIs(t, err, backends.ErrShape)
				continue
			}
			require.NoError(t, err)
			at := 0
			for _, part := range c.Parts {
				require.Equal(t, at, part.From)
				require.Greater(t, part.To, at)
				at = part.To
			}
			require.Equal(t, n, at)
			for _, x := range c.Candidates {
				require.GreaterOrEqual(t, x.Expected, time.Duration(0))
			}
		}
		require.NoError(t, p.Close())
	})
}

// The length that stands for a class is of that class, and so has its name.
func TestWidthIsOfItsClass(t *testing.T) {
	for i := range classes {
		require.Equal(t, i, class(1, width(i)))
	}
	require.Equal(t, HashOp(0), HashOp(rate-1))
	require.NotEqual(t, HashOp(rate-1), HashOp(rate))
}
