package device

import (
	"context"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/gpu"
)

func (b *batch) Write(ctx context.Context, row int, src []uint64) error {
	return b.do("write", func() (int, error) { return 0, b.write(ctx, row, src) })
}

// write checks everything before it writes anything, in pieces that a staging
// buffer of the slots' size takes.
func (b *batch) write(ctx context.Context, row int, src []uint64) error {
	e := b.plan.engine
	if err := b.checkHost("src", row, src); err != nil || len(src) == 0 {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	step := e.chunkRows * e.ring.N()
	if len(src) > step { // else the packing below checks all of it first
		if err := e.ring.CheckRange("src", src); err != nil {
			return err
		}
	}
	s, err := b.plan.pool.get(ctx, 0, true) // for its scratch
	if err != nil {
		return err
	}
	defer b.plan.pool.put(s)
	for i := 0; i < len(src); i += step {
		if err := ctx.Err(); err != nil {
			return err
		}
		p, err := e.pack("src", src[i:min(i+step, len(src))], &s.scratch)
		if err != nil {
			return err
		}
		if err := b.data.Write((row+i/e.ring.N())*e.rowBytes, p); err != nil {
			return err
		}
	}
	return nil
}

// checkHost checks that s is whole rows and that they lie within the batch from
// row on.
func (b *batch) checkHost(arg string, row int, s []uint64) error {
	r := b.plan.engine.ring
	if err := r.CheckRows(arg, s); err != nil {
		return err
	}
	return backends.CheckRows(row, len(s)/r.N(), b.rows)
}

func (b *batch) Read(ctx context.Context, row int, dst []uint64) error {
	return b.do("read", func() (int, error) { return b.read(ctx, row, dst) })
}

// read asks for the rows before it waits for the operations that they come
// from, so that a chain ends with one wait, not two.
func (b *batch) read(ctx context.Context, row int, dst []uint64) (int, error) {
	if err := b.checkHost("dst", row, dst); err != nil || len(dst) == 0 {
		return 0, err
	}
	e := b.plan.engine
	r := receiver{ctx: ctx, sink: sink{layout: &e.layout, rows: dst}}
	rows := len(dst) / e.ring.N()
	for next := 0; next < rows; {
		if r.full() {
			if err := b.finish(&r); err != nil {
				return r.done, err
			}
			continue
		}
		n := min(rows-next, e.chunkRows)
		p, err := b.request(ctx, row+next, n)
		if err != nil {
			err = b.drain(&r, err)
			return r.done, err
		}
		r.push(flight{pending: p, rows: n})
		next += n
	}
	err := b.drain(&r, nil)
	return r.done, err
}

// request submits the read-back of n rows from row on.
func (b *batch) request(ctx context.Context, row, n int) (gpu.Pending, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	size := b.plan.engine.rowBytes
	b.reads[0] = gpu.Range{Buffer: b.data, Off: row * size, Size: n * size, Still: true}
	return b.plan.backend.dev.Submit(gpu.Work{Reads: b.reads[:]})
}

// finish is the receiver's, for rows whose operations have all succeeded.
func (b *batch) finish(r *receiver) error {
	if err := b.settle(r.ctx, 0); err != nil {
		r.abandon()
		return err
	}
	return r.finish()
}

// drain is the receiver's, for rows whose operations have all succeeded.
func (b *batch) drain(r *receiver, err error) error {
	if e := b.settle(r.ctx, 0); e != nil {
		r.abandon()
		return e
	}
	return r.drain(err)
}
