package wgpu

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

// ticker is a clock on which time passes only by what a Wait does: a
// microsecond for each yield, and its sleeps.
type ticker struct {
	t    time.Time
	tick func(now time.Time)
}

func (c *ticker) now() time.Time { return c.t }
func (c *ticker) yield()         { c.sleep(time.Microsecond) }

func (c *ticker) sleep(d time.Duration) {
	c.t = c.t.Add(d)
	c.tick(c.t)
}

// TestWaitIsLittleLate has work of known lengths, on devices with a mark and
// without one. A Wait returns when it is done and little later, and on Vulkan
// asks the driver only a few times, because that allocates.
func TestWaitIsLittleLate(t *testing.T) {
	for _, api := range []string{vulkan, "Metal", "DX12"} {
		for _, took := range []time.Duration{
			time.Microsecond, 100 * time.Microsecond, 700 * time.Microsecond, 5 * time.Millisecond, 20 * time.Millisecond,
			33 * time.Millisecond, 50 * time.Millisecond, 90 * time.Millisecond, time.Second, 4500 * time.Millisecond,
		} {
			s := newScript()
			s.api = api
			d, err := s.open(Options{})
			require.NoError(t, err)
			require.Equal(t, api == vulkan, d.mark.word != nil)
			s.hold = true
			p, err := d.Submit(gpu.Work{})
			require.NoError(t, err)
			if d.mark.word != nil {
				*d.mark.word = 0
			}
			start := time.Unix(1, 0)
			done := start.Add(took)
			c := &ticker{t: start, tick: func(now time.Time) {
				if now.Before(done) {
					return
				}
				s.hold = false
				if d.mark.word != nil {
					*d.mark.word = uint32(d.seq)
				}
			}}
			d.clock, s.polls = c, 0
			require.NoError(t, p.Wait(context.Background()))
			late := c.t.Sub(done)
			require.GreaterOrEqual(t, late, time.Duration(0), "%s, %v", api, took)
			require.LessOrEqual(t, late, max(took/lateness, minSleep), "%s, %v", api, took)
			if api == vulkan {
				require.LessOrEqual(t, s.polls, 20, "%v", took)
			}
			p.Release()
			require.NoError(t, d.Close())
		}
	}
}

// TestMarkUnseen has a mark that is never written: the driver is asked, at
// spans that double.
func TestMarkUnseen(t *testing.T) {
	for took := 100 * time.Microsecond; took < 5*time.Second; took *= 3 {
		c := &ticker{t: time.Unix(1, 0), tick: func(time.Time) {}}
		p := pace{clock: c, marked: true}
		asked := 0
		for {
			if p.ask() {
				if asked++; p.passed >= took {
					break
				}
			}
			p.pause()
		}
		require.LessOrEqual(t, asked, 20, "%v", took)
		require.LessOrEqual(t, p.passed, 2*took+took/lateness+minSleep, "%v", took)
	}
}

// TestPollKeepsTheQuestion shows that a question is not spent on a device that
// was locked when it was to be asked.
func TestPollKeepsTheQuestion(t *testing.T) {
	s := newScene(t, Options{})
	s.hold = true
	p, err := s.d.Submit(s.work())
	require.NoError(t, err)
	*s.d.mark.word = 0
	pace := pace{clock: s.d.clock, marked: true}
	s.d.mu.Lock()
	done, err := p.(*pending).poll(&pace)
	s.d.mu.Unlock()
	require.NoError(t, err)
	require.False(t, done)
	s.hold = false
	done, err = p.(*pending).poll(&pace)
	require.NoError(t, err)
	require.True(t, done)
	p.Release()
	require.NoError(t, s.d.Close())
}

func TestPaceDoubtsOnce(t *testing.T) {
	p := pace{passed: silence - 1}
	require.False(t, p.doubt())
	p.passed = silence
	require.True(t, p.doubt())
	require.False(t, p.doubt(), "once")
}
