package main

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/kat"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// dressed is the scalar backend dressed up as another one, which can be told to
// be wrong, to refuse, and to take its time on a virtual clock. On that clock it
// does only the arithmetic that a check looks at: into a poisoned destination, and
// on a batch until it was first read.
type dressed struct {
	backends.Backend
	info   backends.Info
	bend   func(dst []uint64)    // spoils the output of a transform
	refuse func(*ntt.Ring) error // returned by Supports and NTT
	clock  *virtual              // advanced by every call; nil: real time
	d, tau time.Duration         // of a call, and of each of its rows
	onCall func(rows int)        // sees every transform and batch of messages
	noHash error                 // returned by Supports and Keccak
	spoil  func(dst [][32]byte)  // spoils digests
}

// virtual is a clock that only dressed backends advance.
type virtual struct{ now time.Duration }

func (v *virtual) Now() time.Duration { return v.now }

func (b *dressed) Info() backends.Info { return b.info }

func (b *dressed) Supports(op backends.Op) error {
	if op.Kind == backends.Keccak {
		return b.noHash
	}
	if b.refuse != nil && op.Ring != nil {
		return b.refuse(op.Ring)
	}
	return nil
}

func (b *dressed) NTT(r *ntt.Ring) (backends.Plan, error) {
	if err := b.Supports(backends.Op{Ring: r}); err != nil {
		return nil, err
	}
	p, err := b.Backend.NTT(r)
	return &dressedPlan{p, b}, err
}

func (b *dressed) spend(rows int) {
	if b.clock != nil {
		b.clock.now += b.d + time.Duration(rows)*b.tau
	}
}

type dressedPlan struct {
	backends.Plan
	b *dressed
}

func (p *dressedPlan) Forward(ctx context.Context, dst, src []uint64) error {
	rows := len(src) / p.Ring().N()
	if p.b.onCall != nil {
		p.b.onCall(rows)
	}
	p.b.spend(rows)
	if p.b.clock != nil && &dst[0] != &src[0] && dst[0] != ^uint64(0) {
		return nil
	}
	err := p.Plan.Forward(ctx, dst, src)
	if p.b.bend != nil {
		p.b.bend(dst)
	}
	return err
}

func (p *dressedPlan) NewBatch(rows int) (backends.Batch, error) {
	b, err := p.Plan.NewBatch(rows)
	if err != nil || p.b.clock == nil {
		return b, err
	}
	return &dressedBatch{Batch: b, b: p.b}, nil
}

// dressedBatch takes virtual time too.
type dressedBatch struct {
	backends.Batch
	b    *dressed
	read bool
}

func (x *dressedBatch) do(op func() error) error {
	x.b.spend(x.Rows())
	if x.read {
		return nil
	}
	return op()
}

func (x *dressedBatch) Write(ctx context.Context, row int, src []uint64) error {
	return x.do(func() error { return x.Batch.Write(ctx, row, src) })
}

func (x *dressedBatch) Read(ctx context.Context, row int, dst []uint64) error {
	err := x.do(func() error { return x.Batch.Read(ctx, row, dst) })
	x.read = true
	return err
}

func (x *dressedBatch) Forward(ctx context.Context, row, n int) error {
	return x.do(func() error { return x.Batch.Forward(ctx, row, n) })
}

func (x *dressedBatch) MForm(ctx context.Context, row, n int) error {
	return x.do(func() error { return x.Batch.MForm(ctx, row, n) })
}

func (x *dressedBatch) MatMulAddMont(ctx context.Context, a, b backends.Batch, m, k, n int) error {
	return x.do(func() error {
		return x.Batch.MatMulAddMont(ctx, a.(*dressedBatch).Batch, b.(*dressedBatch).Batch, m, k, n)
	})
}

// fixture is an app whose backends are cpu and what a test adds.
type fixture struct {
	app
	stdout, stderr bytes.Buffer
	devices        map[string]*dressed // by driver; a nil one is unavailable
	clock          *virtual            // set before run
}

// gpu is what a test's device says of itself.
func gpu(name string, software bool) backends.Info {
	return backends.Info{Name: name, Device: "Test " + name, Driver: "test 1.0", Software: software, MaxN: 2048}
}

func newFixture(devices map[string]*dressed) *fixture {
	f := &fixture{devices: devices}
	f.app.stdout, f.app.stderr = &f.stdout, &f.stderr
	f.app.drivers = func() []string {
		names := []string{"cpu"}
		for _, name := range []string{"metal", "wgsl"} {
			if _, ok := devices[name]; ok {
				names = append(names, name)
			}
		}
		return names
	}
	f.app.open = f.open
	f.app.vectors = smallVectors
	return f
}

// smallVectors are a few of those built in, of every operation and ring.
func smallVectors() ([]kat.File, error) {
	files, err := kat.Files()
	for i := range files {
		f := &files[i]
		f.Vectors = slices.DeleteFunc(f.Vectors, func(v kat.Vector) bool { return v.Rows*v.Ring.N > 1024 })
		f.Probes = nil
		f.Roots = slices.DeleteFunc(f.Roots, func(v kat.RootVector) bool { return v.Len() > quickLeaves })
	}
	return files, err
}

func (f *fixture) open(name string, o backends.Options) (backends.Backend, error) {
	b, ok := f.devices[name]
	if name != "cpu" && (!ok || b == nil) {
		return nil, &backends.Error{Backend: name, Op: "open", Err: fmt.Errorf("%w: no adapter", backends.ErrUnavailable)}
	}
	host, err := backends.Open("cpu", backends.Options{Workers: o.Workers})
	if err != nil {
		return nil, err
	}
	if b != nil {
		b.Backend = host
		return b, nil
	}
	if f.clock != nil { // a CPU on the clock too: 2 ms per row over its threads
		tau := 2 * time.Millisecond / time.Duration(host.Info().Workers)
		return &dressed{Backend: host, info: host.Info(), clock: f.clock, tau: tau}, nil
	}
	return host, nil
}

// sweep runs a command line and returns its exit code.
func (f *fixture) sweep(t *testing.T, args ...string) int {
	return f.under(t.Context(), args...)
}

func (f *fixture) under(ctx context.Context, args ...string) int {
	f.stdout.Reset()
	f.stderr.Reset()
	if f.clock != nil {
		f.app.clock = f.clock
	}
	return f.app.run(ctx, args)
}
