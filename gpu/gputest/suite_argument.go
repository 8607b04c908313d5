package gputest

import (
	"fmt"
	"math"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

var argumentChecks = []check{
	{"limits make sense", saneLimits},
	{"sizes of buffers", bufferSizes},
	{"ranges of writes and reads", badRanges},
	{"sources of kernels", badSources},
	{"buffers of bindings", badBindings},
	{"groups and dispatches", badGroups},
	{"a refused submission leaves nothing", refusedWhole},
}

func saneLimits(r *rig) error {
	l := r.dev.Limits()
	switch {
	case l.MaxBufferSize < 1<<24 || l.MaxBufferSize%4 != 0 || l.MaxBufferSize > math.MaxInt32:
		return fmt.Errorf("MaxBufferSize is %d", l.MaxBufferSize)
	case l.MaxGroups < 1<<15:
		return fmt.Errorf("MaxGroups is %d", l.MaxGroups)
	case l.MaxGroupSize < 128:
		return fmt.Errorf("MaxGroupSize is %d", l.MaxGroupSize)
	case l.MaxGroupMemory < 1<<14:
		return fmt.Errorf("MaxGroupMemory is %d", l.MaxGroupMemory)
	case l.MaxBindings < 4:
		return fmt.Errorf("MaxBindings is %d", l.MaxBindings)
	}
	if r.dev.Info().Name == "" || r.dev.Info().API == "" {
		return fmt.Errorf("Info is %+v", r.dev.Info())
	}
	return nil
}

func bufferSizes(r *rig) error {
	limit := r.dev.Limits().MaxBufferSize
	for size, kind := range map[int]error{
		0: gpu.ErrArgument, -4: gpu.ErrArgument, 6: gpu.ErrArgument, math.MinInt: gpu.ErrArgument,
		limit + 4: gpu.ErrLimit, math.MaxInt &^ 3: gpu.ErrLimit,
	} {
		b, err := r.dev.NewBuffer("refused", size)
		if err := wrapped(fmt.Sprintf("NewBuffer of %d bytes", size), err, kind); err != nil {
			return err
		}
		if b != nil {
			return fmt.Errorf("NewBuffer of %d bytes returned a buffer with its error", size)
		}
	}
	if math.MaxInt > math.MaxUint32 {
		wide := int64(1<<32 + 4) // must not be taken for 4
		_, err := r.dev.NewBuffer("refused", int(wide))
		return wrapped("NewBuffer of 2^32+4 bytes", err, gpu.ErrLimit)
	}
	return nil
}

func badRanges(r *rig) error {
	b, err := r.words(16, func(i int) uint32 { return uint32(i) })
	if err != nil {
		return err
	}
	for _, at := range []struct{ off, size int }{
		{-4, 4}, {2, 4}, {0, 3}, {64, 4}, {60, 8}, {0, 68}, {math.MaxInt &^ 3, 8}, {math.MinInt, 4},
	} {
		err := b.Write(at.off, make([]byte, at.size))
		if err := wrapped(fmt.Sprintf("Write of %d bytes at %d of 64", at.size, at.off), err, gpu.ErrArgument); err != nil {
			return err
		}
	}
	for _, at := range []struct{ off, size int }{
		{-8, 8}, {4, 8}, {0, 4}, {64, 8}, {56, 16}, {0, -8}, {8, math.MaxInt &^ 7}, {math.MaxInt &^ 7, 8},
	} {
		_, err := r.dev.Submit(gpu.Work{Reads: []gpu.Range{{Buffer: b, Off: at.off, Size: at.size}}})
		if err := wrapped(fmt.Sprintf("read of %d bytes at %d of 64", at.size, at.off), err, gpu.ErrArgument); err != nil {
			return err
		}
	}
	_, err = r.dev.Submit(gpu.Work{Reads: []gpu.Range{{Size: 8}}})
	if err := wrapped("read of no buffer", err, gpu.ErrArgument); err != nil {
		return err
	}
	return r.expect("after refused writes", b, func(i int) uint32 { return uint32(i) })
}

func badSources(r *rig) error {
	_, err := r.dev.NewKernel(r.programs.Broken)
	if err := wrapped("a broken program", err, gpu.ErrCompile); err != nil {
		return err
	}
	if e, ok := err.(*gpu.Error); !ok || e.Detail == "" {
		return fmt.Errorf("a broken program: %v has no words of the compiler", err)
	}
	wrong := r.programs.Affine
	wrong.Entry = "no_such_entry"
	_, err = r.dev.NewKernel(wrong)
	if err := wrapped("an entry that isn't there", err, gpu.ErrCompile); err != nil {
		return err
	}
	_, err = r.dev.NewKernel(gpu.Source{Name: "empty", Entry: "main", GroupSize: [3]uint32{1, 1, 1}})
	if err := wrapped("a source without a program", err, gpu.ErrCompile); err != nil {
		return err
	}
	l := r.dev.Limits()
	wide := r.programs.Affine
	wide.Access = make([]gpu.Access, l.MaxBindings+1)
	_, err = r.dev.NewKernel(wide)
	if err := wrapped("too many buffers", err, gpu.ErrLimit); err != nil {
		return err
	}
	for _, size := range [][3]uint32{
		{l.MaxGroupSize + 1, 1, 1}, {l.MaxGroupSize, 2, 1}, {1 << 31, 2, 1}, {math.MaxUint32, math.MaxUint32, math.MaxUint32},
	} {
		wide := r.programs.Affine
		wide.GroupSize = size
		_, err = r.dev.NewKernel(wide)
		if err := wrapped(fmt.Sprintf("group size %v", size), err, gpu.ErrLimit); err != nil {
			return err
		}
	}
	wide = r.programs.Affine
	wide.GroupSize = [3]uint32{groupSize, 0, 1}
	_, err = r.dev.NewKernel(wide)
	if err := wrapped("group size 0", err, gpu.ErrArgument); err != nil {
		return err
	}
	return badHosted(r)
}

// badHosted has constants and group memory that no device takes.
func badHosted(r *rig) error {
	for what, c := range map[string]struct {
		constants, memory int
		kind              error
	}{
		"half a constant":           {4, 0, gpu.ErrArgument},
		"group memory of 8 bytes":   {0, 8, gpu.ErrArgument},
		"less than no group memory": {0, -16, gpu.ErrArgument},
		"too many constants":        {gpu.MaxConstants + 8, 0, gpu.ErrLimit},
		"too much group memory":     {0, r.dev.Limits().MaxGroupMemory + 16, gpu.ErrLimit},
	} {
		src := r.programs.Affine
		src.Constants, src.GroupMemory = make([]byte, c.constants), c.memory
		kind := c.kind
		if r.programs.Hosted.Entry == "" {
			kind = gpu.ErrArgument // for a device that takes none
		}
		_, err := r.dev.NewKernel(src)
		if err := wrapped(what, err, kind); err != nil {
			return err
		}
	}
	return nil
}

func badBindings(r *rig) error {
	a, err := r.words(groupSize, nil)
	if err != nil {
		return err
	}
	b, err := r.words(groupSize, nil)
	if err != nil {
		return err
	}
	k, err := r.dev.NewKernel(r.programs.Combine)
	if err != nil {
		return err
	}
	for what, buffers := range map[string][]gpu.Buffer{
		"too few":             {a, b},
		"too many":            {a, b, a, b},
		"none":                nil,
		"a nil buffer":        {a, nil, b},
		"read and written":    {a, b, b},
		"read, then written":  {b, a, b},
		"all of them the one": {a, a, a},
	} {
		_, err := r.dev.Bind(k, buffers...)
		if err := wrapped("Bind: "+what, err, gpu.ErrArgument); err != nil {
			return err
		}
	}
	_, err = r.dev.Bind(nil, a)
	return wrapped("Bind: no kernel", err, gpu.ErrArgument)
}

func badGroups(r *rig) error {
	b, err := r.words(groupSize, func(i int) uint32 { return uint32(i) })
	if err != nil {
		return err
	}
	bind, err := r.bound(r.programs.Affine, b)
	if err != nil {
		return err
	}
	limit := r.dev.Limits().MaxGroups
	params := [gpu.ParamWords]uint32{1, 1, groupSize}
	submit := func(what string, kind error, ds ...gpu.Dispatch) error {
		_, err := r.dev.Submit(gpu.Work{Dispatches: ds})
		return wrapped(what, err, kind)
	}
	for dim := range 3 {
		groups := [3]uint32{1, 1, 1}
		groups[dim] = 0
		err := submit("no groups", gpu.ErrArgument, gpu.Dispatch{Binding: bind, Params: params, Groups: groups})
		if err != nil {
			return err
		}
		if limit == math.MaxUint32 {
			continue // nothing is beyond it
		}
		groups[dim] = limit + 1
		err = submit("too many groups", gpu.ErrLimit, gpu.Dispatch{Binding: bind, Params: params, Groups: groups})
		if err != nil {
			return err
		}
	}
	one := gpu.Dispatch{Binding: bind, Params: params, Groups: [3]uint32{1, 1, 1}}
	many := make([]gpu.Dispatch, gpu.MaxDispatches+1)
	for i := range many {
		many[i] = one
	}
	if err := submit("too many dispatches", gpu.ErrLimit, many...); err != nil {
		return err
	}
	if err := submit("no binding", gpu.ErrArgument, gpu.Dispatch{Groups: one.Groups}); err != nil {
		return err
	}
	return r.expect("after refused dispatches", b, func(i int) uint32 { return uint32(i) })
}

// refusedWhole has something wrong at the end of a submission that begins well.
func refusedWhole(r *rig) error {
	b, err := r.words(groupSize, func(i int) uint32 { return uint32(i) })
	if err != nil {
		return err
	}
	bind, err := r.bound(r.programs.Affine, b)
	if err != nil {
		return err
	}
	good := gpu.Dispatch{Binding: bind, Params: [gpu.ParamWords]uint32{1, 1, groupSize}, Groups: [3]uint32{1, 1, 1}}
	bad := good
	bad.Groups[2] = 0
	for what, w := range map[string]gpu.Work{
		"a bad dispatch last": {Dispatches: []gpu.Dispatch{good, good, bad}},
		"a bad read":          {Dispatches: []gpu.Dispatch{good}, Reads: []gpu.Range{{Buffer: b, Size: 8}, {Buffer: b, Size: 4}}},
	} {
		_, err := r.dev.Submit(w)
		if err := wrapped(what, err, gpu.ErrArgument); err != nil {
			return err
		}
	}
	return r.expect("after refused submissions", b, func(i int) uint32 { return uint32(i) })
}
