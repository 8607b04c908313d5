// Package suite says what is measured: which operation on which backend over
// which rows, in the terms of package bench. It prints nothing and knows no flags.
//
// Goals, in order: never time a wrong answer, compare like with like, finish.
//
// Every contestant gets the same seeded rows. Before anything is timed its
// output is compared with that of the scalar reference, coefficient by
// coefficient with ntt.Ring or digest by digest with package keccak, for that
// very input; a difference is a *MismatchError or a *DigestError and stops the
// run. The contestants of one batch size are then measured in interleaved
// rounds, so that each pair of samples was taken under the same conditions.
//
// Transforms are timed from a source slice to a separate destination, as a caller
// with data of its own uses them; multiply-accumulate adds to its destination.
// Buffers are made once, before the first measurement, and shared by all
// contestants: poisoned before a check, so that no contestant passes on what an
// earlier one left there.
package suite
