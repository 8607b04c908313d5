// Package cpu is the scalar backend: package ntt's transforms on one thread, or
// on as many as Options.Workers says. It is the reference that the sweep command
// measures every other backend against, so it has no assembly and falls back on
// nothing.
package cpu
