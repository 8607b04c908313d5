// Package gputest has what tests of devices and of code over devices need: the
// conformance suite that every gpu.Device passes, and Fake, a device in memory
// that counts what it is asked and fails on demand.
package gputest
