//go:build metalsim && cgo

package mtl

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/internal/metalsim"
)

// TestManyInFlight submits more than the queue takes at once, from a goroutine
// that the queue must not keep for ever.
func TestManyInFlight(t *testing.T) {
	s := newScene(t, Options{})
	defer s.d.Close()
	metalsim.Pause(true)
	all := make(chan error, 1)
	go func() {
		for range 2*maxInFlight + 3 {
			p, err := s.d.Submit(s.work())
			if err != nil {
				all <- err
				return
			}
			p.Release()
		}
		all <- nil
	}()
	select {
	case err := <-all:
		t.Fatalf("the queue took everything while it stood still: %v", err)
	case <-time.After(100 * time.Millisecond):
	}
	// Others get on meanwhile.
	b, err := s.d.NewBuffer("meanwhile", 4)
	require.NoError(t, err)
	b.Release()
	metalsim.Pause(false)
	require.NoError(t, <-all)
}

// TestWaitSleeps: a Wait beyond the time for which it spins ends with the work,
// and with its context.
func TestWaitSleeps(t *testing.T) {
	s := newScene(t, Options{})
	defer s.d.Close()
	metalsim.Pause(true)
	p, err := s.d.Submit(s.work())
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, p.Wait(ctx), context.DeadlineExceeded)
	done := make(chan error, 3)
	for range cap(done) {
		go func() { done <- p.Wait(context.Background()) }()
	}
	time.Sleep(20 * time.Millisecond)
	require.Empty(t, done)
	metalsim.Pause(false)
	for range cap(done) {
		require.NoError(t, <-done)
	}
}
