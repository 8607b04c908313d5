// The operations on coefficients: products, Montgomery form with R = 2^64, and
// products of matrices of rows. Coefficients of 32 bits are computed with as 64.
#include "field.h"

namespace crosspoint {

// Pointwise is what these kernels need to know of their ring, q < 2^61.
struct Pointwise {
  ulong q;
  ulong inverse; // q^-1 mod 2^64
  ulong run;     // how many products may be summed: up to floor(2^64/q)
  ulong log_n;
  Twiddle<ulong> radix; // R mod q
};

// mont returns a*b*R^-1 mod q in [0, q), for a, b in [0, q).
INLINE ulong mont(ulong a, ulong b, constant Pointwise &ring) {
  Wide s;
  s.lo = a * b;
  s.hi = mulhi(a, b);
  return fold(redc(s, ring.q, ring.inverse), ring.q);
}

// into returns x*R mod q in [0, q), for any x.
INLINE ulong into(ulong x, constant Pointwise &ring) {
  return fold(shoup(x, ring.radix.w, ring.radix.quotient, 0 - ring.q), ring.q);
}

// out_of returns x*R^-1 mod q in [0, q), for any x.
INLINE ulong out_of(ulong x, constant Pointwise &ring) {
  Wide s;
  s.lo = x;
  s.hi = 0;
  return fold(redc(s, ring.q, ring.inverse), ring.q);
}

// plus returns a + b mod q in [0, q), for a, b in [0, q).
INLINE ulong plus(ulong a, ulong b, constant Pointwise &ring) { return fold(a + b, ring.q); }

// matmul_element returns coefficient i of C + A*B*R^-1, in [0, q), for matrices
// of rows of N coefficients: C is p0 by p2 of them, A p0 by p1, B p1 by p2.
template <typename T>
INLINE ulong matmul_element(ulong c, device const T *a, device const T *b, uint i, constant uint *params,
                            constant Pointwise &ring) {
  const uint log_n = uint(ring.log_n), inner = params[1], width = params[2];
  const uint at = i & ((1u << log_n) - 1);
  const uint row = (i >> log_n) / width, column = (i >> log_n) % width;
  a += (ulong(row) * inner << log_n) + at;
  b += (ulong(column) << log_n) + at;
  uint done = 0;
  while (done < inner) {
    const uint end = done + min(inner - done, uint(ring.run));
    Wide s;
    s.lo = 0;
    s.hi = 0;
    for (; done < end; done++) {
      s = accumulate(s, ulong(a[ulong(done) << log_n]), ulong(b[ulong(done) * width << log_n]));
    }
    c = plus(c, fold(redc(s, ring.q, ring.inverse), ring.q), ring);
  }
  return c;
}

} // namespace crosspoint

// POINTWISE_GROUP is the size of a threadgroup; a thread makes one coefficient.
#define POINTWISE_GROUP 256u

// The entry points. Buffer 0 is the result, then come the factors if there are
// two, the parameters and the ring. The parameters are the number of coefficients
// and the first of them; of the matrix product they are its three dimensions.
#define THREAD                                                                                     \
  uint3 group [[threadgroup_position_in_grid]], uint3 grid [[threadgroups_per_grid]],              \
      uint local [[thread_index_in_threadgroup]]
#define INDEX ((group.x + group.y * grid.x) * POINTWISE_GROUP + local)

#define UNARY(NAME, T, VALUE)                                                                      \
  [[max_total_threads_per_threadgroup(POINTWISE_GROUP)]]                                           \
  kernel void NAME(device T *result [[buffer(0)]], constant uint *params [[buffer(1)]],            \
                   constant crosspoint::Pointwise &ring [[buffer(2)]], THREAD) {                   \
    const uint i = INDEX;                                                                          \
    if (i < params[0]) {                                                                           \
      const uint k = params[1] + i;                                                                \
      const ulong x = result[k];                                                                   \
      result[k] = T(VALUE);                                                                        \
    }                                                                                              \
  }

#define BINARY(NAME, T, VALUE)                                                                     \
  [[max_total_threads_per_threadgroup(POINTWISE_GROUP)]]                                           \
  kernel void NAME(device T *result [[buffer(0)]], device const T *a [[buffer(1)]],                \
                   device const T *b [[buffer(2)]], constant uint *params [[buffer(3)]],           \
                   constant crosspoint::Pointwise &ring [[buffer(4)]], THREAD) {                   \
    const uint i = INDEX;                                                                          \
    if (i < params[0]) {                                                                           \
      const uint k = params[1] + i;                                                                \
      const ulong p = crosspoint::mont(a[k], b[k], ring);                                          \
      result[k] = T(VALUE);                                                                        \
    }                                                                                              \
  }

#define MATRIX(NAME, T)                                                                            \
  [[max_total_threads_per_threadgroup(POINTWISE_GROUP)]]                                           \
  kernel void NAME(device T *result [[buffer(0)]], device const T *a [[buffer(1)]],                \
                   device const T *b [[buffer(2)]], constant uint *params [[buffer(3)]],           \
                   constant crosspoint::Pointwise &ring [[buffer(4)]], THREAD) {                   \
    const uint i = INDEX;                                                                          \
    if (i < (params[0] * params[2]) << uint(ring.log_n)) {                                         \
      result[i] = T(crosspoint::matmul_element(result[i], a, b, i, params, ring));                 \
    }                                                                                              \
  }

#define POINTWISE(WORDS, T)                                                                        \
  BINARY(mul_##WORDS, T, crosspoint::into(p, ring))                                                \
  BINARY(mul_add_##WORDS, T, crosspoint::plus(result[k], crosspoint::into(p, ring), ring))         \
  BINARY(mul_mont_##WORDS, T, p)                                                                   \
  BINARY(mul_add_mont_##WORDS, T, crosspoint::plus(result[k], p, ring))                            \
  UNARY(mform_##WORDS, T, crosspoint::into(x, ring))                                               \
  UNARY(imform_##WORDS, T, crosspoint::out_of(x, ring))                                            \
  MATRIX(matmul_add_mont_##WORDS, T)
POINTWISE(u64, ulong)
POINTWISE(u32, uint)
