// The stages of a transform on the registers of one thread.
#ifndef CROSSPOINT_BUTTERFLIES_H
#define CROSSPOINT_BUTTERFLIES_H

#include "field.h"

namespace crosspoint {

// Transform is what a transform needs to know of its ring, besides the table.
template <typename W> struct Transform {
  W q;
  W negated;    // 2^B - q
  W reciprocal; // floor(2^B/q)

  // Forward: bit s of settled says that stage s is preceded by a reduction of
  // its first operands from [0, 2*limit) to [0, limit), after which lift, or
  // before the first stage lift alone, keeps the differences of the stages up to
  // the next reduction from becoming negative.
  W settled;
  W limit;
  W lift;

  // Inverse: values stay below q << cap, which is at most a quarter of 2^B.
  W cap;
  W unit; // (q-1)/N

  // The factors of the pass over the whole row, from number 1 on; that of the
  // inverse's last stage includes 1/N.
  Twiddle<W> first[15];
};

// butterflies runs a stage of the forward transform on a thread's registers: on
// x and y = 2^(BITS-1-STAGE) further, x + w*y and x - w*y. GLOBAL is the stage's
// number in the row. Twiddle k of the pass is at (k-1)*step.
template <uint BITS, uint STAGE, uint GLOBAL, bool LAST, typename W, typename Factors>
INLINE void butterflies(thread W *r, Factors factors, uint step, constant Transform<W> &ring) {
  const uint log_d = BITS - 1 - STAGE;
  if (GLOBAL == 0 || ((ring.settled >> GLOBAL) & 1) != 0) {
#pragma unroll
    for (uint k = 0; k < 1u << (BITS - 1); k++) {
      const uint x = k + ((k >> log_d) << log_d);
      r[x] = (GLOBAL == 0 ? r[x] : fold(r[x], ring.limit)) + ring.lift;
    }
  }
#pragma unroll
  for (uint k = 0; k < 1u << (BITS - 1); k++) {
    const uint x = k + ((k >> log_d) << log_d);
    const uint y = x + (1u << log_d);
    const uint factor = ((1u << STAGE) + (k >> log_d) - 1) * step;
    const W w = factors[factor].w;
    const W quotient = factors[factor].quotient;
    if (LAST) {
      const W u = barrett(r[x], ring.reciprocal, ring.negated);
      const W t = shoup(r[y], w, quotient, ring.negated);
      r[x] = canonical(u + t, ring.q);
      r[y] = canonical(u + (2 * ring.q - t), ring.q);
    } else {
      // x - t as 2x - (x + t): the sum takes the two multiplications' additions.
      const W sum = r[x] + r[y] * w + high_word(r[y], quotient) * ring.negated;
      r[y] = 2 * r[x] - sum;
      r[x] = sum;
    }
  }
}

// inverse_butterflies runs a stage of the inverse: on x and y, x + y and
// w*(x - y). GLOBAL counts the stages in the order in which they run. The last one
// divides by N.
template <uint BITS, uint STAGE, uint GLOBAL, uint LOG_N, typename W, typename Factors>
INLINE void inverse_butterflies(thread W *r, Factors factors, uint step, constant Transform<W> &ring) {
  const uint log_d = BITS - 1 - STAGE;
  const bool settle = GLOBAL >= ring.cap;
  const W offset = ring.q << (settle ? ring.cap : W(GLOBAL)); // the bound of x and y
#pragma unroll
  for (uint k = 0; k < 1u << (BITS - 1); k++) {
    const uint x = k + ((k >> log_d) << log_d);
    const uint y = x + (1u << log_d);
    const uint factor = ((1u << STAGE) + (k >> log_d) - 1) * step;
    const W w = factors[factor].w;
    const W quotient = factors[factor].quotient;
    const W sum = r[x] + r[y];
    const W t = shoup(r[x] + (offset - r[y]), w, quotient, ring.negated);
    if (GLOBAL == LOG_N - 1) {
      r[x] = fold(divide(sum, LOG_N, ring.unit, ring.q), ring.q);
      r[y] = fold(t, ring.q);
    } else {
      r[x] = sum;
      r[y] = t;
    }
  }
  if (GLOBAL < LOG_N - 1 && settle) {
#pragma unroll
    for (uint k = 0; k < 1u << (BITS - 1); k++) {
      const uint x = k + ((k >> log_d) << log_d);
      r[x] = fold(r[x], offset);
    }
  }
}

// stages runs the stages of a pass, of which the first is number FROM of LOG_N.
template <uint BITS, uint FROM, uint LOG_N, typename W, typename Factors>
INLINE void stages(thread W *r, Factors factors, uint step, constant Transform<W> &ring) {
  butterflies<BITS, 0, FROM, false>(r, factors, step, ring);
  butterflies<BITS, 1, FROM + 1, FROM + 2 == LOG_N>(r, factors, step, ring);
  if (BITS > 2) {
    butterflies<BITS, (BITS > 2 ? 2 : 0), FROM + 2, FROM + 3 == LOG_N>(r, factors, step, ring);
  }
  if (BITS > 3) {
    butterflies<BITS, (BITS > 3 ? 3 : 0), FROM + 3, FROM + 4 == LOG_N>(r, factors, step, ring);
  }
}

template <uint BITS, uint FROM, uint LOG_N, typename W, typename Factors>
INLINE void inverse_stages(thread W *r, Factors factors, uint step, constant Transform<W> &ring) {
  if (BITS > 3) {
    inverse_butterflies<BITS, (BITS > 3 ? 3 : 0), FROM, LOG_N>(r, factors, step, ring);
  }
  if (BITS > 2) {
    inverse_butterflies<BITS, (BITS > 2 ? 2 : 0), FROM + BITS - 3, LOG_N>(r, factors, step, ring);
  }
  inverse_butterflies<BITS, 1, FROM + BITS - 2, LOG_N>(r, factors, step, ring);
  inverse_butterflies<BITS, 0, FROM + BITS - 1, LOG_N>(r, factors, step, ring);
}

} // namespace crosspoint

#endif
