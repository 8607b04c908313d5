package backends

import (
	"context"

	"github.com/crosspoint-kernels/crosspoint/keccak"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// Backend is a device that was opened and passed its self-test. It is safe for
// concurrent use, and so are a Plan and a Hasher; a Batch is not.
type Backend interface {
	// Info says what was opened.
	Info() Info
	// Supports returns nil, or an error that wraps ErrUnsupported and says why.
	// What it refuses, NTT and NewBatch refuse, and NewBatch no other number of
	// rows. Negative Rows are ErrShape.
	Supports(op Op) error
	// NTT makes the plan of a ring: tables are uploaded and kernels compiled
	// here, once. The error wraps ErrUnsupported where Supports says so, and
	// where r is nil.
	NTT(r *ntt.Ring) (Plan, error)
	// Keccak returns a Hasher: Keccak-256 of many messages at once, with the
	// digests of every other one. Each call returns one of its own, which must be
	// closed. Kernels are compiled and checked by the first call. The error wraps
	// ErrUnsupported where Supports says so, and ErrUnavailable where a kernel does
	// not compile or computes a known answer wrongly. The Hasher of a device is a
	// keccak.TreeHasher as well, and keeps the memory that its largest calls took.
	// Errors of a Hasher are of type *keccak.Error and wrap what those of a Plan
	// do, ErrDeviceLost for one; but a wrong shape is keccak.ErrShape.
	Keccak() (keccak.Hasher, error)
	// Close releases the device. Plans, batches and hashers must be closed before.
	Close() error
}

// Plan transforms batches of one ring on one backend, as an FFT plan does.
//
// Slices are flat rows of N coefficients, equally many in every argument. dst
// may be the same slice as an operand; any other overlap, or a length that is
// no multiple of N, is ErrShape. A coefficient not in [0, q) is ErrRange, with
// an *ntt.RangeError that names row and index.
//
// Where several things are wrong, the first of these is what a call returns:
//   - ErrClosed, of a plan or a backend that is closed;
//   - ErrShape;
//   - nil, for no rows: that is no work, whatever the context says;
//   - the error of a context that had ended before the call;
//   - ErrRange, for the first coefficient of a (or src) that is not in [0, q),
//     else of b, else of dst where that is an operand.
//
// After an error rows [0, Done) of dst are final and the others untouched; Done
// is in the *Error. The context is looked at between chunks of rows. How many
// rows a chunk has, and whether the rows before a coefficient that is out of
// range are computed, is the backend's choice.
type Plan interface {
	Ring() *ntt.Ring

	// Forward and Inverse transform every row: see ntt.Ring.
	Forward(ctx context.Context, dst, src []uint64) error
	Inverse(ctx context.Context, dst, src []uint64) error

	// Mul sets dst = a*b mod q, and MulAdd dst = dst + a*b mod q, pointwise.
	Mul(ctx context.Context, dst, a, b []uint64) error
	MulAdd(ctx context.Context, dst, a, b []uint64) error

	// The Montgomery family has R = 2^64 and gives the bytes of lattigo's:
	// dst = a*b/R, dst = dst + a*b/R, dst = src*R and dst = src/R, mod q.
	MulMont(ctx context.Context, dst, a, b []uint64) error
	MulAddMont(ctx context.Context, dst, a, b []uint64) error
	MForm(ctx context.Context, dst, src []uint64) error
	IMForm(ctx context.Context, dst, src []uint64) error

	// NewBatch allocates rows of zeros on the device. A negative number is
	// ErrShape, and more than a batch of this backend can have ErrUnsupported. The
	// error wraps ErrMemory where the device has too little left.
	NewBatch(rows int) (Batch, error)
	Close() error
}

// Batch is a number of rows that stay on the device, so that a chain of
// operations crosses the bus once. Operations run in the order of the calls;
// all but Read and Sync may return before the device is done, and then report
// its failure at the next call. Rows out of bounds, or a batch of another plan,
// are ErrShape. Where several things are wrong, the order is that of a Plan;
// no rows, or a product without a term, is no work.
type Batch interface {
	// Rows is what NewBatch was given, after Release too.
	Rows() int
	// Write copies whole rows from src to the rows from row on. A coefficient
	// not in [0, q) is ErrRange, and then nothing was written.
	Write(ctx context.Context, row int, src []uint64) error
	// Read copies whole rows from the rows from row on to dst.
	Read(ctx context.Context, row int, dst []uint64) error
	// Forward, Inverse, MForm and IMForm work in place on rows [row, row+n).
	Forward(ctx context.Context, row, n int) error
	Inverse(ctx context.Context, row, n int) error
	MForm(ctx context.Context, row, n int) error
	IMForm(ctx context.Context, row, n int) error
	// MulAddMont adds a*b/R to this batch, row by row. The three batches have
	// equally many rows; a may be b, neither may be this batch.
	MulAddMont(ctx context.Context, a, b Batch) error
	// MatMulAddMont adds the matrix product A*B/R to this batch: a holds A,
	// m by k polynomials in row-major order, b holds B, k by n, and this batch
	// C, m by n, with the product of two polynomials taken pointwise (so all
	// are transforms). A batch may hold more rows than its matrix. Neither a
	// nor b may be this batch. It is lattigo's MulCoeffsMontgomeryThenAdd in a
	// triple loop, as Ringtail's MatrixMatrixMul does it.
	MatMulAddMont(ctx context.Context, a, b Batch, m, k, n int) error
	// Sync waits until every operation so far is done, and reports their errors.
	// A context that has ended is its error, whether or not there is any to wait for.
	Sync(ctx context.Context) error
	// Release frees the rows; it zeroes them first when Options.Wipe is set.
	Release()
}

// Info describes a backend that is open.
type Info struct {
	Name     string // as registered
	Device   string // the device's own name
	Driver   string // driver or API with its version, or how the CPU is used
	Software bool   // a GPU API that runs on the CPU: never to be timed as a GPU
	MaxN     int    // largest degree of a ring
	Workers  int    // CPU threads that do the work; 0 where a device does it
}

// Kind is a family of operations.
type Kind string

// The kinds of operation.
const (
	NTT       Kind = "ntt"       // Forward and Inverse
	Pointwise Kind = "pointwise" // Mul, MulAdd and the Montgomery family
	Resident  Kind = "resident"  // Batch
	Keccak    Kind = "keccak"    // a Hasher; an Op's Ring is nil and its Rows are messages
)

// Op is an operation that a backend may or may not support.
type Op struct {
	Kind Kind
	Ring *ntt.Ring
	Rows int // of one call; 0 asks about any number
}

// Options say how a backend is opened. The zero value is the default.
type Options struct {
	// Device selects a device of the backend by a part of its name, ignoring
	// case. Empty takes the best one.
	Device string
	// AllowSoftware accepts a device that is software, such as Mesa's lavapipe.
	AllowSoftware bool
	// Metallib is the path of a compiled library from which backend metal takes
	// its kernels, instead of compiling them or using the one that is embedded.
	// Other backends make no use of it.
	Metallib string
	// Workers is the number of CPU threads of a CPU backend. 0 is one thread of cpu, and
	// as many as GOMAXPROCS of simd.
	Workers int
	// Wipe zeroes device and staging memory that held coefficients or messages
	// before it is released. It does not reach copies that a driver made. A device
	// that cannot do it is lost: later calls are ErrDeviceLost, and so is Close.
	Wipe bool
}
