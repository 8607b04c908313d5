package simd

import (
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/backends/internal/host"
	"github.com/crosspoint-kernels/crosspoint/kernels/amd64"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// IFMA is a width of the backend: AVX512 with 52-bit multipliers, of which a Hasher
// has no use.
const IFMA Width = "avx512-ifma"

// level is a width of the backend: what it transforms and hashes with.
type level struct {
	width      Width
	transforms []transform // the fastest first
	hash       Width
}

// transform is kernels for every q of up to so many bits.
type transform struct {
	width amd64.Width
	bits  int
}

// levels are all widths, the widest first. hash is the widest that goes with it.
var levels = []level{
	{IFMA, []transform{{amd64.AVX512Narrow, 29}, {amd64.IFMA, 50}}, AVX512},
	{AVX512, []transform{{amd64.AVX512Narrow, 31}, {amd64.AVX512Float, 50}}, AVX512},
	{AVX2, []transform{{amd64.AVX2Narrow, 31}, {amd64.AVX2Float, 50}}, AVX2},
	{ARM64x2, nil, ARM64x2},
	{Scalar, nil, Scalar},
}

// Widths returns the widths of the backend that this machine has, the widest first.
// Scalar is always the last.
func Widths() (names []Width) {
	for _, l := range present() {
		names = append(names, l.width)
	}
	return names
}

// present returns the levels that this machine has. One whose transforms it has is
// there with narrower hashing too.
func present() (here []level) {
	hashes, transforms := HasherWidths(), amd64.Widths()
	order := []Width{AVX512, AVX2, ARM64x2, Scalar}
	for _, l := range levels {
		if l.transforms == nil && !slices.Contains(hashes, l.hash) ||
			slices.ContainsFunc(l.transforms, func(t transform) bool { return !slices.Contains(transforms, t.width) }) {
			continue
		}
		for _, w := range order[slices.Index(order, l.hash):] {
			if slices.Contains(hashes, w) {
				l.hash = w
				break
			}
		}
		here = append(here, l)
	}
	return here
}

// findLevel returns a level of this machine, the widest for no name.
func findLevel(name Width) (level, error) {
	all := present()
	if name == "" {
		return all[0], nil
	}
	i := slices.IndexFunc(all, func(l level) bool { return l.width == name })
	if i < 0 {
		return level{}, fmt.Errorf("%w: this machine has no width %q, but %q", backends.ErrUnavailable, name, Widths())
	}
	return all[i], nil
}

// String says what computes which rings, and messages.
func (l level) String() string {
	if l.transforms == nil {
		return fmt.Sprintf("scalar Go, as no vector kernel applies, %s/%s; Keccak %s", runtime.GOOS, runtime.GOARCH, l.hash)
	}
	var parts []string
	for _, t := range l.transforms {
		parts = append(parts, fmt.Sprintf("%v to q < 2^%d", t.width, t.bits))
	}
	return fmt.Sprintf("%s, scalar Go above; Keccak %s", strings.Join(parts, ", "), l.hash)
}

// kernels returns the fastest kernels for a ring.
func (l level) kernels(r *ntt.Ring) host.Kernels {
	for _, t := range l.transforms {
		if r.Bits() > t.bits {
			continue
		}
		x, err := amd64.NewNTT(r.N(), r.Q(), r.Roots(), r.InverseRoots(), r.InverseN(), t.width)
		if err == nil {
			return &vector{NTT: x, ring: r, width: t.width}
		}
	}
	return host.Scalar(r)
}

// PlanWidth says what a plan of this backend computes with: the name of a set of
// kernels of package kernels/amd64, or "scalar". It is empty for other plans.
func PlanWidth(p backends.Plan) string {
	switch k := host.KernelsOf(p).(type) {
	case nil:
		return ""
	case *vector:
		return k.width.String()
	}
	return string(Scalar)
}

// selfTest transforms a row there and back with each of the level's kernels.
func (l level) selfTest() error {
	const n, q = 64, 8380417 // of ML-DSA, which all of them have
	r, err := ntt.NewRing(n, q)
	if err != nil {
		return err
	}
	src, want, got := make([]uint64, n), make([]uint64, n), make([]uint64, n)
	for i := range src {
		src[i] = q - 1 - uint64(i*i*2039%q)
	}
	r.ForwardReduced(want, src)
	for _, t := range l.transforms {
		one := level{transforms: []transform{t}}.kernels(r)
		if one.Forward(got, src) != 1 || !slices.Equal(got, want) || one.Inverse(got, got) != 1 || !slices.Equal(got, src) {
			return fmt.Errorf("%w: %v computes a transform wrongly", backends.ErrUnavailable, t.width)
		}
	}
	return nil
}
