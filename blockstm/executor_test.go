package blockstm

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

type tExecutor = Executor[tKey, tValue, uint64]

func newTest(o Options[tKey, tValue]) *tExecutor {
	o.Small = -1
	return New[tKey, tValue, uint64](o)
}

// watchdog fails the test with all stacks if it does not end in time.
func watchdog(t *testing.T, d time.Duration) {
	timer := time.AfterFunc(d, func() {
		buf := make([]byte, 1<<20)
		panic(fmt.Sprintf("%s hangs\n%s", t.Name(), buf[:runtime.Stack(buf, true)]))
	})
	t.Cleanup(func() { timer.Stop() })
}

func procs(t *testing.T, n int) {
	old := runtime.GOMAXPROCS(n)
	t.Cleanup(func() { runtime.GOMAXPROCS(old) })
}

// requireOracle compares an outcome and the committed writes with the oracle.
func requireOracle(t *testing.T, e *tExecutor, p *programs, b *tBlock, log *commitLog, note string) {
	t.Helper()
	results, writes, final := p.oracle()
	*log = commitLog{}
	out, err := e.Execute(context.Background(), b)
	require.NoError(t, err, note)
	gotResults, gotFinal := describe(out)
	require.Equal(t, results, gotResults, note)
	require.Equal(t, final, gotFinal, note)
	require.Equal(t, writes, log.writes, note)
	require.False(t, log.disorder, note)
	if b.N > 0 {
		requireIdle(t, e)
	}
	s := out.Stats
	require.GreaterOrEqual(t, s.Executions, b.N, note)
	require.Equal(t, s.Executions-b.N, s.Aborts, note)
	require.GreaterOrEqual(t, s.Validations, b.N, note)
}

type commitLog struct {
	writes   []map[tKey]string
	disorder bool
}

func (l *commitLog) commit(tx int, cs []Change[tKey, tValue]) {
	if tx != len(l.writes) {
		l.disorder = true
	}
	l.writes = append(l.writes, changesOf(cs))
}

func TestExecuteIsTheOracle(t *testing.T) {
	watchdog(t, 3*time.Minute)
	rounds := uint64(60)
	if testing.Short() {
		rounds = 10
	}
	for _, cpus := range []int{1, 2, 4} {
		t.Run(fmt.Sprint("procs=", cpus), func(t *testing.T) {
			procs(t, cpus)
			for _, workers := range []int{1, 2, 4, 16} {
				var log commitLog
				e := newTest(Options[tKey, tValue]{Workers: workers, Commit: log.commit, NoThrottle: workers == 4})
				for seed := range rounds {
					r := rand.New(rand.NewPCG(seed, uint64(workers)))
					p := randomPrograms(r, r.IntN(80), 1+r.IntN(6))
					b := p.block()
					if seed%3 == 1 {
						b.Equal = nil
						p.noEqual = true
					}
					if seed%4 == 3 {
						b.Hints = p.hints(r)
					}
					requireOracle(t, e, p, b, &log, fmt.Sprintf("workers %d, seed %d", workers, seed))
				}
			}
		})
	}
}
