package wgsl

import (
	"context"
	_ "embed"
	"fmt"
	"testing"

	"github.com/crosspoint-kernels/crosspoint/gpu"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

//go:embed testdata/plain.wgsl
var plainText string

// plainKernel returns the plain forward transform of a ring of 256 coefficients.
func plainKernel(r *ntt.Ring) Kernel {
	f := newWide(r.Q())
	return Kernel{
		Name: "plain", Text: plainText, Entry: "plain", Access: []bool{true, false}, GroupSize: 128, PerGroup: 1,
		Table: words(f.encode(append([]uint64{0}, r.Roots()...))),
	}
}

// plainParams are the parameters of a transform and, besides, q.
func plainParams(r *ntt.Ring, rows int) [gpu.ParamWords]uint32 {
	return [gpu.ParamWords]uint32{uint32(rows), 0, uint32(r.Q()), uint32(r.Q() >> 32)}
}

func words(w []uint32) []byte {
	var x []uint64
	for _, v := range w {
		x = append(x, uint64(v))
	}
	return encodeWords(4, x)
}

// BenchmarkTransform times one submission of rows transforms on resident rows,
// to its completion.
func BenchmarkTransform(b *testing.B) {
	dev := open(b)
	for _, r := range benchRings(b) {
		p := program(b, r)
		kernels := []Kernel{p.Forward, p.Inverse}
		if r.N() == 256 && p.WordBytes == 8 {
			kernels = append(kernels, plainKernel(r))
		}
		for _, k := range kernels {
			for _, rows := range []int{1, 4096 * 256 / r.N()} {
				b.Run(fmt.Sprintf("ring=%s/kernel=%s/rows=%d", r, k.Name, rows), func(b *testing.B) {
					benchmark(b, dev, k, rows, rows*r.N()*p.WordBytes, 0,
						plainParams(r, rows))
				})
			}
		}
	}
}

// BenchmarkPointwise times the pointwise kernels on resident rows.
func BenchmarkPointwise(b *testing.B) {
	dev := open(b)
	for _, r := range benchRings(b) {
		p := program(b, r)
		rows := 4096 * 256 / r.N()
		for _, k := range []Kernel{p.Mul, p.MulAdd, p.MulMont, p.MulAddMont, p.MForm, p.IMForm} {
			b.Run(fmt.Sprintf("ring=%s/kernel=%s/rows=%d", r, k.Name, rows), func(b *testing.B) {
				benchmark(b, dev, k, rows*r.N(), rows*r.N()*p.WordBytes, rows, [gpu.ParamWords]uint32{uint32(rows * r.N())})
			})
		}
		b.Run(fmt.Sprintf("ring=%s/kernel=%s/rows=8x7x49", r, p.MatMulAddMont.Name), func(b *testing.B) {
			benchmark(b, dev, p.MatMulAddMont, 8*49*r.N(), 8*49*r.N()*p.WordBytes, 8*7*49, [gpu.ParamWords]uint32{8, 7, 49})
		})
	}
}

func benchRings(b *testing.B) []*ntt.Ring {
	return []*ntt.Ring{named(b, "pulsar"), named(b, "mldsa"), named(b, "fhe27"), below(b, 256, 1<<50), below(b, 256, 1<<61)}
}

// benchmark runs a kernel over zeroed buffers of size bytes; what a row costs is
// reported for rows of them.
func benchmark(b *testing.B, dev gpu.Device, k Kernel, count, size, rows int, params [gpu.ParamWords]uint32) {
	run, err := newRunner(dev, k)
	if err != nil {
		b.Fatal(err)
	}
	defer run.release()
	if rows == 0 {
		rows = count
	}
	var buffers []gpu.Buffer
	for i := range k.Access {
		n := size
		if i == 1 && k.Table != nil {
			n = len(k.Table)
		}
		buf, err := dev.NewBuffer(k.Name, n)
		if err != nil {
			b.Fatal(err)
		}
		defer buf.Release()
		buffers = append(buffers, buf)
	}
	if k.Table != nil {
		if err := buffers[1].Write(0, k.Table); err != nil {
			b.Fatal(err)
		}
	}
	bound, err := dev.Bind(run.prog, buffers...)
	if err != nil {
		b.Fatal(err)
	}
	defer bound.Release()
	groups := uint32((count + k.PerGroup - 1) / k.PerGroup)
	submit := func() {
		pending, err := dev.Submit(gpu.Work{Dispatches: []gpu.Dispatch{{Binding: bound, Params: params, Groups: [3]uint32{groups, 1, 1}}}})
		if err != nil {
			b.Fatal(err)
		}
		if err := pending.Wait(context.Background()); err != nil {
			b.Fatal(err)
		}
		pending.Release()
	}
	submit() // compiles, where the driver does that late
	for b.Loop() {
		submit()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows), "ns/row")
}
