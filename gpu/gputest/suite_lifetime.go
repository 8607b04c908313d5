package gputest

import (
	"context"
	"fmt"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

var lifetimeChecks = []check{
	{"a released buffer", releasedBuffer},
	{"a released kernel or binding", releasedBinding},
	{"a released submission", releasedPending},
	{"release while in use", releaseInUse},
	{"a closed device", closedDevice},
}

func releasedBuffer(r *rig) error {
	b, err := r.words(groupSize, nil)
	if err != nil {
		return err
	}
	bind, err := r.bound(r.programs.Affine, b)
	if err != nil {
		return err
	}
	k, err := r.dev.NewKernel(r.programs.Affine)
	if err != nil {
		return err
	}
	b.Release()
	b.Release() // does nothing
	return each(
		func() error { return wrapped("Write", b.Write(0, make([]byte, 4)), gpu.ErrReleased) },
		func() error { return wrapped("Clear", b.Clear(), gpu.ErrReleased) },
		func() error {
			_, err := r.dev.Bind(k, b)
			return wrapped("Bind", err, gpu.ErrReleased)
		},
		func() error {
			_, err := r.dev.Submit(gpu.Work{Reads: []gpu.Range{{Buffer: b, Size: 8}}})
			return wrapped("a read", err, gpu.ErrReleased)
		},
		func() error {
			return wrapped("a dispatch", dispatchOnce(r, bind), gpu.ErrReleased)
		},
	)
}

func dispatchOnce(r *rig, bind gpu.Binding) error {
	_, err := r.dev.Submit(gpu.Work{Dispatches: []gpu.Dispatch{{Binding: bind, Groups: [3]uint32{1, 1, 1}}}})
	return err
}

func releasedBinding(r *rig) error {
	b, err := r.words(groupSize, nil)
	if err != nil {
		return err
	}
	k, err := r.dev.NewKernel(r.programs.Affine)
	if err != nil {
		return err
	}
	first, err := r.dev.Bind(k, b)
	if err != nil {
		return err
	}
	second, err := r.dev.Bind(k, b)
	if err != nil {
		return err
	}
	first.Release()
	first.Release()
	if err := wrapped("a released binding", dispatchOnce(r, first), gpu.ErrReleased); err != nil {
		return err
	}
	if err := dispatchOnce(r, second); err != nil {
		return fmt.Errorf("the other binding: %w", err)
	}
	k.Release()
	k.Release()
	if err := wrapped("a binding of a released kernel", dispatchOnce(r, second), gpu.ErrReleased); err != nil {
		return err
	}
	_, err = r.dev.Bind(k, b)
	return wrapped("Bind of a released kernel", err, gpu.ErrReleased)
}

func releasedPending(r *rig) error {
	b, err := r.words(2, func(i int) uint32 { return uint32(i) + 1 })
	if err != nil {
		return err
	}
	w := gpu.Work{Reads: []gpu.Range{{Buffer: b, Size: 8}}}
	p, err := r.dev.Submit(w)
	if err != nil {
		return err
	}
	if v := p.View(0); v != nil {
		return fmt.Errorf("a view of %d bytes before Wait", len(v))
	}
	if err := p.Wait(context.Background()); err != nil {
		return err
	}
	if err := p.Wait(context.Background()); err != nil {
		return fmt.Errorf("the second Wait: %w", err)
	}
	for _, i := range []int{-1, 1} {
		if v := p.View(i); v != nil {
			return fmt.Errorf("a view of %d bytes of read %d", len(v), i)
		}
	}
	p.Release()
	p.Release()
	if v := p.View(0); v != nil {
		return fmt.Errorf("a view of %d bytes after Release", len(v))
	}
	if err := wrapped("Wait after Release", p.Wait(context.Background()), gpu.ErrReleased); err != nil {
		return err
	}
	if p, err = r.dev.Submit(w); err != nil {
		return err
	}
	p.Release() // without a Wait
	return r.expect("a read after it", b, func(i int) uint32 { return uint32(i) + 1 })
}

// releaseInUse releases everything right behind a submission, which must not
// notice.
func releaseInUse(r *rig) error {
	const n = 1 << 16
	var pending []gpu.Pending
	for k := range 8 {
		b, err := r.words(n, func(i int) uint32 { return uint32(i + k) })
		if err != nil {
			return err
		}
		kern, err := r.dev.NewKernel(r.programs.Affine)
		if err != nil {
			return err
		}
		bind, err := r.dev.Bind(kern, b)
		if err != nil {
			return err
		}
		p, err := r.dev.Submit(gpu.Work{
			Dispatches: []gpu.Dispatch{{Binding: bind, Params: [gpu.ParamWords]uint32{7, 1, n}, Groups: groupsFor(n)}},
			Reads:      []gpu.Range{{Buffer: b, Size: 4 * n}},
		})
		if err != nil {
			return err
		}
		bind.Release()
		kern.Release()
		b.Release()
		pending = append(pending, p)
	}
	for k, p := range pending {
		if err := p.Wait(context.Background()); err != nil {
			return err
		}
		err := compare(fmt.Sprintf("submission %d", k), p.View(0), n, func(i int) uint32 { return uint32(i+k)*7 + 1 })
		if err != nil {
			return err
		}
		p.Release()
	}
	return nil
}

func closedDevice(r *rig) error {
	b, err := r.words(groupSize, nil)
	if err != nil {
		return err
	}
	k, err := r.dev.NewKernel(r.programs.Affine)
	if err != nil {
		return err
	}
	bind, err := r.dev.Bind(k, b)
	if err != nil {
		return err
	}
	p, err := r.dev.Submit(gpu.Work{Reads: []gpu.Range{{Buffer: b, Size: 8}}})
	if err != nil {
		return err
	}
	if err := r.dev.Close(); err != nil {
		return err
	}
	err = each(
		func() error {
			_, err := r.dev.NewBuffer("late", 4)
			return wrapped("NewBuffer", err, gpu.ErrReleased)
		},
		func() error {
			_, err := r.dev.NewKernel(r.programs.Affine)
			return wrapped("NewKernel", err, gpu.ErrReleased)
		},
		func() error {
			_, err := r.dev.Bind(k, b)
			return wrapped("Bind", err, gpu.ErrReleased)
		},
		func() error { return wrapped("Submit", dispatchOnce(r, bind), gpu.ErrReleased) },
		func() error { return wrapped("Write", b.Write(0, make([]byte, 4)), gpu.ErrReleased) },
		func() error { return wrapped("Clear", b.Clear(), gpu.ErrReleased) },
		func() error { return wrapped("Wait", p.Wait(context.Background()), gpu.ErrReleased) },
	)
	if v := p.View(0); v != nil {
		return fmt.Errorf("a view of %d bytes of a closed device", len(v))
	}
	bind.Release()
	k.Release()
	b.Release()
	p.Release()
	return err
}
