// Package metalsim wraps what a test asks of the Metal simulator: counts of
// objects, and faults. The simulator itself is a C library, which README.md
// describes; without the build tag metalsim, or without cgo, this package is empty.
package metalsim
