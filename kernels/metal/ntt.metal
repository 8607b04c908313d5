// The negacyclic transform and its inverse, for N from 8 to 4,096.
//
// A transform keeps a row in the registers of a team of threads, up to 16
// coefficients each. A pass is a run of up to four stages over elements at a
// distance, which a thread holds; between two passes values cross through
// threadgroup memory. For N = 256 that is 16 threads, two passes and one
// exchange. Every thread of a group reaches every barrier, with or without a row.
//
// A butterfly of 64 bits is five instructions forward (umulh, madd, madd, lsl, sub)
// and six backward (add, sub, add, umulh, mul, madd), as clang 14 -O2 has it for
// AArch64: at the costs that are published for Apple's GPUs 59 and 68 cycles of a
// lane, where a Shoup product with its additions by themselves is 73. A thread of
// N = 256 multiplies 208 and 200 times in its 64 butterflies, of which three each
// are the product's. README.md has the rest of the account.
#include "butterflies.h"

namespace crosspoint {

// Element e of a row has its slot in threadgroup memory. Lanes that read adjacent
// blocks would meet in one bank, so that a word of padding follows every 2^LAST
// words, a block of the last pass. At 4,096 words of 64 bits, which leave no room,
// slots are permuted in runs of 16 instead.
template <uint N, uint LAST, typename W> INLINE uint slot(uint e) {
  return N * sizeof(W) == 32768 ? e ^ ((e >> 4) & 15u) : e + (e >> LAST);
}
template <uint N, uint LAST, typename W> INLINE uint slots() {
  return N * sizeof(W) == 32768 ? N : N + (N >> LAST);
}

// GROUP_TARGET is the size of a threadgroup as far as one row does not need more.
#define GROUP_TARGET 64u

template <uint N, uint A> INLINE uint teams() {
  return (N >> A) < GROUP_TARGET ? GROUP_TARGET / (N >> A) : 1u;
}

// gather reads elements at distance 2^LOG_S from element e on.
template <uint N, uint LAST, uint BITS, uint LOG_S, typename W>
INLINE void gather(thread W *r, threadgroup const W *exchange, uint e) {
#pragma unroll
  for (uint k = 0; k < 1u << BITS; k++) {
    r[k] = exchange[slot<N, LAST, W>(e + (k << LOG_S))];
  }
}

template <uint N, uint LAST, uint BITS, uint LOG_S, typename W>
INLINE void scatter(thread const W *r, threadgroup W *exchange, uint e) {
#pragma unroll
  for (uint k = 0; k < 1u << BITS; k++) {
    exchange[slot<N, LAST, W>(e + (k << LOG_S))] = r[k];
  }
}

// Place is where a thread works: which row of the data, if there is one, and
// as which of its team.
struct Place {
  bool live;
  uint row;
  uint team; // of the threadgroup
  uint i;    // of the team
};

template <uint N, uint A> INLINE Place place(constant uint *params, uint group, uint local) {
  Place p;
  p.team = local / (N >> A);
  p.i = local % (N >> A);
  const uint index = group * teams<N, A>() + p.team;
  p.live = index < params[0];
  p.row = p.live ? params[1] + index : 0;
  return p;
}

// load reads coefficients of a row at distance 2^LOG_S; where there is no row,
// zeros: the thread goes on, because every thread must reach the barriers.
template <uint BITS, uint LOG_S, typename W, typename T>
INLINE void load(thread W *r, device const T *row, uint e, bool live) {
#pragma unroll
  for (uint k = 0; k < 1u << BITS; k++) {
    r[k] = live ? W(row[e + (k << LOG_S)]) : W(0);
  }
}

template <uint BITS, uint LOG_S, typename W, typename T>
INLINE void store(thread const W *r, device T *row, uint e, bool live) {
  if (live) {
#pragma unroll
    for (uint k = 0; k < 1u << BITS; k++) {
      row[e + (k << LOG_S)] = T(r[k]);
    }
  }
}

// block_of and element return the block of a pass on which item i works, and its
// first element.
template <uint LOG_S> INLINE uint block_of(uint i) { return i >> LOG_S; }
template <uint BITS, uint LOG_S> INLINE uint element(uint i) {
  return (block_of<LOG_S>(i) << (BITS + LOG_S)) + (i & ((1u << LOG_S) - 1));
}

// A transform of 2^(A+B+C) coefficients has passes of A, B and C stages, or of A
// and B where C is 0. In the table the factors of B come before those of C.
#define SHAPE                                                                                      \
  constexpr uint LOG_N = A + B + C;                                                                \
  constexpr uint N = 1u << LOG_N;                                                                  \
  constexpr uint LAST = C > 0 ? C : B;                                                             \
  constexpr uint TEAM = N >> A;

template <uint A, uint B, uint C, typename W, typename T>
INLINE void forward(device T *data, device const Twiddle<W> *table, constant uint *params,
                    constant Transform<W> &ring, threadgroup W *shared, uint group, uint local) {
  SHAPE
  const Place p = place<N, A>(params, group, local);
  device T *row = data + ulong(p.row) * N;
  threadgroup W *exchange = shared + p.team * slots<N, LAST, W>();
  W r[1u << A];
  load<A, LOG_N - A>(r, row, p.i, p.live);
  stages<A, 0, LOG_N>(r, ring.first, 1, ring);
  scatter<N, LAST, A, LOG_N - A>(r, exchange, p.i);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (C > 0) {
    for (uint i = p.i; i < N >> B; i += TEAM) {
      const uint e = element<B, C>(i);
      gather<N, LAST, B, C>(r, exchange, e);
      stages<B, A, LOG_N>(r, table + block_of<C>(i), 1u << A, ring);
      scatter<N, LAST, B, C>(r, exchange, e);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    table += ((1u << B) - 1) << A;
  }
  for (uint i = p.i; i < N >> LAST; i += TEAM) {
    gather<N, LAST, LAST, 0>(r, exchange, i << LAST);
    stages<LAST, LOG_N - LAST, LOG_N>(r, table + i, N >> LAST, ring);
    store<LAST, 0>(r, row, i << LAST, p.live);
  }
}

template <uint A, uint B, uint C, typename W, typename T>
INLINE void inverse(device T *data, device const Twiddle<W> *table, constant uint *params,
                    constant Transform<W> &ring, threadgroup W *shared, uint group, uint local) {
  SHAPE
  const Place p = place<N, A>(params, group, local);
  device T *row = data + ulong(p.row) * N;
  threadgroup W *exchange = shared + p.team * slots<N, LAST, W>();
  device const Twiddle<W> *last = table + (C > 0 ? ((1u << B) - 1) << A : 0);
  W r[1u << A];
  for (uint i = p.i; i < N >> LAST; i += TEAM) {
    load<LAST, 0>(r, row, i << LAST, p.live);
    inverse_stages<LAST, 0, LOG_N>(r, last + i, N >> LAST, ring);
    scatter<N, LAST, LAST, 0>(r, exchange, i << LAST);
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (C > 0) {
    for (uint i = p.i; i < N >> B; i += TEAM) {
      const uint e = element<B, C>(i);
      gather<N, LAST, B, C>(r, exchange, e);
      inverse_stages<B, C, LOG_N>(r, table + block_of<C>(i), 1u << A, ring);
      scatter<N, LAST, B, C>(r, exchange, e);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  gather<N, LAST, A, LOG_N - A>(r, exchange, p.i);
  inverse_stages<A, LOG_N - A, LOG_N>(r, ring.first, 1, ring);
  store<A, LOG_N - A>(r, row, p.i, p.live);
}

// The transforms of rows that a single thread holds.
template <uint A, typename W, typename T>
INLINE void forward_alone(device T *data, constant uint *params, constant Transform<W> &ring, uint group, uint local) {
  const Place p = place<(1u << A), A>(params, group, local);
  device T *row = data + ulong(p.row << A);
  W r[1u << A];
  load<A, 0>(r, row, 0, p.live);
  stages<A, 0, A>(r, ring.first, 1, ring);
  store<A, 0>(r, row, 0, p.live);
}

template <uint A, typename W, typename T>
INLINE void inverse_alone(device T *data, constant uint *params, constant Transform<W> &ring, uint group, uint local) {
  const Place p = place<(1u << A), A>(params, group, local);
  device T *row = data + ulong(p.row << A);
  W r[1u << A];
  load<A, 0>(r, row, 0, p.live);
  inverse_stages<A, 0, A>(r, ring.first, 1, ring);
  store<A, 0>(r, row, 0, p.live);
}

} // namespace crosspoint

// The entry points. Buffer 0 is the data, 1 the table, 2 the parameters: the
// number of rows and the first of them; 3 is the ring. GROUP is the size of a
// threadgroup, which the compiler keeps possible however many registers it takes.
#define ENTRY(NAME, T, W, GROUP, ...)                                                              \
  [[max_total_threads_per_threadgroup(GROUP)]]                                                     \
  kernel void NAME(device T *data [[buffer(0)]],                                                   \
                   device const crosspoint::Twiddle<W> *table [[buffer(1)]],                       \
                   constant uint *params [[buffer(2)]],                                            \
                   constant crosspoint::Transform<W> &ring [[buffer(3)]],                          \
                   threadgroup W *shared [[threadgroup(0)]],                                       \
                   uint3 group [[threadgroup_position_in_grid]],                                   \
                   uint3 grid [[threadgroups_per_grid]],                                           \
                   uint local [[thread_index_in_threadgroup]]) {                                   \
    const uint index = group.x + group.y * grid.x;                                                 \
    crosspoint::__VA_ARGS__;                                                                       \
  }

// TRANSFORMS gives the entries of a degree. Coefficients of 64 bits are words of
// arithmetic, too; of 32 bits they are so where 8q <= 2^32, else they are
// computed with as 64 bits: those entries end in _w.
#define TRANSFORMS(N, ...)                                                                         \
  FORWARD(forward_##N##_u64, ulong, ulong, __VA_ARGS__)                                            \
  INVERSE(inverse_##N##_u64, ulong, ulong, __VA_ARGS__)                                            \
  FORWARD(forward_##N##_u32, uint, uint, __VA_ARGS__)                                              \
  INVERSE(inverse_##N##_u32, uint, uint, __VA_ARGS__)                                              \
  FORWARD(forward_##N##_u32_w, uint, ulong, __VA_ARGS__)                                           \
  INVERSE(inverse_##N##_u32_w, uint, ulong, __VA_ARGS__)

#define FORWARD(NAME, T, W, GROUP, ...)                                                            \
  ENTRY(NAME, T, W, GROUP, forward<__VA_ARGS__>(data, table, params, ring, shared, index, local))
#define INVERSE(NAME, T, W, GROUP, ...)                                                            \
  ENTRY(NAME, T, W, GROUP, inverse<__VA_ARGS__>(data, table, params, ring, shared, index, local))
TRANSFORMS(32, 64, 3, 2, 0)
TRANSFORMS(64, 64, 3, 3, 0)
TRANSFORMS(128, 64, 4, 3, 0)
TRANSFORMS(256, 64, 4, 4, 0)
TRANSFORMS(512, 64, 3, 3, 3)
TRANSFORMS(1024, 64, 4, 3, 3)
TRANSFORMS(2048, 128, 4, 4, 3)
TRANSFORMS(4096, 256, 4, 4, 4)
#undef FORWARD
#undef INVERSE

#define FORWARD(NAME, T, W, GROUP, A)                                                              \
  ENTRY(NAME, T, W, GROUP, forward_alone<A>(data, params, ring, index, local))
#define INVERSE(NAME, T, W, GROUP, A)                                                              \
  ENTRY(NAME, T, W, GROUP, inverse_alone<A>(data, params, ring, index, local))
TRANSFORMS(8, 64, 3)
TRANSFORMS(16, 64, 4)
#undef FORWARD
#undef INVERSE
