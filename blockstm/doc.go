// Package blockstm runs the transactions of a block in parallel, with the result
// of running them one after another.
//
// A transaction is a function over a [View]; keys, values and outputs are the
// caller's types, and the state before the block is an interface. [Sequential]
// is the specification of what a block means; an [Executor] gives the same
// results and changes.
//
// The goals are, in order: equal results, clarity, speed.
package blockstm
