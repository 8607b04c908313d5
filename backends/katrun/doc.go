// Package katrun runs known answers on a backend. It is what the sweep command
// and package backendtest share; it stands apart from backendtest so that a
// command does not import package testing.
package katrun
