// Package backendtest is the suite that every backend must pass. It holds a
// backend to the bytes of package ntt's and package keccak's references, to the
// known answers of package kat, and to what the interfaces of package backends
// promise: guards around every buffer, typed errors, finished and untouched rows
// and digests after a failure, batches whose neighbours stay as they are, and the
// state roots of package stateroot over its Hasher.
//
// A backend's own tests call Run. Each check is a function from an open backend
// to an error, so that the tests of this package can show that planted mutants
// are caught.
package backendtest
