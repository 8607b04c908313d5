package main

import (
	"errors"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseSizes(t *testing.T) {
	powers := []int{1, 4, 16, 64, 256, 1024, 4096, 16384, 65536}
	for list, want := range map[string][]int{
		"7":                                    {7},
		"1,4,16":                               {1, 4, 16},
		" 1 , 4 ,..., 65536 ":                  powers,
		"1,4,...,65536":                        powers,
		"1,2,4,...,64":                         {1, 2, 4, 8, 16, 32, 64},
		"4,6,...,9":                            {4, 6, 9},            // ratio 3/2
		"16,24,...,81":                         {16, 24, 36, 54, 81}, // every term a whole number
		"1,3,...,9":                            {1, 3, 9},            // geometric before arithmetic
		"1,2,...,5":                            {1, 2, 3, 4, 5},      // 5 is no power of two
		"2,4,...,10":                           {2, 4, 6, 8, 10},
		"10,20,...,40":                         {10, 20, 40},
		"10,20,...,50":                         {10, 20, 30, 40, 50},
		"1,4,...,4096,5000":                    {1, 4, 16, 64, 256, 1024, 4096, 5000},
		"1,2,...,4,6,...,12":                   {1, 2, 4, 6, 8, 10, 12}, // 4, 6, 9 misses 12
		"1,2,...,8,12,...,27":                  {1, 2, 4, 8, 12, 18, 27},
		"1,2,...,64":                           {1, 2, 4, 8, 16, 32, 64},
		"1,4,5,...,8":                          {1, 4, 5, 6, 7, 8},
		"536870912,1073741824":                 {1 << 29, 1 << 30},
		"1,32768,...,1073741824":               {1, 1 << 15, 1 << 30},
		"1073741822,1073741823,...,1073741824": {1<<30 - 2, 1<<30 - 1, 1 << 30},
	} {
		got, err := parseSizes(list)
		require.NoError(t, err, list)
		require.Equal(t, want, got, list)
	}
}

func TestParseSizesRefuses(t *testing.T) {
	for list, want := range map[string]error{
		"":                            errSizeSyntax,
		"x":                           errSizeSyntax,
		"1,,2":                        errSizeSyntax,
		"1,2,":                        errSizeSyntax,
		"1.5":                         errSizeSyntax,
		"1, 2, …, 8":                  errSizeSyntax,
		"0x10":                        errSizeSyntax,
		"0":                           errSizeRange,
		"-1":                          errSizeRange,
		"1073741825":                  errSizeRange,
		"99999999999999999999999":     errSizeRange,
		"4,4":                         errSizeOrder,
		"4,2":                         errSizeOrder,
		"1,4,...,4":                   errSizeOrder,
		"1,4,...,2":                   errSizeOrder,
		"...":                         errSizeProgression,
		"...,4":                       errSizeProgression,
		"1,...,4":                     errSizeProgression,
		"1,4,...":                     errSizeProgression,
		"1,4,...,...,16":              errSizeProgression,
		"2,4,...,11":                  errSizeProgression,
		"4,6,...,7":                   errSizeProgression,
		"1,1073741823,...,1073741824": errSizeProgression,
		"1,2,...,65":                  errSizeCount,
		"1,2,...,1000000007":          errSizeCount,
	} {
		_, err := parseSizes(list)
		require.ErrorIs(t, err, want, list)
		var typed *sizesError
		require.ErrorAs(t, err, &typed, list)
		if want == errSizeSyntax {
			require.ErrorContains(t, err, `" is not a number`)
		} else {
			require.ErrorContains(t, err, strconv.Quote(list)+": ")
		}
	}
	sixtyFour, err := parseSizes("1,2,3,...,63,64")
	require.NoError(t, err)
	require.Len(t, sixtyFour, 64)
}

// Whatever is accepted is strictly increasing, within bounds and ends at the last
// number given; nothing panics or runs for ever.
func FuzzParseSizes(f *testing.F) {
	for _, list := range []string{"1,4,...,65536", "4,6,...,9", "1,2,...,1000000007", "...", "1,,2", "3,9,...,81,82"} {
		f.Add(list)
	}
	f.Fuzz(func(t *testing.T, list string) {
		sizes, err := parseSizes(list)
		if err != nil {
			var typed *sizesError
			if !errors.As(err, &typed) || sizes != nil {
				t.Fatalf("%q: %v with %v", list, err, sizes)
			}
			return
		}
		if len(sizes) == 0 || len(sizes) > maxSizes || sizes[0] < 1 || sizes[len(sizes)-1] > maxSize {
			t.Fatalf("%q: %v", list, sizes)
		}
		if !slices.IsSorted(sizes) || len(slices.Compact(slices.Clone(sizes))) != len(sizes) {
			t.Fatalf("%q: %v does not increase", list, sizes)
		}
	})
}
