package blocksuite

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/crosspoint-kernels/crosspoint/blockstm"
	"github.com/crosspoint-kernels/crosspoint/blockstm/workload"
)

const (
	// backlog is how many transactions are there to be committed in a row: as many as
	// the executor lets run ahead of the commits when a block begins.
	backlog = 256
	// backlogs is in how many places of the block there is one.
	backlogs = 9
	// backlogPatience is how long a backlog may take to build up; one that took
	// longer tells nothing.
	backlogPatience = time.Second
)

// commitCost measures what the executor does for a transaction on one worker at a
// time, which is its validation and its commit: the mean over transactions, in ns.
//
// The first transaction of a block waits until a second worker has run those that
// follow. When it returns they are committed in a row, and between two commits there
// is nothing but what is to be measured, and a reading of the clock. It is the median
// over places in the block; 0 if no place told.
func commitCost(ctx context.Context, w *workload.Workload) (float64, error) {
	base := w.Base()
	var costs []float64
	for i := range backlogs {
		lo := i * max(0, w.Len()-backlog) / backlogs
		ns, err := commitRow(ctx, w.Part(base, lo, min(lo+backlog, w.Len())))
		if err != nil {
			return 0, err
		}
		if ns > 0 {
			costs = append(costs, ns)
		}
	}
	if len(costs) == 0 {
		return 0, nil
	}
	return max(0, median(costs)-clockCost()), nil
}

// commitRow has the transactions of b executed first and then committed in a row, and
// returns the mean time between two commits; 0 if the row was too short.
func commitRow(ctx context.Context, b *block) (float64, error) {
	behind := *b
	behind.N = b.N + 1
	var ran atomic.Int64
	all := make(chan struct{})
	behind.Run = func(v blockstm.View[workload.Key, workload.Value], tx int) (workload.Output, error) {
		if tx > 0 {
			defer func() { // also after a panic
				if ran.Add(1) == int64(b.N) {
					close(all)
				}
			}()
			return b.Run(v, tx-1)
		}
		select {
		case <-all:
		case <-ctx.Done():
		case <-time.After(backlogPatience):
		}
		return workload.Output{}, nil
	}
	at := make([]time.Time, behind.N)
	x := blockstm.New[workload.Key, workload.Value, workload.Output](settings{
		Workers: 2, Small: -1, Commit: func(tx int, _ []change) { at[tx] = time.Now() },
	})
	out, err := x.Execute(ctx, &behind)
	if err != nil {
		return 0, err
	}
	const last = 8 // those that may still have been running are left out
	if out.Stats.Executions != behind.N || behind.N < 2*last {
		return 0, nil
	}
	return float64(at[behind.N-last].Sub(at[1])) / float64(behind.N-last-1), nil
}

// clockCost is how long it takes to read the clock, in ns.
func clockCost() float64 {
	const n = 1000
	start := time.Now()
	for range n - 1 {
		_ = time.Now()
	}
	return float64(time.Since(start)) / n
}
