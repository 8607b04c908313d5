// Package host is what the backends that compute on the CPU have in common: plans,
// batches, and a bounded pool of goroutines that the rows of a call are spread over.
// A backend supplies the kernels of a ring and a Hasher.
package host
