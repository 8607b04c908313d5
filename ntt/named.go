package ntt

import (
	"math"
	"strconv"
	"strings"
)

// named lists the rings that have a name. A psi of 0 is derived.
var named = []struct {
	name   string
	n      int
	q, psi uint64
}{
	// Ringtail and Pulsar (today luxfi/corona): sign/config.go of
	// daryakaviani/ringtail. q = 2^48 + 18945 has 49 bits.
	{"pulsar", 256, 0x1000000004A01, 0xa58a46cdd563},
	// ML-DSA's modulus (FIPS 204) with lattigo's root, not FIPS 204's zeta = 1753.
	{"mldsa", 256, 8380417, 0},
	// The 27-bit blind-rotation ring of FHEW-style bootstrapping.
	{"fhe27", 1024, 0x7fff801, 0},
}

// Names returns the names that Parse knows.
func Names() []string {
	names := make([]string, len(named))
	for i, d := range named {
		names[i] = d.name
	}
	return names
}

// Parse returns the ring that s denotes: a name, in any case, or N,q[,psi] with
// numbers in Go's notation (decimal, 0x, ...) and spaces around them allowed.
// The error is a *SyntaxError or a *RingError.
func Parse(s string) (*Ring, error) {
	for _, d := range named {
		if strings.EqualFold(strings.TrimSpace(s), d.name) {
			if d.psi == 0 {
				return NewRing(d.n, d.q)
			}
			return NewRingWithPsi(d.n, d.q, d.psi)
		}
	}
	fields := strings.Split(s, ",")
	if len(fields) != 2 && len(fields) != 3 {
		return nil, &SyntaxError{s}
	}
	var v [3]uint64
	for i, f := range fields {
		x, err := strconv.ParseUint(strings.TrimSpace(f), 0, 64)
		if err != nil {
			return nil, &SyntaxError{s}
		}
		v[i] = x
	}
	n := int(min(v[0], math.MaxInt)) // a degree that fits no int is too large anyway
	if len(fields) == 3 {
		return NewRingWithPsi(n, v[1], v[2])
	}
	return NewRing(n, v[1])
}
