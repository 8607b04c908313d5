package main

import (
	"fmt"
	"log"
	"math/big"
	"math/bits"

	"github.com/tuneinsight/lattigo/v6/ring"
)

// oracle is lattigo's subring, with every result checked against math/big.
type oracle struct {
	name string
	*ring.SubRing
	psi uint64
}

// The rings of the vectors. The last three have moduli at the edges of the
// representations that kernels choose by the length of q.
var (
	pulsar = newOracle("pulsar", 256, 0x1000000004A01)
	mldsa  = newOracle("mldsa", 256, 8380417)
	fhe27  = newOracle("fhe27", 1024, 0x7fff801)
	q97    = newOracle("n16-q97", 16, 97)
	q3329  = newOracle("n128-q3329", 128, 3329)
	q60    = newOracle("n1024-q60", 1024, 0xffffffffffc0001)
	q31    = newOracle("n16-q31", 16, 0x7fffff61)         // largest below 2^31
	q32    = newOracle("n16-q32", 16, 0x80000041)         // smallest above 2^31
	q61    = newOracle("n16-q61", 16, 0x1fffffffffffffe1) // largest below 2^61

	oracles = []*oracle{pulsar, mldsa, fhe27, q97, q3329, q60, q31, q32, q61}
)

func newOracle(name string, n int, q uint64) *oracle {
	r, err := ring.NewRing(n, []uint64{q})
	if err != nil {
		log.Fatalf("%s: %v", name, err)
	}
	s := r.SubRings[0]
	o := &oracle{name: name, SubRing: s}
	o.psi = o.exp(s.PrimitiveRoot, (q-1)/uint64(2*n))
	return o
}

func (o *oracle) record() ringRecord {
	return ringRecord{Name: o.name, N: o.N, Q: fmt.Sprintf("%#x", o.Modulus), Psi: fmt.Sprintf("%#x", o.psi)}
}

// apply returns op over flat batches of rows.
func (o *oracle) apply(op string, in [][]uint64) []uint64 {
	out := make([]uint64, len(in[0]))
	for i := 0; i < len(out); i += o.N {
		row := make([][]uint64, len(in))
		for j := range in {
			row[j] = append([]uint64(nil), in[j][i:i+o.N]...)
		}
		o.applyRow(op, out[i:i+o.N], row)
		if i < 8*o.N {
			o.verify(op, out[i:i+o.N], row)
		}
	}
	return out
}

func (o *oracle) applyRow(op string, out []uint64, in [][]uint64) {
	switch op {
	case "forward":
		o.NTT(in[0], out)
	case "inverse":
		o.INTT(in[0], out)
	case "mform":
		o.MForm(in[0], out)
	case "imform":
		o.IMForm(in[0], out)
	case "mul":
		o.MulCoeffsBarrett(in[0], in[1], out)
	case "mulmont":
		o.MulCoeffsMontgomery(in[0], in[1], out)
	case "muladd":
		copy(out, in[0])
		o.MulCoeffsBarrettThenAdd(in[1], in[2], out)
	case "muladdmont":
		copy(out, in[0])
		o.MulCoeffsMontgomeryThenAdd(in[1], in[2], out)
	case "product":
		a, b := make([]uint64, o.N), make([]uint64, o.N)
		o.NTT(in[0], a)
		o.NTT(in[1], b)
		o.MForm(b, b)
		o.MulCoeffsMontgomery(a, b, out)
		o.INTT(out, out)
	default:
		log.Fatalf("no operation %q", op)
	}
}

// verify stops the program unless math/big agrees: on every coefficient of the
// pointwise operations, on every 37th of a transform, and on the first of a
// product.
func (o *oracle) verify(op string, out []uint64, in [][]uint64) {
	switch op {
	case "forward":
		o.verifyTransform(op, in[0], out)
	case "inverse":
		o.verifyTransform(op, out, in[0])
	case "product":
		want := o.mul(in[0][0], in[1][0])
		for k := 1; k < o.N; k++ { // X^N = -1
			want = o.sub(want, o.mul(in[0][k], in[1][o.N-k]))
		}
		o.require(op, 0, out[0], want)
	default:
		r := o.exp(2, 64)
		rInv := o.inverse(r)
		for j := range out {
			o.require(op, j, out[j], o.pointwise(op, j, in, r, rInv))
		}
	}
}

// verifyTransform checks that t[j] = a(psi^(2*brv(j)+1)).
func (o *oracle) verifyTransform(op string, a, t []uint64) {
	for j := 0; j < o.N; j += 37 {
		o.require(op, j, t[j], o.evaluate(a, o.point(j)))
	}
}

func (o *oracle) require(op string, j int, got, want uint64) {
	if got != want {
		log.Fatalf("%s %s: lattigo and math/big differ at %d", o.name, op, j)
	}
}

func (o *oracle) pointwise(op string, j int, in [][]uint64, r, rInv uint64) uint64 {
	switch op {
	case "mform":
		return o.mul(in[0][j], r)
	case "imform":
		return o.mul(in[0][j], rInv)
	case "mul":
		return o.mul(in[0][j], in[1][j])
	case "mulmont":
		return o.mul(o.mul(in[0][j], in[1][j]), rInv)
	case "muladd":
		return o.add(in[0][j], o.mul(in[1][j], in[2][j]))
	case "muladdmont":
		return o.add(in[0][j], o.mul(o.mul(in[1][j], in[2][j]), rInv))
	}
	log.Fatalf("no operation %q", op)
	return 0
}

// point returns psi^(2*brv(j)+1).
func (o *oracle) point(j int) uint64 {
	brv := bits.Reverse64(uint64(j)) >> (64 - bits.TrailingZeros(uint(o.N)))
	return o.exp(o.psi, 2*brv+1)
}

// evaluate returns a(x) mod q by Horner's rule.
func (o *oracle) evaluate(a []uint64, x uint64) uint64 {
	y := uint64(0)
	for i := len(a) - 1; i >= 0; i-- {
		y = o.add(o.mul(y, x), a[i])
	}
	return y
}

func (o *oracle) mod(x *big.Int) uint64 { return x.Mod(x, word(o.Modulus)).Uint64() }

func (o *oracle) add(a, b uint64) uint64 { return o.mod(new(big.Int).Add(word(a), word(b))) }
func (o *oracle) sub(a, b uint64) uint64 { return o.mod(new(big.Int).Sub(word(a), word(b))) }
func (o *oracle) mul(a, b uint64) uint64 { return o.mod(new(big.Int).Mul(word(a), word(b))) }
func (o *oracle) exp(a, e uint64) uint64 {
	return new(big.Int).Exp(word(a), word(e), word(o.Modulus)).Uint64()
}
func (o *oracle) inverse(a uint64) uint64 { return o.exp(a, o.Modulus-2) }

func word(x uint64) *big.Int { return new(big.Int).SetUint64(x) }
