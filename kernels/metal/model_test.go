package metal

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// probeGroup is PROBE_GROUP of probe.metal, which only tests use.
const probeGroup = 64

// decoded is the constants and the table of a transform, as its kernel reads them.
type decoded struct {
	field
	shape
	settled, limit, lift, cap, unit uint64
	first, table                    []uint64 // factors
}

// decode reads a kernel's bytes, and checks the quotient of every factor.
func decode(t *testing.T, k Kernel, r *ntt.Ring) decoded {
	d := decoded{field: newField(r.Q()), shape: newShape(r.N())}
	words := decodeWords(d.wordBytes(), k.Constants)
	require.Equal(t, d.q, words[0])
	require.Equal(t, -d.q<<(64-d.bits)>>(64-d.bits), words[1])
	hi, lo := bits.Mul64(words[2], d.q)
	require.Less(t, -lo<<(64-d.bits)>>(64-d.bits), d.q, "reciprocal %d %d", hi, lo)
	d.settled, d.limit, d.lift, d.cap, d.unit = words[3], words[4], words[5], words[6], words[7]
	factors := func(w []uint64) (out []uint64) {
		for i := 0; i < len(w); i += 2 {
			// w*2^B = quotient*q + rest, 0 <= rest < q: w*2^B is 0 modulo 2^B.
			require.Less(t, w[i], d.q)
			_, lo := bits.Mul64(w[i+1], d.q)
			require.Less(t, -lo<<(64-d.bits)>>(64-d.bits), d.q)
			out = append(out, w[i])
		}
		return out
	}
	d.first = factors(words[8:])
	d.table = factors(decodeWords(d.wordBytes(), k.Table))
	return d
}

// factor returns factor k of block b of a pass.
func (d decoded) factor(pass, k, b int) uint64 {
	if pass == 0 {
		return d.first[k-1]
	}
	at, blocks := 0, 1<<d.passes[0]
	for _, p := range d.passes[1:pass] {
		at += (1<<p - 1) * blocks
		blocks <<= p
	}
	return d.table[at+(k-1)*blocks+b]
}

// butterflies calls f for every butterfly of the forward transform in order: the
// two elements and the factor.
func (d decoded) butterflies(f func(stage, x, y int, w uint64)) {
	blocks, stage := 1, 0
	for i, p := range d.passes {
		stride := d.n / blocks >> p
		for s := range p {
			half := 1 << (p - 1 - s)
			for b := range blocks {
				for within := range stride {
					for k := range 1 << (p - 1) {
						e := k%half + k/half*2*half
						at := b*stride<<p + within
						f(stage, at+e*stride, at+(e+half)*stride, d.factor(i, 1<<s+k/half, b))
					}
				}
			}
			stage++
		}
		blocks <<= p
	}
}

// TestTables runs the transforms of the tables in plain arithmetic.
func TestTables(t *testing.T) {
	for _, n := range degrees() {
		for _, r := range []*ntt.Ring{above(n, 3), below(n, 1<<61)} {
			p, q := program(t, r), r.Q()
			rng := rand.New(rand.NewPCG(uint64(n), q))
			a := make([]uint64, n)
			for i := range a {
				a[i] = rng.Uint64N(q)
			}
			want := slices.Clone(a)
			r.ForwardReduced(want, want)
			got := slices.Clone(a)
			decode(t, p.Forward, r).butterflies(func(_, x, y int, w uint64) {
				u, v := got[x], mulMod(got[y], w, q)
				got[x], got[y] = (u+v)%q, (u+q-v)%q
			})
			require.Equal(t, want, got, "forward of %s", r)

			d := decode(t, p.Inverse, r)
			require.Equal(t, q-1, d.unit*uint64(n))
			type step struct {
				stage, x, y int
				w           uint64
			}
			var steps []step
			d.butterflies(func(stage, x, y int, w uint64) { steps = append(steps, step{stage, x, y, w}) })
			for _, s := range slices.Backward(steps) {
				u, v := got[s.x], got[s.y]
				got[s.x], got[s.y] = (u+v)%q, mulMod((u+q-v)%q, s.w, q)
				if s.stage == 0 {
					got[s.x] = mulMod(got[s.x], r.InverseN(), q)
				}
			}
			require.Equal(t, a, got, "inverse of %s", r)
		}
	}
}

// TestBounds follows the ranges that butterflies.h states, in multiples of q,
// through every stage, for every ring at which something changes.
func TestBounds(t *testing.T) {
	for _, n := range degrees() {
		for _, r := range append(boundaries(n), named(t, "pulsar"), named(t, "mldsa"), named(t, "fhe27")) {
			p := program(t, r)
			f := decode(t, p.Forward, r)
			require.Zero(t, f.limit%f.q)
			require.Zero(t, f.lift%f.q)
			h, limit, lift := int64(min(f.headroom(), 1<<62)), int64(f.limit/f.q), int64(f.lift/f.q)
			stages := bits.TrailingZeros(uint(r.N()))
			low, high := int64(0), int64(1) // of every value
			for s := range stages {
				require.True(t, low >= 0 && high <= h, "%s: [%d, %d) before stage %d", r, low, high, s)
				if s == 0 {
					low, high = low+lift, high+lift
				} else if f.settled>>s&1 == 1 {
					require.LessOrEqual(t, high, 2*limit)
					low, high = lift, limit+lift
				}
				if s == stages-1 { // barrett takes any value of a word
					require.True(t, low >= 0 && high <= h)
					break
				}
				// 2x - sum is taken modulo 2^B, of which low and high are within.
				low, high = low-2, high+2
			}
			v := decode(t, p.Inverse, r)
			high = 1
			for s := range stages {
				offset := int64(1) << min(uint64(s), v.cap)
				require.LessOrEqual(t, high, offset, "%s: stage %d", r, s)
				require.LessOrEqual(t, 2*offset, h, "%s: stage %d", r, s)
				high *= 2
				if uint64(s) >= v.cap && s < stages-1 {
					require.LessOrEqual(t, high, 2*offset)
					high = offset
				}
				high = max(high, 2)
			}
			require.LessOrEqual(t, high, int64(r.N()), "%s: what divide takes", r)
		}
	}
}

// encodeWords returns coefficients as words of the device.
func encodeWords(wordBytes int, a []uint64) []byte {
	out := make([]byte, 0, wordBytes*len(a))
	for _, x := range a {
		if wordBytes == 4 {
			out = binary.LittleEndian.AppendUint32(out, uint32(x))
		} else {
			out = binary.LittleEndian.AppendUint64(out, x)
		}
	}
	return out
}

func decodeWords(wordBytes int, b []byte) []uint64 {
	out := make([]uint64, 0, len(b)/wordBytes)
	for ; len(b) > 0; b = b[wordBytes:] {
		if wordBytes == 4 {
			out = append(out, uint64(binary.LittleEndian.Uint32(b)))
		} else {
			out = append(out, binary.LittleEndian.Uint64(b))
		}
	}
	return out
}
