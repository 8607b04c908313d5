package auto

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// opener opens fakes by name; what it does not know failed its self-test.
func opener(fakes ...*fake) func(string, backends.Options) (backends.Backend, error) {
	return func(name string, o backends.Options) (backends.Backend, error) {
		for _, f := range fakes {
			if o.Workers == 1 && f.info.Workers > 1 {
				continue
			}
			if f.info.Name == name && strings.Contains(f.info.Device, o.Device) || f.info.Name == name && f.info.Workers > 0 {
				return f, nil
			}
		}
		return nil, &backends.Error{Backend: name, Op: "open", Err: errors.Join(backends.ErrUnavailable, errors.New("self-test"))}
	}
}

func TestOpenTakesWhatIsThere(t *testing.T) {
	scalar, simd := newFake("cpu", 2, nil), newFake("simd", 2, nil)
	gpu, soft := newFake("gpu", 0, nil), newFake("soft", 0, nil)
	soft.info.Software = true
	all := []string{"cpu", "simd", "gpu", "soft", "broken", Name}
	for name, c := range map[string]struct {
		o      Options
		want   []string
		events []string
		err    error
	}{
		"all": {Options{}, []string{"simd", "cpu", "gpu"}, []string{"soft", "broken"}, nil},
		"software too": {Options{Options: backends.Options{AllowSoftware: true}},
			[]string{"simd", "cpu", "soft", "gpu"}, []string{"broken"}, nil},
		"some":           {Options{Drivers: []string{"gpu", "simd"}}, []string{"simd", "gpu"}, nil, nil},
		"always a CPU":   {Options{Drivers: []string{"gpu"}}, []string{"cpu", "gpu"}, nil, nil},
		"a named device": {Options{Options: backends.Options{Device: "gpu"}}, []string{"simd", "cpu", "gpu"}, []string{"soft", "broken"}, nil},
		"no such device": {Options{Options: backends.Options{Device: "elsewhere"}}, nil, nil, backends.ErrUnavailable},
		"no such driver": {Options{Drivers: []string{"cuda"}}, nil, nil, backends.ErrUnknown},
		"itself":         {Options{Drivers: []string{Name}}, nil, nil, backends.ErrUnknown},
		"a table of others": {Options{Table: &Table{Schema: TableSchema, Version: Version()}},
			nil, nil, ErrTable},
	} {
		t.Run(name, func(t *testing.T) {
			c.o.drivers, c.o.open = all, opener(scalar, simd, gpu, soft)
			b, err := New(c.o)
			if c.err != nil {
				require.ErrorIs(t, err, c.err)
				var e *backends.Error
				require.ErrorAs(t, err, &e)
				require.Equal(t, Name, e.Backend)
				return
			}
			require.NoError(t, err)
			var names, events []string
			for _, i := range b.Members() {
				names = append(names, i.Name)
			}
			for _, e := range b.Events() {
				require.Equal(t, Unavailable, e.Kind)
				require.ErrorIs(t, e.Err, backends.ErrUnavailable)
				events = append(events, e.Backend)
			}
			require.Equal(t, c.want, names)
			require.Equal(t, c.events, events)
		})
	}
	_, err := New(Options{drivers: []string{"gpu"}, open: opener(gpu)})
	require.ErrorIs(t, err, backends.ErrUnavailable)
	require.ErrorContains(t, err, "no CPU backend")
}

// A device without a plan for a ring is left out there, and told.
func TestUnsupportedRingIsToldAndLeftOut(t *testing.T) {
	device := narrow{newFake("device", 0, nil)}
	b, err := New(Options{planted: toDevice, drivers: []string{"cpu", "device"},
		open: func(name string, o backends.Options) (backends.Backend, error) {
			if name == "device" {
				return device, nil
			}
			return newFake("cpu", 1, nil), nil
		}})
	require.NoError(t, err)
	defer b.Close()
	p := planOf(t, b)
	s := residues(3)
	require.NoError(t, p.Forward(t.Context(), s, s))
	c, err := Explain(p, "forward", 3)
	require.NoError(t, err)
	require.Equal(t, Only, c.Reason)
	require.Len(t, b.Events(), 1)
	require.Equal(t, Unsupported, b.Events()[0].Kind)
}

type narrow struct{ *fake }

func (narrow) NTT(*ntt.Ring) (backends.Plan, error) {
	return nil, &backends.Error{Backend: "device", Op: "plan", Err: backends.ErrUnsupported}
}

// The journal keeps the latest events and hands on all. What happens again and again
// takes one place.
func TestJournalIsBounded(t *testing.T) {
	told := 0
	j := journal{tell: func(Event) { told++ }}
	for i := range keptEvents + 10 {
		j.add(Event{Op: fmt.Sprint(i), Rows: i + 1})
	}
	require.Equal(t, keptEvents+10, told)
	events := j.all()
	require.Len(t, events, keptEvents)
	require.Equal(t, keptEvents+10, events[len(events)-1].Rows)
	require.Equal(t, 11, events[0].Rows)

	j = journal{}
	j.add(Event{Backend: "x", Kind: Lost, Err: backends.ErrDeviceLost})
	for i := range 2 * keptEvents {
		j.add(Event{Backend: "y", Kind: Failed, Done: i, Err: &backends.Error{Op: "forward", Done: i, Err: backends.ErrMemory}})
	}
	events = j.all()
	require.Len(t, events, 2)
	require.Equal(t, Lost, events[0].Kind)
	require.Equal(t, []int{1, 2 * keptEvents}, []int{events[0].Times, events[1].Times})
	require.Equal(t, 2*keptEvents-1, events[1].Done)
}

// A CPU backend of several threads is held with one thread too, which is chosen where
// it is faster, and told apart.
func TestOneThreadIsAChoice(t *testing.T) {
	many, one := newFake("cpu", 4, nil), newFake("cpu", 1, nil)
	b, err := New(Options{Options: backends.Options{Workers: 4}, drivers: []string{"cpu"},
		open: func(_ string, o backends.Options) (backends.Backend, error) {
			if o.Workers == 1 {
				return one, nil
			}
			return many, nil
		},
		planted: func(backend, _ string) []TablePoint {
			if backend == "cpu (1 thread)" {
				return []TablePoint{{1, 1000}, {1024, 1024 * 1000}}
			}
			return []TablePoint{{1, 30_000}, {1024, 1024 * 300}}
		}})
	require.NoError(t, err)
	defer b.Close()
	require.Equal(t, 4, b.Info().Workers)
	p := planOf(t, b)
	for n, want := range map[int]string{1: "cpu (1 thread)", 32: "cpu (1 thread)", 512: "cpu"} {
		c, err := Explain(p, "forward", n)
		require.NoError(t, err)
		require.Equal(t, want, c.Parts[0].Backend, n)
	}
}
