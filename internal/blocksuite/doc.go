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
// for a while cancels. Every run of the executor has to give the root, the number
// of keys and the outputs of the sequential one of its repetition.
package blocksuite
