package workload

import (
	"math"
	"slices"
)

const (
	hotKeys   = 8  // balances, counters and pools of the hot set, each
	contracts = 64 // with a counter and a pool, besides the hot ones
	leastPool = 16 // balances: a sweep takes seven different ones
)

// drawer draws the keys of transactions. Balances below hotKeys are the hot ones,
// and so are counters and pools.
type drawer struct {
	splitMix64
	config Config
	size   int // of the pool of balances; 0 where each is drawn once
	fresh  int // drawn so far where each is
	zipf   *zipf
}

func newDrawer(c Config) *drawer {
	d := &drawer{splitMix64: splitMix64(c.Seed), config: c, size: poolSize(c)}
	if c.Zipf > 0 {
		d.zipf = newZipf(d.size, c.Zipf)
	}
	return d
}

// poolSize is the number of balances that transactions draw from, 0 for as many
// as they draw. A pool in proportion to 1/√c, rather than a fixed one, is what
// brings the numbers of keys that the description reports for 10 and 50 % together.
func poolSize(c Config) int {
	n := 0
	switch {
	case c.profile() == Hot:
		n = c.N / 10
	case c.Conflict > 0:
		n = int(float64(c.N) / math.Sqrt(10*float64(c.Conflict)/Million))
	case c.Zipf > 0:
		n = c.N
	default:
		return 0
	}
	return max(n, leastPool)
}

// hot says whether the next transaction of Mixed touches the hot set.
func (d *drawer) hot() bool {
	if d.config.profile() == Hot {
		return true
	}
	return d.config.Conflict > 0 && d.chance(d.config.Conflict)
}

// spread is how many keys of a class the hot set has.
func (d *drawer) spread() int {
	if d.config.profile() == Hot {
		return 1
	}
	return hotKeys
}

// maxDraws is how often a balance is drawn anew because the transaction has it
// already; then the next one that it has not is taken. A steep distribution has
// few that it ever draws.
const maxDraws = 16

// balances fills dst with different balances outside the hot set.
func (d *drawer) balances(dst []Key) {
	for i := range dst {
		rank := d.rank()
		for try := 1; slices.Contains(dst[:i], poolKey(rank)); try++ {
			if try < maxDraws {
				rank = d.rank()
			} else {
				rank = (rank + 1) % d.size
			}
		}
		dst[i] = poolKey(rank)
	}
}

func poolKey(rank int) Key { return MakeKey(Balance, hotKeys+uint64(rank)) }

func (d *drawer) rank() int {
	switch {
	case d.zipf != nil:
		return d.zipf.draw(&d.splitMix64)
	case d.size > 0:
		return d.below(d.size)
	}
	d.fresh++
	return d.fresh - 1
}

// hotBalance, and contract for counters and pools, draw from the hot set.
func (d *drawer) hotBalance() Key { return MakeKey(Balance, uint64(d.below(d.spread()))) }

func (d *drawer) contract(hot bool) uint64 {
	if hot {
		return uint64(d.below(d.spread()))
	}
	return uint64(hotKeys + d.below(contracts))
}
