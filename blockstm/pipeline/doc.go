// Package pipeline turns a block into a state root: it executes the transactions,
// commits what they wrote, and hashes that, and it says how long each took.
//
// Three phases follow one another. Execution is package blockstm's. The commit
// takes the final value of every key out of the executor's memory. The root is
// what package stateroot makes of those keys, with the Keccak-256 of each in its
// place for a tree (as in Ethereum's tries) and as it is for a flat fold.
//
// Amdahl's law makes a serial commit and root the limit of a parallel execution,
// so both use the same workers here. The leaves are parted into shards by the
// first byte of the hashed key, which are sorted independently, and a batch of
// hashes is handed to a Hasher as a whole. Where Options.Overlap says so, the
// commit goes along with the execution: the committed prefix of the block is
// entered into the state, and its new keys are hashed, while later transactions
// still run. Work below a measured size stays on one goroutine: a parallel commit
// that ignores how little there is to do is slower than none.
//
// The goals are, in order: the root of the sequential run bit for bit, clarity,
// speed.
package pipeline
