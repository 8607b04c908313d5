package gputest

import "github.com/crosspoint-kernels/crosspoint/gpu"

type fakeBuffer struct {
	f        *Fake
	label    string
	mem      []byte
	released bool
}

type fakeKernel struct {
	f        *Fake
	name     string
	fn       Func
	access   []gpu.Access
	released bool
}

type fakeBinding struct {
	f        *Fake
	kernel   *fakeKernel
	buffers  []*fakeBuffer
	released bool
}

// NewBuffer returns size bytes of zeros.
func (f *Fake) NewBuffer(label string, size int) (gpu.Buffer, error) {
	const op = OpNewBuffer
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.called(op); err != nil {
		return nil, err
	}
	if err := f.usable(op); err != nil {
		return nil, err
	}
	if err := gpu.CheckSize(string(op), label, size, f.limits); err != nil {
		return nil, err
	}
	f.counts.NewBuffers++
	f.counts.LiveBuffers++
	f.counts.LiveBytes += size
	return &fakeBuffer{f: f, label: label, mem: make([]byte, size)}, nil
}

func (b *fakeBuffer) Size() int { return len(b.mem) }

func (b *fakeBuffer) Write(off int, p []byte) error {
	const op = OpWrite
	b.f.mu.Lock()
	defer b.f.mu.Unlock()
	if err := b.f.called(op); err != nil {
		return err
	}
	if err := gpu.CheckWrite(string(op), b.label, off, len(p), len(b.mem)); err != nil {
		return err
	}
	if err := b.usable(op); err != nil {
		return err
	}
	b.f.counts.WrittenBytes += len(p)
	data := append([]byte(nil), p...)
	if b.f.flaw == writesAtOnce {
		copy(b.mem[off:], data)
		return nil
	}
	b.f.enqueue(func() { copy(b.mem[off:], data) })
	return nil
}

func (b *fakeBuffer) Clear() error {
	b.f.mu.Lock()
	defer b.f.mu.Unlock()
	if err := b.f.called(OpClear); err != nil {
		return err
	}
	if err := b.usable(OpClear); err != nil {
		return err
	}
	if b.f.flaw != clearsNothing {
		b.f.enqueue(func() { clear(b.mem) })
	}
	return nil
}

func (b *fakeBuffer) Release() {
	b.f.mu.Lock()
	defer b.f.mu.Unlock()
	if !b.released {
		b.released = true
		b.f.counts.LiveBuffers--
		b.f.counts.LiveBytes -= len(b.mem)
	}
}

func (b *fakeBuffer) usable(op Op) error {
	if err := b.f.usable(op); err != nil {
		return err
	}
	if b.released && b.f.flaw != usesReleased {
		return fail(op, gpu.ErrReleased, "buffer %s", b.label)
	}
	return nil
}

// NewKernel looks the kernel up by its source's name and entry.
func (f *Fake) NewKernel(src gpu.Source) (gpu.Kernel, error) {
	const op = OpNewKernel
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.called(op); err != nil {
		return nil, err
	}
	if err := f.usable(op); err != nil {
		return nil, err
	}
	fn, ok := f.kernels[src.Name+"/"+src.Entry]
	if !ok {
		return nil, fail(op, gpu.ErrCompile, "there is no Go function for %s/%s", src.Name, src.Entry)
	}
	if err := gpu.CheckBare(string(op), src); err != nil {
		return nil, err
	}
	if err := gpu.CheckSource(string(op), src, f.limits); err != nil {
		return nil, err
	}
	f.counts.NewKernels++
	f.counts.LiveKernels++
	return &fakeKernel{f: f, name: src.Name, fn: fn, access: append([]gpu.Access(nil), src.Access...)}, nil
}

func (k *fakeKernel) Release() {
	k.f.mu.Lock()
	defer k.f.mu.Unlock()
	if !k.released {
		k.released = true
		k.f.counts.LiveKernels--
	}
}

// Bind ties a kernel to buffers.
func (f *Fake) Bind(k gpu.Kernel, buffers ...gpu.Buffer) (gpu.Binding, error) {
	const op = OpBind
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.called(op); err != nil {
		return nil, err
	}
	if err := f.usable(op); err != nil {
		return nil, err
	}
	kern, ok := k.(*fakeKernel)
	if !ok || kern == nil || kern.f != f {
		return nil, fail(op, gpu.ErrArgument, "the kernel is not of this device")
	}
	b := &fakeBinding{f: f, kernel: kern}
	for i, x := range buffers {
		buf, ok := x.(*fakeBuffer)
		if !ok || buf == nil || buf.f != f {
			return nil, fail(op, gpu.ErrArgument, "%s: buffer %d is not of this device", kern.name, i)
		}
		b.buffers = append(b.buffers, buf)
	}
	if err := gpu.CheckBuffers(string(op), kern.name, kern.access, buffers); err != nil {
		return nil, err
	}
	if err := b.usable(op); err != nil {
		return nil, err
	}
	f.counts.NewBindings++
	f.counts.LiveBindings++
	return b, nil
}

func (b *fakeBinding) Release() {
	b.f.mu.Lock()
	defer b.f.mu.Unlock()
	if !b.released {
		b.released = true
		b.f.counts.LiveBindings--
	}
}

func (b *fakeBinding) usable(op Op) error {
	if b.released && b.f.flaw != usesReleased {
		return fail(op, gpu.ErrReleased, "a binding of %s", b.kernel.name)
	}
	if b.kernel.released && b.f.flaw != usesReleased {
		return fail(op, gpu.ErrReleased, "kernel %s", b.kernel.name)
	}
	for _, buf := range b.buffers {
		if err := buf.usable(op); err != nil {
			return err
		}
	}
	return nil
}
