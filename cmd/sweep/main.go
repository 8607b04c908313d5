// Command sweep measures the batched negacyclic transform, Keccak-256 and state
// roots on every backend that is here, proves their bytes equal before it times
// anything, and says from which size one overtakes another.
//
//	sweep            the paper's ten batch sizes, the Pulsar hot path, a state root,
//	                 a block of transactions
//	sweep list       the backends and their devices, or why one is not here
//	sweep hotpath    k signatures in flight
//	sweep keccak     batches of messages
//	sweep root       state roots by phases, or the root of a file
//	sweep blockstm   blocks of transactions in parallel, to their state root
//	sweep kat        known answers on every backend
//
// Results go to standard output, progress and warnings to standard error. The
// exit code is 0 if all is well, 1 after a mismatch or another failure, 2 after a
// regression against --base, and 3 if there was nothing to run.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	_ "github.com/crosspoint-kernels/crosspoint/backends/all"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second interrupt ends the program at once
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}
