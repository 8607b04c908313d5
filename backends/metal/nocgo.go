//go:build (darwin || metalsim) && !cgo

package metal

import (
	"fmt"

	"github.com/crosspoint-kernels/crosspoint/backends"
)

func init() { backends.Register(backends.Driver{Name: Name, Rank: rank, Open: Open}) }

// Open returns an error that wraps backends.ErrUnavailable: Metal is reached
// through cgo alone, and this program was built without.
func Open(backends.Options) (backends.Backend, error) {
	return nil, &backends.Error{Backend: Name, Op: "open", Err: fmt.Errorf(
		"%w: this program was built without cgo; build it with CGO_ENABLED=1 and Xcode's Command Line Tools (xcode-select --install)",
		backends.ErrUnavailable)}
}
