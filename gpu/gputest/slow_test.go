package gputest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

// slow is a Fake that takes its time over a submission, and that can be deaf to
// a context and slow to write for some calls.
type slow struct {
	*Fake
	deaf, blocked func() bool // for the next Wait, and for the next Write
	busy          time.Time   // until when it works
}

const slowWork = slowEnough + 5*time.Millisecond

type slowPending struct {
	gpu.Pending
	s    *slow
	done time.Time
}

type slowBuffer struct {
	gpu.Buffer
	s *slow
}

func (s *slow) NewBuffer(label string, size int) (gpu.Buffer, error) {
	b, err := s.Fake.NewBuffer(label, size)
	return slowBuffer{b, s}, err
}

func (b slowBuffer) Write(off int, p []byte) error {
	if b.s.blocked() {
		time.Sleep(time.Until(b.s.busy))
	}
	return b.Buffer.Write(off, p)
}

func (s *slow) Bind(k gpu.Kernel, buffers ...gpu.Buffer) (gpu.Binding, error) {
	for i := range buffers {
		buffers[i] = buffers[i].(slowBuffer).Buffer
	}
	return s.Fake.Bind(k, buffers...)
}

func (s *slow) Submit(w gpu.Work) (gpu.Pending, error) {
	reads := append([]gpu.Range(nil), w.Reads...)
	for i := range reads {
		reads[i].Buffer = reads[i].Buffer.(slowBuffer).Buffer
	}
	if len(w.Dispatches) > 0 {
		s.busy = time.Now().Add(slowWork)
	}
	p, err := s.Fake.Submit(gpu.Work{Dispatches: w.Dispatches, Reads: reads})
	return &slowPending{p, s, s.busy}, err
}

func (p *slowPending) Wait(ctx context.Context) error {
	if _, ends := ctx.Deadline(); ends && p.s.deaf() {
		ctx = context.Background()
	}
	if rest := time.Until(p.done); rest > 0 {
		select {
		case <-time.After(rest):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return p.Pending.Wait(context.Background())
}

// TestSuiteOnABusyHost runs the checks that depend on time on a device that is
// sound, on one whose host is busy now and then, and on one that is at fault.
func TestSuiteOnABusyHost(t *testing.T) {
	first := func(n int) func() bool {
		return func() bool { n--; return n >= 0 }
	}
	const always = 1 << 30
	for _, c := range []struct {
		what          string
		deaf, blocked int // calls
		run           func(*rig) error
		found         bool
	}{
		{"sound", 0, 0, contextEnds, false},
		{"sound", 0, 0, writesInFlight, false},
		{"busy for two tries", 2, 0, contextEnds, false},
		{"busy for two tries", 0, 2 * 3, writesInFlight, false},
		{"deaf to the context", always, 0, contextEnds, true},
		{"writes wait", 0, always, writesInFlight, true},
	} {
		s := &slow{Fake: NewFake(DefaultLimits(), nil), deaf: first(c.deaf), blocked: first(c.blocked)}
		err := c.run(&rig{dev: s, programs: WGSL()})
		require.Equal(t, c.found, err != nil, "%s: %v", c.what, err)
	}
}
