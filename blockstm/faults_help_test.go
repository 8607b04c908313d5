package blockstm

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The files faults_*_test.go hold a test for each fault that was found in other
// executors of this kind, and that is not tied to theirs. A comment says what went
// wrong there; the names of projects are those of the public reports. The faults
// of commitments to the state are in package pipeline.

const faultTime = 5 * time.Second // a block that takes longer hangs

// hangs ends the test binary with all stacks if the test takes longer than d of time
// in which this process could run: on a busy machine it may be stopped for long.
func hangs(t testing.TB, d time.Duration) {
	const tick = 50 * time.Millisecond
	done := make(chan struct{})
	t.Cleanup(func() { close(done) })
	go func() {
		for left := d; left > 0; left -= tick {
			select {
			case <-done:
				return
			case <-time.After(tick):
			}
		}
		buf := make([]byte, 1<<20)
		panic(fmt.Sprintf("%s hangs\n%s", t.Name(), buf[:runtime.Stack(buf, true)]))
	}()
}

// times returns how often to repeat what a race has to find.
func times(n int) int {
	if testing.Short() {
		return max(1, n/10)
	}
	return n
}

// requireSequential runs b on e and by Sequential, and returns e's outcome if both
// are the same.
func requireSequential(t *testing.T, e *tExecutor, b *tBlock, note ...any) *Outcome[tKey, tValue, uint64] {
	t.Helper()
	want, err := Sequential(context.Background(), b)
	require.NoError(t, err, note...)
	got, err := e.Execute(context.Background(), b)
	require.NoError(t, err, note...)
	wantResults, wantFinal := describe(want)
	gotResults, gotFinal := describe(got)
	require.Equal(t, wantResults, gotResults, note...)
	require.Equal(t, wantFinal, gotFinal, note...)
	require.Equal(t, got.Stats.Executions-b.N, got.Stats.Aborts, note...)
	return got
}

// A gate opens once. Waiting at one that stays shut fails the test.
type gate struct {
	once sync.Once
	ch   chan struct{}
}

func newGate() *gate { return &gate{ch: make(chan struct{})} }

func (g *gate) open() { g.once.Do(func() { close(g.ch) }) }

// pass waits until g is open, and reports whether it was in time.
func (g *gate) pass(t *testing.T) bool {
	for range 60 {
		select {
		case <-g.ch:
			return true
		case <-time.After(faultTime / 100):
		}
	}
	t.Errorf("%s: a step that must come did not", t.Name())
	return false
}

func sumAny(a, d tValue) (tValue, bool) { return a + d, true }
