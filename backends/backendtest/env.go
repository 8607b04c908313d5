package backendtest

import (
	"fmt"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/keccak"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// scale is how much a run of the suite does.
type scale struct {
	sizes int   // every batch size from 1 to this
	edges []int // batch sizes around the chunks of a device (2 MiB), for Pulsar's ring
	late  int   // rows of a batch that has late chunks
	most  int   // rows of the largest batch by which a second chunk is sought
	many  int   // polynomials per named ring
	wide  int   // rows of the smallest rings: past 65,535 workgroups

	// The sizes above are those of batches of messages too.
	messages []int // more of them
	long     int   // bytes of one long message
	roots    int   // entries of the largest state
}

var (
	full = scale{sizes: 70, edges: []int{1023, 1024, 1025, 8193}, late: 8193, most: 65_537, many: 20_000, wide: 65_537,
		messages: []int{1000, 4097}, long: 3<<20 + 5, roots: 50_000}
	short = scale{sizes: 10, edges: []int{1025}, late: 1025, most: 1025, many: 200, wide: 2049,
		messages: []int{257}, long: 1<<18 + 5, roots: 150}
)

// Rings of the case table: the named ones, the smallest degree, and moduli at
// the edges of the representations that kernels choose by the length of q.
var (
	pulsar = testRing{"pulsar", 256, 0x1000000004A01}
	mldsa  = testRing{"mldsa", 256, 8380417}
	fhe27  = testRing{"fhe27", 1024, 0x7fff801}
	q97    = testRing{"n16-q97", 16, 97}
	q31    = testRing{"n16-q31", 16, 0x7fffff61} // the largest below 2^31
	q61    = testRing{"n16-q61", 16, 0x1fffffffffffffe1}

	rings = []testRing{
		pulsar, mldsa, fhe27,
		{"n8-q17", 8, 17},
		q97, q31,
		{"n16-q32", 16, 0x80000041},  // the smallest above 2^31
		{"n16-q33", 16, 0x100000181}, // the smallest above 2^32
		q61,
		{"n128-q3329", 128, 3329},
		{"n512-q60", 512, q60},
		{"n1024-q60", 1024, q60},
		{"n2048-q50", 2048, 0x3ffffffffc001},
		{"n2048-q61", 2048, 0x1ffffffffffed001},
		{"n4096-q60", 4096, q60},
		{"n65536-q60", 65536, q60},
	}
	named = []testRing{pulsar, mldsa, fhe27}
	// batchRings are those on which the checks of Batch run: a modulus for each
	// representation, and a small and a large degree.
	batchRings = []testRing{pulsar, mldsa, q97, q61, {"n1024-q60", 1024, q60}}
)

// q60 is 1 modulo 2^18, so it serves every degree up to 2^17.
const q60 = 0xffffffffffc0001

// testRing is a ring of the case table, with lattigo's psi.
type testRing struct {
	name string
	n    int
	q    uint64
}

// env is an open backend with the plans and the Hasher that the checks share,
// because compiling kernels can take a tenth of a second.
type env struct {
	backend backends.Backend
	scale   scale
	plans   map[testRing]backends.Plan
	shared  keccak.Hasher           // nil until it is asked for
	open    func() backends.Backend // another one, for a check that closes it
}

func newEnv(b backends.Backend, s scale) *env {
	return &env{backend: b, scale: s, plans: map[testRing]backends.Plan{}}
}

func (e *env) close() {
	for _, p := range e.plans {
		p.Close()
	}
	if e.shared != nil {
		e.shared.Close()
	}
}

// plan returns the plan of a ring.
func (e *env) plan(tr testRing) (backends.Plan, error) {
	if p, ok := e.plans[tr]; ok {
		return p, nil
	}
	p, err := newPlan(e.backend, tr)
	if err == nil {
		e.plans[tr] = p
	}
	return p, err
}

// newPlan returns a plan of its own, which the caller closes.
func newPlan(b backends.Backend, tr testRing) (backends.Plan, error) {
	r, err := ntt.NewRing(tr.n, tr.q)
	if err != nil {
		return nil, err
	}
	p, err := b.NTT(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", tr.name, err)
	}
	if p.Ring() != r {
		return nil, fmt.Errorf("%s: Plan.Ring is not the ring of the plan", tr.name)
	}
	return p, nil
}

// each calls f for the rings that the backend has room for. Those of a larger
// degree are the business of checkInfo.
func (e *env) each(rings []testRing, f func(tr testRing, p backends.Plan) error) error {
	for _, tr := range rings {
		if tr.n > e.backend.Info().MaxN {
			continue
		}
		p, err := e.plan(tr)
		if err != nil {
			return err
		}
		if err := f(tr, p); err != nil {
			return fmt.Errorf("%s: %w", tr.name, err)
		}
	}
	return nil
}
