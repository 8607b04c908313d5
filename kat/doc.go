// Package kat holds the known answers that every backend must give: vectors of
// the transforms and of the pointwise operations, and edge pairs of the single
// operations modulo q that a device's arithmetic is built from.
//
// The expected values were not computed by this project: lattigo v6.1.1 and
// math/big made them (see _gen, and the provenance in each file), and this
// package imports nothing but the standard library. So a broken ring or backend
// cannot bend what it is checked against.
//
// Vectors are public, so an error of this package shows values; errors of the
// packages that see secrets never do.
package kat
