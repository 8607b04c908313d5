// Package kat holds the known answers that every backend must give: vectors of
// the transforms and of the pointwise operations, edge pairs of the single
// operations modulo q that a device's arithmetic is built from, digests of the
// Keccak family, and state roots.
//
// The expected values were not computed by this project: lattigo v6.1.1 and
// math/big made those of the transforms, golang.org/x/crypto and Go's library
// the digests, go-ethereum v1.17.10 and ethereum/tests the roots (see _gen, and
// the provenance in each file), and this package imports nothing but the
// standard library. So a broken ring, hasher or backend cannot bend what it is
// checked against.
//
// Vectors are public, so an error of this package shows values; errors of the
// packages that see secrets never do.
package kat
