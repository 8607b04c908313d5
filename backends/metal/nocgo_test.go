//go:build (darwin || metalsim) && !cgo

package metal_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/backends/metal"
)

// TestWithoutCgo: the backend is known, and says what it lacks.
func TestWithoutCgo(t *testing.T) {
	_, err := backends.Open(metal.Name, backends.Options{AllowSoftware: true})
	require.ErrorIs(t, err, backends.ErrUnavailable)
	require.ErrorContains(t, err, "CGO_ENABLED=1")
	var e *backends.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, "metal", e.Backend)
}
