package amd64

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWordBounds follows the range of the true values through every stage, for
// moduli of every size and those where the number of stages between folds
// changes.
func TestWordBounds(t *testing.T) {
	for _, c := range []struct {
		word, bits uint
		grow       uint // multiples of q
	}{{52, 50, 1}, {32, 29, 2}} {
		qs := []uint64{3, 5, 17, 257, 8380417}
		for b := uint(3); b <= c.bits; b++ {
			qs = append(qs, 1<<b-1, 1<<(b-1)+1)
		}
		for k := uint64(5); k < 100; k++ { // where k times q just fits and just does not
			qs = append(qs, 1<<c.word/k|1, (1<<c.word/k+1)|1, (1<<c.word/k-1)|1)
		}
		for _, q := range qs {
			if q >= 1<<c.bits {
				continue
			}
			for stages := 3; stages <= 16; stages++ {
				bias, folds := wordBounds(q, stages, c.word, uint64(c.grow)*q)
				follow(t, q, c.word, c.grow, bias, folds)
			}
		}
	}
	require.Equal(t, []uint64{0, 0, 0, 0, 0, 0, 0, 0x1000000004A01}, second(wordBounds(0x1000000004A01, 8, 52, 0x1000000004A01)))
}

func second(_ uint64, folds []uint64) []uint64 { return folds }

func follow(t *testing.T, q uint64, word, grow uint, bias uint64, folds []uint64) {
	t.Helper()
	limit := new(big.Int).Lsh(big.NewInt(1), word)
	half := new(big.Int).Rsh(limit, 1)
	n := func(x uint64) *big.Int { return new(big.Int).SetUint64(x) }
	g := new(big.Int).Mul(n(q), n(uint64(grow)))
	step := n(foldStep(q, word))
	low, high := n(bias), new(big.Int).Add(n(bias), n(q-1))
	require.Zero(t, bias%q)
	for s, f := range folds {
		require.Zero(t, f%q)
		if f != 0 {
			// Below half nothing is taken; from half on the step is.
			top := new(big.Int).Sub(half, big.NewInt(1))
			if x := new(big.Int).Sub(high, step); x.Cmp(top) > 0 {
				top = x
			}
			require.LessOrEqual(t, step.Cmp(half), 0)
			low, high = n(f), top.Add(top, n(f))
		}
		low.Sub(low, g)
		high.Add(high, g)
		require.GreaterOrEqual(t, low.Sign(), 0, "q=%d stage %d of %d", q, s, len(folds))
		require.Negative(t, high.Cmp(limit), "q=%d stage %d of %d", q, s, len(folds))
	}
}

func TestFloatBounds(t *testing.T) {
	for b := uint(3); b <= 50; b++ {
		q := uint64(1)<<b - 1
		_, folds := floatBounds(q, 16)
		high := q
		for _, f := range folds {
			if f != 0 {
				high = q
			}
			high += q
			require.LessOrEqual(t, high, uint64(1<<52))
		}
	}
}
