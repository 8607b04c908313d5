// Kernels of a single helper each, which tests feed with edge pairs: random
// coefficients miss the errors of single carries.
#include "field.h"

namespace crosspoint {

// Probe is the modulus to which helpers are held.
template <typename W> struct Probe {
  W q;
  W negated;    // 2^B - q
  W reciprocal; // floor(2^B/q)
  W unit;       // (q-1)/N
  W log_n;
  W inverse; // q^-1 mod 2^B
};

INLINE Wide wide(ulong lo, ulong hi) {
  Wide s;
  s.lo = lo;
  s.hi = hi;
  return s;
}

} // namespace crosspoint

// PROBE_GROUP is the size of a threadgroup. Of x, y and z element i is for thread
// i; the parameter is their number.
#define PROBE_GROUP 64u

#define PROBE(NAME, W, VALUE)                                                                      \
  [[max_total_threads_per_threadgroup(PROBE_GROUP)]]                                               \
  kernel void probe_##NAME(device W *result [[buffer(0)]], device const W *x [[buffer(1)]],       \
                           device const W *y [[buffer(2)]], device const W *z [[buffer(3)]],     \
                           constant uint *params [[buffer(4)]],                                    \
                           constant crosspoint::Probe<W> &ring [[buffer(5)]],                      \
                           uint3 group [[threadgroup_position_in_grid]],                           \
                           uint local [[thread_index_in_threadgroup]]) {                           \
    const uint i = group.x * PROBE_GROUP + local;                                                  \
    if (i < params[0]) {                                                                           \
      result[i] = crosspoint::VALUE;                                                               \
    }                                                                                              \
  }

#define PROBES(WORDS, W)                                                                           \
  PROBE(high_word_##WORDS, W, high_word(x[i], y[i]))                                               \
  PROBE(shoup_##WORDS, W, shoup(x[i], y[i], z[i], ring.negated))                             \
  PROBE(barrett_##WORDS, W, barrett(x[i], ring.reciprocal, ring.negated))                          \
  PROBE(fold_##WORDS, W, fold(x[i], y[i]))                                                         \
  PROBE(canonical_##WORDS, W, canonical(x[i], ring.q))                                             \
  PROBE(divide_##WORDS, W, divide(x[i], uint(ring.log_n), ring.unit, ring.q))
PROBES(u64, ulong)
PROBES(u32, uint)
PROBE(accumulate_lo, ulong, accumulate(crosspoint::wide(z[i], 1), x[i], y[i]).lo)
PROBE(accumulate_hi, ulong, accumulate(crosspoint::wide(z[i], 1), x[i], y[i]).hi)
PROBE(redc, ulong, redc(crosspoint::wide(x[i], y[i]), ring.q, ring.inverse))
