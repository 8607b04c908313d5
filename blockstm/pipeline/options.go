package pipeline

import (
	"fmt"
	"runtime"

	"github.com/crosspoint-kernels/crosspoint/blockstm"
	"github.com/crosspoint-kernels/crosspoint/stateroot"
)

// Kind is a commitment to the state that a block wrote.
type Kind string

// The commitments, of package stateroot. Merkle and MPT are over the Keccak-256 of
// each key.
const (
	Flat   Kind = "flat"   // one sponge, which cannot be parallel
	Merkle Kind = "merkle" // a binary tree
	MPT    Kind = "mpt"    // Ethereum's Merkle-Patricia trie
)

// Kinds lists the commitments.
func Kinds() []Kind { return []Kind{Flat, Merkle, MPT} }

// Overlap says whether the commit goes along with the execution.
type Overlap int

// The ways of committing.
const (
	Auto   Overlap = iota // Always from autoOverlap workers on, else Never
	Always                // entering and key hashing during the execution
	Never                 // all of it afterwards, on all workers
)

// autoOverlap is the number of workers from which Auto overlaps. What overlaps
// needs a table of keys, of which the executor has one already, and hides the rest
// only from workers that would have to wait for it. With two workers both ways take
// as long, and overlapping takes more of the processors: 1.14 times the sequential
// run's time instead of 1.07 (sweep blockstm endtoend --workers 2 --gas 20 --ntx 5000
// --overlap always, on an AMD EPYC with two cores). That four gain is reasoned, not
// measured: no more than two cores were at hand.
const autoOverlap = 4

// Options say how a block becomes a root. Key and Value are required.
type Options[K comparable, V any] struct {
	// Kind is Merkle if it is empty.
	Kind Kind
	// Key returns the state key of a key, as stateroot.Entry has it. Different keys
	// have different ones.
	Key func(K) [32]byte
	// Value returns a value as a 256-bit big-endian number. Zero is an absent one.
	Value func(V) [32]byte
	// Workers is how many goroutines work at a time in each phase; less than 1
	// means GOMAXPROCS.
	Workers int
	// Sequential executes by blockstm.Sequential and makes Workers 1: the baseline
	// that a pipeline is compared with.
	Sequential bool
	// Overlap is Auto if it is zero. It is not looked at where Sequential is set.
	Overlap Overlap
	// Execution are those of the executor. Workers and Commit are set here.
	Execution blockstm.Options[K, V]
	// Root says who hashes. Workers is set here. Big may be a device or a
	// keccak.NewParallel of as many workers; Small hashes on the worker that
	// commits, during the execution.
	Root stateroot.Options
}

// OptionsError says which field of Options makes no sense.
type OptionsError struct {
	Field  string
	Reason string
}

func (e *OptionsError) Error() string { return "pipeline: " + e.Field + ": " + e.Reason }

// normal returns o with defaults in place, or a *OptionsError.
func (o Options[K, V]) normal() (Options[K, V], error) {
	switch {
	case o.Key == nil:
		return o, &OptionsError{"Key", "is nil"}
	case o.Value == nil:
		return o, &OptionsError{"Value", "is nil"}
	case o.Overlap < Auto || o.Overlap > Never:
		return o, &OptionsError{"Overlap", fmt.Sprintf("%d is unknown", o.Overlap)}
	}
	switch o.Kind {
	case "":
		o.Kind = Merkle
	case Flat, Merkle, MPT:
	default:
		return o, &OptionsError{"Kind", fmt.Sprintf("%q is unknown", o.Kind)}
	}
	if o.Workers < 1 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Sequential {
		o.Workers, o.Overlap = 1, Never
	}
	if o.Overlap == Auto {
		o.Overlap = Never
		if o.Workers >= autoOverlap {
			o.Overlap = Always
		}
	}
	o.Execution.Workers = o.Workers
	o.Root.Workers = o.Workers
	return o, nil
}
