// Package blocksuite says what is measured of Block-STM: which blocks are run in
// which ways, what each is compared with, and what follows from the times, in the
// terms of package report. It prints nothing and knows no flags.
//
// Goals, in order: never time a wrong answer, compare like with like, finish.
//
// A block is run in several ways: sequentially, which is the baseline; by the
// executor with so many workers; and as a control, in disjoint parts that run
// sequentially at once, which shows what the machine gives to as many goroutines
// that share nothing. Every repetition takes all of them, in an order drawn anew,
// and every ratio is of two runs of one repetition, so that what slows the machine
// for a while cancels. Every run has to give the state, the root and the outputs of
// the first sequential one. What is garbage is collected before each run, outside of
// its time.
//
// The executor keeps its memory from block to block, as that of a node does. The
// sequential run and the parts of a control have none to keep: they make their state
// anew. That is 0.2 µs of a transaction without conflict and without gas, in which
// the executor looks so much better (growslice and rehash in a profile of
// blockstm.Sequential on 20,000 transactions; AMD EPYC, two cores).
package blocksuite
