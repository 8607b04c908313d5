package backendtest

import (
	"context"
	"errors"
	"testing"

	"github.com/crosspoint-kernels/crosspoint/backends"
)

// Open opens a backend for a test, or skips or fails it. Run closes what it
// opens.
type Open func(testing.TB) backends.Backend

// Registered opens the backend of that name. Where it is not available the
// test is skipped with the reason, or failed if the backend is required. Any
// other error fails it.
func Registered(name string, require bool, o backends.Options) Open {
	return func(t testing.TB) backends.Backend {
		t.Helper()
		b, err := backends.Open(name, o)
		switch {
		case err == nil:
			return b
		case errors.Is(err, backends.ErrUnavailable) && !require:
			t.Skipf("backend %s: %v", name, err)
		default:
			t.Fatalf("backend %s: %v", name, err)
		}
		return nil
	}
}

// check is one thing that a backend must do. It returns what the backend did
// instead.
type check struct {
	name string
	run  func(ctx context.Context, e *env) error
}

// checks are in the order in which a new backend is likely to pass them.
var checks = []check{
	{"info", checkInfo},
	{"vectors", checkVectors},
	{"sizes", checkSizes},
	{"aliasing", checkAliasing},
	{"chunks", checkChunks},
	{"many", checkMany},
	{"empty", checkEmpty},
	{"shape", checkShape},
	{"range", checkRange},
	{"precedence", checkPrecedence},
	{"cancel", checkCancel},
	{"timing", checkTiming},
	{"concurrent", checkConcurrent},
	{"batch rows", checkBatchRows},
	{"batch chain", checkBatchChain},
	{"batch product", checkBatchProduct},
	{"batch errors", checkBatchErrors},
	{"closed", checkClosed},

	{"hasher", checkHasher},
	{"digests", checkDigests},
	{"lengths", checkLengths},
	{"messages", checkMessages},
	{"fixed width", checkFixed},
	{"hash chunks", checkHashChunks},
	{"no messages", checkNoMessages},
	{"hash shape", checkHashShape},
	{"hash cancel", checkHashCancel},
	{"hash timing", checkHashTiming},
	{"hash concurrent", checkHashConcurrent},
	{"tree", checkTree},
	{"roots", checkRoots},
	{"hash closed", checkHashClosed},
}

// Run runs every check on the backend that open opens, each as a subtest. With
// -short it is RunShort.
func Run(t *testing.T, open Open) {
	if testing.Short() {
		RunShort(t, open)
		return
	}
	run(t, open, full)
}

// RunShort is Run with fewer and smaller batches. It is for a backend that has
// passed Run with other options.
func RunShort(t *testing.T, open Open) { run(t, open, short) }

func run(t *testing.T, open Open, s scale) {
	b := open(t)
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	e := newEnv(b, s)
	t.Cleanup(e.close) // before the backend's: the last one registered is the first to run
	t.Logf("%+v", b.Info())
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) {
			e.open = func() backends.Backend { return open(t) }
			switch err := c.run(t.Context(), e); {
			case errors.Is(err, errNoHasher):
				t.Skip(err)
			case err != nil:
				t.Error(err)
			}
		})
	}
}
