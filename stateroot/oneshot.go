package stateroot

import "context"

// Flat is Builder.Flat with memory of its own.
func Flat(ctx context.Context, s State) ([32]byte, error) {
	return NewBuilder(Options{}).Flat(ctx, s)
}

// Merkle is Builder.Merkle with memory of its own.
func Merkle(ctx context.Context, s State, o Options) ([32]byte, error) {
	return NewBuilder(o).Merkle(ctx, s)
}

// MPT is Builder.MPT with memory of its own.
func MPT(ctx context.Context, pairs []Pair, o Options) ([32]byte, error) {
	return NewBuilder(o).MPT(ctx, pairs)
}

// SecureMPT is Builder.SecureMPT with memory of its own.
func SecureMPT(ctx context.Context, pairs []Pair, o Options) ([32]byte, error) {
	return NewBuilder(o).SecureMPT(ctx, pairs)
}

// StateMPT is Builder.StateMPT with memory of its own.
func StateMPT(ctx context.Context, s State, o Options) ([32]byte, error) {
	return NewBuilder(o).StateMPT(ctx, s)
}
