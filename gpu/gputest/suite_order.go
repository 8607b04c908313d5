package gputest

import (
	"context"
	"fmt"
	"sync"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

var orderChecks = []check{
	{"dispatches run in order", dispatchOrder},
	{"parameters of a full submission", fullParams},
	{"parameters of submissions in flight", paramsInFlight},
	{"writes between submissions", writesBetween},
	{"waits in any order", anyOrder},
	{"the grid of groups", gridOfGroups},
	{"barriers within a group", groupBarriers},
	{"constants and group memory of the host's", hostedData},
	{"submissions from many goroutines", manyGoroutines},
}

// affineSteps are maps that don't commute.
func affineStep(k int) [gpu.ParamWords]uint32 {
	return [gpu.ParamWords]uint32{uint32(2*k + 3), uint32(k*k + 1)}
}

func dispatchOrder(r *rig) error {
	const n = 300
	b, err := r.words(n, func(i int) uint32 { return uint32(i) })
	if err != nil {
		return err
	}
	bind, err := r.bound(r.programs.Affine, b)
	if err != nil {
		return err
	}
	var w gpu.Work
	for k := range gpu.MaxDispatches {
		p := affineStep(k)
		p[2] = n
		w.Dispatches = append(w.Dispatches, gpu.Dispatch{Binding: bind, Params: p, Groups: groupsFor(n)})
	}
	if err := r.do(w, nil); err != nil {
		return err
	}
	return r.expect("32 affine maps", b, func(i int) uint32 {
		x := uint32(i)
		for k := range gpu.MaxDispatches {
			p := affineStep(k)
			x = x*p[0] + p[1]
		}
		return x
	})
}

// echoParams are those of dispatch k, each word different.
func echoParams(k int) [gpu.ParamWords]uint32 {
	p := [gpu.ParamWords]uint32{uint32(k)}
	for j := 1; j < len(p); j++ {
		p[j] = uint32(k)<<8 + uint32(j) + 0xa5000000
	}
	return p
}

func expectEchoes(r *rig, b gpu.Buffer) error {
	return r.expect("the parameters", b, func(i int) uint32 {
		p := echoParams(i / gpu.ParamWords)
		return p[i%gpu.ParamWords]
	})
}

func fullParams(r *rig) error {
	b, err := r.words(gpu.MaxDispatches*gpu.ParamWords, nil)
	if err != nil {
		return err
	}
	bind, err := r.bound(r.programs.Echo, b)
	if err != nil {
		return err
	}
	var w gpu.Work
	for k := range gpu.MaxDispatches {
		w.Dispatches = append(w.Dispatches, gpu.Dispatch{Binding: bind, Params: echoParams(k), Groups: [3]uint32{1, 1, 1}})
	}
	if err := r.do(w, nil); err != nil {
		return err
	}
	return expectEchoes(r, b)
}

func paramsInFlight(r *rig) error {
	const submissions = 40
	b, err := r.words(2*submissions*gpu.ParamWords, nil)
	if err != nil {
		return err
	}
	bind, err := r.bound(r.programs.Echo, b)
	if err != nil {
		return err
	}
	for k := range submissions {
		one := [3]uint32{1, 1, 1}
		p, err := r.dev.Submit(gpu.Work{Dispatches: []gpu.Dispatch{
			{Binding: bind, Params: echoParams(2 * k), Groups: one},
			{Binding: bind, Params: echoParams(2*k + 1), Groups: one},
		}})
		if err != nil {
			return fmt.Errorf("Submit %d: %w", k, err)
		}
		defer p.Release()
	}
	return expectEchoes(r, b)
}

func writesBetween(r *rig) error {
	const n, rounds = 256, 20
	b, err := r.words(n, nil)
	if err != nil {
		return err
	}
	bind, err := r.bound(r.programs.Affine, b)
	if err != nil {
		return err
	}
	var pending []gpu.Pending
	for k := range rounds {
		if err := b.Write(0, pack(n, func(i int) uint32 { return uint32(i + 1000*k) })); err != nil {
			return err
		}
		p, err := r.dev.Submit(gpu.Work{
			Dispatches: []gpu.Dispatch{{Binding: bind, Params: [gpu.ParamWords]uint32{3, uint32(k), n}, Groups: groupsFor(n)}},
			Reads:      []gpu.Range{{Buffer: b, Size: 4 * n}},
		})
		if err != nil {
			return fmt.Errorf("Submit %d: %w", k, err)
		}
		defer p.Release()
		pending = append(pending, p)
	}
	for k, p := range pending {
		if err := p.Wait(context.Background()); err != nil {
			return fmt.Errorf("Wait %d: %w", k, err)
		}
		what := fmt.Sprintf("submission %d", k)
		err := compare(what, p.View(0), n, func(i int) uint32 { return uint32(i+1000*k)*3 + uint32(k) })
		if err != nil {
			return err
		}
	}
	return nil
}

// anyOrder also looks at views after later submissions were waited for.
func anyOrder(r *rig) error {
	const n, rounds = 128, 9
	b, err := r.words(n, func(i int) uint32 { return uint32(i) })
	if err != nil {
		return err
	}
	bind, err := r.bound(r.programs.Affine, b)
	if err != nil {
		return err
	}
	var pending [rounds]gpu.Pending
	for k := range pending {
		params := affineStep(k)
		params[2] = n
		pending[k], err = r.dev.Submit(gpu.Work{
			Dispatches: []gpu.Dispatch{{Binding: bind, Params: params, Groups: groupsFor(n)}},
			Reads:      []gpu.Range{{Buffer: b, Size: 4 * n}},
		})
		if err != nil {
			return fmt.Errorf("Submit %d: %w", k, err)
		}
	}
	for i := range rounds {
		k := (4*i + 7) % rounds // 4 and 9 have no common factor
		if err := pending[k].Wait(context.Background()); err != nil {
			return fmt.Errorf("Wait %d: %w", k, err)
		}
	}
	for k, p := range pending {
		err := compare(fmt.Sprintf("submission %d", k), p.View(0), n, func(i int) uint32 {
			x := uint32(i)
			for j := 0; j <= k; j++ {
				step := affineStep(j)
				x = x*step[0] + step[1]
			}
			return x
		})
		if err != nil {
			return err
		}
		p.Release()
	}
	return nil
}

func gridOfGroups(r *rig) error {
	for _, g := range [][3]uint32{{1, 1, 1}, {7, 1, 1}, {1, 5, 1}, {1, 1, 3}, {5, 3, 2}} {
		n := int(g[0] * g[1] * g[2])
		b, err := r.words((n+1)&^1, nil)
		if err != nil {
			return err
		}
		bind, err := r.bound(r.programs.Grid, b)
		if err != nil {
			return err
		}
		if err := r.do(gpu.Work{Dispatches: []gpu.Dispatch{{Binding: bind, Groups: g}}}, nil); err != nil {
			return err
		}
		err = r.expect(fmt.Sprintf("groups %v", g), b, func(i int) uint32 {
			if i >= n {
				return 0
			}
			k := uint32(i)
			return k%g[0] + 256*(k/g[0]%g[1]) + 65536*(k/g[0]/g[1])
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// groupBarriers fails where a barrier does nothing: an invocation then takes
// words that its mirror has not stored yet, whatever order they run in.
func groupBarriers(r *rig) error {
	const groups = 50
	const n = groups * groupSize
	start := func(i int) uint32 { return uint32(i)*2654435761 + 12345 }
	b, err := r.words(n, start)
	if err != nil {
		return err
	}
	bind, err := r.bound(r.programs.Exchange, b)
	if err != nil {
		return err
	}
	if err := r.do(gpu.Work{Dispatches: []gpu.Dispatch{{Binding: bind, Groups: [3]uint32{groups, 1, 1}}}}, nil); err != nil {
		return err
	}
	want := pack(n, start)
	exchange([][]byte{want}, [gpu.ParamWords]uint32{}, [3]uint32{groups, 1, 1})
	return r.expect("words exchanged across barriers", b, func(i int) uint32 { return word(want, i) })
}

// hostedData has two kernels of one program with constants of their own in one
// submission.
func hostedData(r *rig) error {
	if r.programs.Hosted.Entry == "" {
		return refusesHosted(r)
	}
	const groups = 7
	const n = groups * groupSize
	start := func(i int) uint32 { return uint32(i)*2654435761 + 99 }
	b, err := r.words(n, start)
	if err != nil {
		return err
	}
	bind, err := r.bound(r.programs.Hosted, b)
	if err != nil {
		return err
	}
	other := r.programs.Hosted
	other.Constants = make([]byte, len(other.Constants))
	zero, err := r.bound(other, b)
	if err != nil {
		return err
	}
	of := func(b gpu.Binding, p uint32) gpu.Dispatch {
		return gpu.Dispatch{Binding: b, Params: [gpu.ParamWords]uint32{p}, Groups: [3]uint32{groups, 1, 1}}
	}
	if err := r.do(gpu.Work{Dispatches: []gpu.Dispatch{of(bind, 5), of(bind, 6)}}, nil); err != nil {
		return err
	}
	want := pack(n, start)
	for p := range uint32(2) {
		hosted([][]byte{want}, [gpu.ParamWords]uint32{p + 5}, [3]uint32{groups, 1, 1})
	}
	if err := r.expect("twice", b, func(i int) uint32 { return word(want, i) }); err != nil {
		return err
	}
	if err := r.do(gpu.Work{Dispatches: []gpu.Dispatch{of(zero, 9), of(bind, 7)}}, nil); err != nil {
		return err
	}
	want = pack(n, func(int) uint32 { return 9 })
	hosted([][]byte{want}, [gpu.ParamWords]uint32{7}, [3]uint32{groups, 1, 1})
	return r.expect("after constants of 0", b, func(i int) uint32 { return word(want, i) })
}

// refusesHosted: a device that takes neither says so.
func refusesHosted(r *rig) error {
	withConstants, withMemory := r.programs.Affine, r.programs.Affine
	withConstants.Constants = make([]byte, 8)
	withMemory.GroupMemory = 16
	for what, src := range map[string]gpu.Source{"constants": withConstants, "group memory": withMemory} {
		_, err := r.dev.NewKernel(src)
		if err := wrapped(what, err, gpu.ErrArgument); err != nil {
			return err
		}
	}
	return nil
}

func manyGoroutines(r *rig) error {
	const goroutines, rounds, n = 6, 25, 192
	errs := make([]error, goroutines)
	var wg sync.WaitGroup
	for g := range goroutines {
		wg.Go(func() { errs[g] = hammer(r, g, rounds, n) })
	}
	wg.Wait()
	for g, err := range errs {
		if err != nil {
			return fmt.Errorf("goroutine %d: %w", g, err)
		}
	}
	return nil
}

// hammer makes, uses and releases a buffer and a binding again and again.
func hammer(r *rig, g, rounds, n int) error {
	k, err := r.dev.NewKernel(r.programs.Affine)
	if err != nil {
		return err
	}
	defer k.Release()
	for round := range rounds {
		x := uint32(100*g + round)
		b, err := r.words(n, func(i int) uint32 { return uint32(i) ^ x })
		if err != nil {
			return err
		}
		bind, err := r.dev.Bind(k, b)
		if err != nil {
			return err
		}
		w := gpu.Work{
			Dispatches: []gpu.Dispatch{{Binding: bind, Params: [gpu.ParamWords]uint32{x, 9, uint32(n)}, Groups: groupsFor(n)}},
			Reads:      []gpu.Range{{Buffer: b, Size: 4 * n}},
		}
		err = r.do(w, func(p gpu.Pending) error {
			what := fmt.Sprintf("round %d", round)
			return compare(what, p.View(0), n, func(i int) uint32 { return (uint32(i)^x)*x + 9 })
		})
		if err != nil {
			return err
		}
		bind.Release()
		b.Release()
	}
	return nil
}
