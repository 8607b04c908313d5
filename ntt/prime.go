package ntt

import "math/bits"

// mulMod returns a*b mod q for a, b in [0, q) and any q > 0. It divides, so it
// is for set-up only.
func mulMod(a, b, q uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	_, r := bits.Div64(hi, lo, q)
	return r
}

// powMod returns a^e mod q for a in [0, q) and q > 1. Its time depends on e.
func powMod(a, e, q uint64) uint64 {
	r := uint64(1)
	for ; e > 0; e >>= 1 {
		if e&1 == 1 {
			r = mulMod(r, a, q)
		}
		a = mulMod(a, a, q)
	}
	return r
}

// isPrime decides primality of any 64-bit n by Miller-Rabin with the first
// twelve primes as bases, which is deterministic below 3.3e24 (Sorenson and
// Webster, "Strong pseudoprimes to twelve prime bases", 2015).
func isPrime(n uint64) bool {
	bases := [...]uint64{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37}
	if n < 2 {
		return false
	}
	for _, p := range bases {
		if n%p == 0 {
			return n == p
		}
	}
	s := bits.TrailingZeros64(n - 1)
	d := (n - 1) >> s
	for _, a := range bases {
		if !strongProbablePrime(a, d, s, n) {
			return false
		}
	}
	return true
}

// strongProbablePrime runs one Miller-Rabin round for n-1 = d*2^s, d odd.
func strongProbablePrime(a, d uint64, s int, n uint64) bool {
	x := powMod(a, d, n)
	if x == 1 || x == n-1 {
		return true
	}
	for range s - 1 {
		x = mulMod(x, x, n)
		if x == n-1 {
			return true
		}
	}
	return false
}

// primeFactors returns the distinct prime factors of n > 1, in no fixed order.
func primeFactors(n uint64) []uint64 {
	var fs []uint64
	for _, p := range []uint64{2, 3, 5, 7, 11, 13} {
		if n%p == 0 {
			fs = append(fs, p)
			for n%p == 0 {
				n /= p
			}
		}
	}
	todo := []uint64{n}
	for len(todo) > 0 {
		m := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		switch {
		case m == 1:
		case isPrime(m):
			fs = appendNew(fs, m)
		default:
			d := pollardRho(m)
			todo = append(todo, d, m/d)
		}
	}
	return fs
}

func appendNew(fs []uint64, p uint64) []uint64 {
	for _, f := range fs {
		if f == p {
			return fs
		}
	}
	return append(fs, p)
}

// pollardRho returns a proper factor of a composite n (Pollard 1975, with
// Floyd's cycle search). It tries polynomials x^2+c in turn, so it ends.
func pollardRho(n uint64) uint64 {
	for c := uint64(1); ; c++ {
		step := func(x uint64) uint64 {
			x = mulMod(x, x, n)
			// x + c without overflow: both are below n < 2^64.
			if x >= n-c {
				return x - (n - c)
			}
			return x + c
		}
		x, y, d := uint64(2), uint64(2), uint64(1)
		for d == 1 {
			x, y = step(x), step(step(y))
			d = gcd(max(x, y)-min(x, y), n)
		}
		if d != n {
			return d
		}
	}
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// primitiveRoot returns the smallest g >= 3 that generates the whole
// multiplicative group modulo the prime q > 3. Lattigo starts its search at 3
// as well (ring/subring.go), which is what makes the roots, and so the outputs,
// the same; libraries that look for the smallest 2N-th root differ.
func primitiveRoot(q uint64) uint64 {
	factors := primeFactors(q - 1)
	for g := uint64(3); ; g++ {
		full := true
		for _, f := range factors {
			if powMod(g, (q-1)/f, q) == 1 {
				full = false
				break
			}
		}
		if full {
			return g
		}
	}
}
