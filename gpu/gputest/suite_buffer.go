package gputest

import (
	"fmt"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

var bufferChecks = []check{
	{"buffers begin as zeros", beginsZero},
	{"writes at odd places", oddPlaces},
	{"later writes win", laterWins},
	{"a large write", largeWrite},
	{"clear", clears},
	{"several reads", severalReads},
	{"still reads", stillReads},
	{"nothing is a valid amount", zeroLengths},
	{"two buffers of one kernel", twoBuffers},
}

// beginsZero also reuses memory that held something else.
func beginsZero(r *rig) error {
	const n = 4096
	for round := range 3 {
		b, err := r.words(n, nil)
		if err != nil {
			return err
		}
		if err := r.expect(fmt.Sprintf("round %d", round), b, func(int) uint32 { return 0 }); err != nil {
			return err
		}
		if err := b.Write(0, pack(n, func(i int) uint32 { return ^uint32(i) })); err != nil {
			return err
		}
		if err := r.do(gpu.Work{}, nil); err != nil {
			return err
		}
		b.Release()
	}
	return nil
}

func oddPlaces(r *rig) error {
	const n = 1000
	want := make([]uint32, n)
	b, err := r.words(n, nil)
	if err != nil {
		return err
	}
	next := uint32(1)
	for off := 1; off < n-40; off += 37 {
		k := off%13 + 1
		p := pack(k, func(i int) uint32 { want[off+i] = next + uint32(i); return next + uint32(i) })
		next += uint32(k)
		if err := b.Write(4*off, p); err != nil {
			return fmt.Errorf("Write of %d words at %d: %w", k, off, err)
		}
		clear(p) // the caller's again
	}
	for _, at := range []struct{ off, size int }{{0, 4 * n}, {8, 8}, {104, 256}, {4*n - 8, 8}} {
		w := gpu.Work{Reads: []gpu.Range{{Buffer: b, Off: at.off, Size: at.size}}}
		err := r.do(w, func(p gpu.Pending) error {
			what := fmt.Sprintf("%d bytes at %d", at.size, at.off)
			return compare(what, p.View(0), at.size/4, func(i int) uint32 { return want[at.off/4+i] })
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func laterWins(r *rig) error {
	const n = 512
	b, err := r.words(n, func(i int) uint32 { return uint32(i) })
	if err != nil {
		return err
	}
	for round := range 5 {
		p := pack(n/2, func(i int) uint32 { return uint32(1000*(round+1) + i) })
		if err := b.Write(4*(round+1), p); err != nil {
			return err
		}
	}
	return r.expect("five overlapping writes", b, func(i int) uint32 {
		switch {
		case i == 0 || i > 5+n/2-1:
			return uint32(i)
		case i <= 5:
			return uint32(1000*i + 0) // the first word of round i-1 stays
		}
		return uint32(5000 + i - 5)
	})
}

func largeWrite(r *rig) error {
	n := min(17<<20+12, r.dev.Limits().MaxBufferSize) / 4
	f := func(i int) uint32 { return uint32(i) * 2654435761 }
	b, err := r.words(n, f)
	if err != nil {
		return err
	}
	return r.expect("a large write", b, f)
}

func clears(r *rig) error {
	const n = 1024
	b, err := r.words(n, func(i int) uint32 { return uint32(i) + 7 })
	if err != nil {
		return err
	}
	if err := b.Clear(); err != nil {
		return err
	}
	if err := b.Write(8, pack(1, func(int) uint32 { return 5 })); err != nil {
		return err
	}
	return r.expect("write, clear, write", b, func(i int) uint32 {
		if i == 2 {
			return 5
		}
		return 0
	})
}

func severalReads(r *rig) error {
	const n = 64
	a, err := r.words(n, func(i int) uint32 { return uint32(i) })
	if err != nil {
		return err
	}
	b, err := r.words(n, func(i int) uint32 { return uint32(i) + 1000 })
	if err != nil {
		return err
	}
	var reads []gpu.Range
	for k := range 5 {
		reads = append(reads, gpu.Range{Buffer: a, Off: 16 * k, Size: 8 * (k + 1)},
			gpu.Range{Buffer: b, Off: 8 * k, Size: 16})
	}
	return r.do(gpu.Work{Reads: reads}, func(p gpu.Pending) error {
		for k, read := range reads {
			base := uint32(read.Off / 4)
			if read.Buffer == b {
				base += 1000
			}
			what := fmt.Sprintf("read %d", k)
			err := compare(what, p.View(k), read.Size/4, func(i int) uint32 { return base + uint32(i) })
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// stillReads looks at results that the device may show where they are: of work,
// of nothing but a write, and of a buffer that is released meanwhile.
func stillReads(r *rig) error {
	const n = 1024
	b, err := r.words(n, func(i int) uint32 { return uint32(i) })
	if err != nil {
		return err
	}
	bind, err := r.bound(r.programs.Affine, b)
	if err != nil {
		return err
	}
	still := gpu.Range{Buffer: b, Off: 16, Size: 4*n - 16, Still: true}
	want := func(i int) uint32 { return 3*uint32(i+4) + 1 }
	read := func(what string, w gpu.Work, want func(int) uint32) error {
		return r.do(w, func(p gpu.Pending) error { return compare(what, p.View(0), n-4, want) })
	}
	w := gpu.Work{Reads: []gpu.Range{still}, Dispatches: []gpu.Dispatch{{
		Binding: bind, Params: [gpu.ParamWords]uint32{3, 1, n}, Groups: groupsFor(n),
	}}}
	if err := read("of work", w, want); err != nil {
		return err
	}
	if err := read("of nothing", gpu.Work{Reads: w.Reads}, want); err != nil {
		return err
	}
	if err := b.Write(16, pack(1, func(int) uint32 { return 77 })); err != nil {
		return err
	}
	written := func(i int) uint32 {
		if i == 0 {
			return 77
		}
		return want(i)
	}
	return r.do(gpu.Work{Reads: w.Reads}, func(p gpu.Pending) error {
		b.Release()
		again, err := r.words(n, nil) // which may want its memory
		if err != nil {
			return err
		}
		defer again.Release()
		return compare("of a write, released", p.View(0), n-4, written)
	})
}

func zeroLengths(r *rig) error {
	b, err := r.words(8, func(i int) uint32 { return uint32(i) })
	if err != nil {
		return err
	}
	for _, off := range []int{0, 4, 32} {
		if err := b.Write(off, nil); err != nil {
			return fmt.Errorf("Write of nothing at %d: %w", off, err)
		}
	}
	if err := r.do(gpu.Work{}, nil); err != nil {
		return fmt.Errorf("no work: %w", err)
	}
	reads := []gpu.Range{{Buffer: b}, {Buffer: b, Off: 32}, {Buffer: b, Off: 8, Size: 8}}
	return r.do(gpu.Work{Reads: reads}, func(p gpu.Pending) error {
		for i := range 2 {
			if v := p.View(i); v == nil || len(v) != 0 {
				return fmt.Errorf("read of nothing: a view of %d bytes, nil %t", len(v), v == nil)
			}
		}
		return compare("the read after nothing", p.View(2), 2, func(i int) uint32 { return uint32(i) + 2 })
	})
}

func twoBuffers(r *rig) error {
	const n = 1000
	a, err := r.words(n, func(i int) uint32 { return uint32(i) * 3 })
	if err != nil {
		return err
	}
	b, err := r.words(n, func(i int) uint32 { return 1 << 20 * uint32(i) })
	if err != nil {
		return err
	}
	out, err := r.words(n, nil)
	if err != nil {
		return err
	}
	for _, second := range []gpu.Buffer{b, a} { // one buffer twice is fine where both are read
		bind, err := r.bound(r.programs.Combine, a, second, out)
		if err != nil {
			return err
		}
		w := gpu.Work{Dispatches: []gpu.Dispatch{{
			Binding: bind, Params: [gpu.ParamWords]uint32{5, n}, Groups: groupsFor(n),
		}}}
		if err := r.do(w, nil); err != nil {
			return err
		}
		err = r.expect("combine", out, func(i int) uint32 {
			if second == a {
				return uint32(i)*3*5 + uint32(i)*3
			}
			return uint32(i)*3*5 + 1<<20*uint32(i)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// groupsFor covers n invocations.
func groupsFor(n int) [3]uint32 {
	return [3]uint32{uint32((n + groupSize - 1) / groupSize), 1, 1}
}
