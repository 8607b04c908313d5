package workload

import (
	"fmt"
	"math"
	"time"
)

// Profile is a kind of load.
type Profile string

// The profiles.
const (
	Mixed     Profile = "mixed"     // the four classes, in conflict as Config.Conflict says
	Hot       Profile = "hot"       // all sweeps, all counters and all swaps meet in one key, counter and pool
	OneSlot   Profile = "oneslot"   // every transaction reads and writes the same slot
	Transfers Profile = "transfers" // transfers alone, two reads each
	Dynamic   Profile = "dynamic"   // deletes, re-creation, reverts, panics; keys that depend on values read
)

// Profiles lists them all.
func Profiles() []Profile { return []Profile{Mixed, Hot, OneSlot, Transfers, Dynamic} }

// Million is the whole in parts per million.
const Million = 1_000_000

// MaxTransactions is the largest Config.N.
const MaxTransactions = 1 << 24

// Config says what a block is made of. The zero value of every field but N is
// usable.
type Config struct {
	// N is the number of transactions, from 0 to MaxTransactions.
	N int
	// Profile is Mixed if it is empty.
	Profile Profile
	// Conflict is how many transactions in a million touch the hot set, of eight
	// balances, eight counters and eight pools. The others draw from a pool of
	// N/√(10·c) balances, where c is Conflict as a fraction; if that is 0, no two
	// transactions share a balance. Only Mixed and Transfers look at it.
	Conflict int
	// Seed draws the block.
	Seed uint64
	// Gas is the number of Keccak-256 of 32 bytes that each transaction computes
	// one after another, between its reads and its writes.
	Gas int
	// Deltas makes credits, debits and increments commutative additions, which do
	// not read.
	Deltas bool
	// Zipf, if it is positive, is the exponent of the distribution by which
	// balances are drawn from their pool, of N balances where Conflict is 0; else
	// they are drawn evenly.
	Zipf float64
	// Distance, if it is positive, makes each transaction depend on the one so many
	// before it: both read and write one slot more.
	Distance int
	// ReadOnly is how many transactions in a million only read two balances.
	ReadOnly int
	// Latency is how long a read of the base state takes; it blocks a thread of the
	// operating system.
	Latency time.Duration
}

// ConfigError says which field of a Config makes no sense.
type ConfigError struct {
	Field  string
	Reason string
}

func (e *ConfigError) Error() string { return "workload: " + e.Field + ": " + e.Reason }

// Check returns a *ConfigError unless a block can be made by c.
func (c *Config) Check() error {
	bad := func(field, format string, args ...any) error {
		return &ConfigError{field, fmt.Sprintf(format, args...)}
	}
	ppm := func(v int) bool { return v >= 0 && v <= Million }
	switch {
	case c.N < 0 || c.N > MaxTransactions:
		return bad("N", "%d transactions; there can be 0 to %d", c.N, MaxTransactions)
	case !c.profile().known():
		return bad("Profile", "%q is unknown", c.Profile)
	case !ppm(c.Conflict):
		return bad("Conflict", "%d is not in parts per million", c.Conflict)
	case !ppm(c.ReadOnly):
		return bad("ReadOnly", "%d is not in parts per million", c.ReadOnly)
	case c.Gas < 0:
		return bad("Gas", "%d is negative", c.Gas)
	case c.Distance < 0:
		return bad("Distance", "%d is negative", c.Distance)
	case !(c.Zipf >= 0) || math.IsInf(c.Zipf, 0):
		return bad("Zipf", "an exponent is a finite number of at least 0")
	case c.Latency < 0:
		return bad("Latency", "%v is negative", c.Latency)
	}
	return nil
}

func (c *Config) profile() Profile {
	if c.Profile == "" {
		return Mixed
	}
	return c.Profile
}

func (p Profile) known() bool {
	for _, q := range Profiles() {
		if p == q {
			return true
		}
	}
	return false
}
