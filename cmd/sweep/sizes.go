package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Why a list of sizes is refused. A *sizesError wraps one of them.
var (
	errSizeSyntax      = errors.New("not a number")
	errSizeRange       = errors.New("not a size from 1 to 1073741824")
	errSizeOrder       = errors.New("sizes must increase")
	errSizeProgression = errors.New("... needs two numbers before it and a last one that they lead to")
	errSizeCount       = errors.New("more than 64 sizes")
)

const (
	maxSize  = 1 << 30
	maxSizes = 64
	dots     = "..."
)

// progressionUsage explains lists of sizes after the description of a flag, which
// it continues on a line of its own.
const progressionUsage = ";\na,b,...,z goes on by factor, else by difference"

// sizesError says which part of a list of sizes is wrong and, through errors.Is,
// in what way.
type sizesError struct {
	list   string
	detail string
	err    error
}

func (e *sizesError) Error() string {
	if e.err == errSizeSyntax {
		return e.detail + " is " + e.err.Error()
	}
	return fmt.Sprintf("%s: %v: %s", strconv.Quote(e.list), e.err, e.detail)
}

func (e *sizesError) Unwrap() error { return e.err }

// parseSizes reads strictly increasing sizes such as 1,4,...,65536. A literal
// ... continues the progression of the two numbers before it to the number after
// it: geometric where that hits the number exactly, else arithmetic where that
// does, else the list is refused. There are at most 64 sizes, each from 1 to 2^30.
func parseSizes(list string) ([]int, error) {
	refuse := func(err error, format string, args ...any) ([]int, error) {
		return nil, &sizesError{list, fmt.Sprintf(format, args...), err}
	}
	var sizes []int
	continued := false
	for _, field := range strings.Split(list, ",") {
		field = strings.TrimSpace(field)
		if field == dots {
			if continued || len(sizes) < 2 {
				return refuse(errSizeProgression, "after %s", count(len(sizes)))
			}
			continued = true
			continue
		}
		n, err := strconv.Atoi(field)
		switch {
		case errors.Is(err, strconv.ErrSyntax):
			return refuse(errSizeSyntax, "%q", field)
		case err != nil || n < 1 || n > maxSize:
			return refuse(errSizeRange, "%s", field)
		case len(sizes) > 0 && n <= sizes[len(sizes)-1]:
			return refuse(errSizeOrder, "%d after %d", n, sizes[len(sizes)-1])
		}
		if continued {
			a, b := sizes[len(sizes)-2], sizes[len(sizes)-1]
			between, ok := progression(a, b, n)
			if !ok {
				return refuse(errSizeProgression, "%d,%d leads to %d neither by factor nor by difference", a, b, n)
			}
			sizes = append(sizes, between...)
			continued = false
		}
		if sizes = append(sizes, n); len(sizes) > maxSizes {
			return refuse(errSizeCount, "at %d", n)
		}
	}
	if continued {
		return refuse(errSizeProgression, "nothing follows it")
	}
	return sizes, nil
}

func count(n int) string {
	if n == 1 {
		return "1 number"
	}
	return strconv.Itoa(n) + " numbers"
}

// progression returns the terms strictly between b and last of the geometric
// progression a, b, ... that hits last, else of the arithmetic one, for
// 0 < a < b < last <= maxSize. Of more terms than a list may have it returns as
// many as are too many.
func progression(a, b, last int) ([]int, bool) {
	if terms, ok := geometric(a, b, last); ok {
		return terms, true
	}
	step := b - a
	if (last-b)%step != 0 {
		return nil, false
	}
	var terms []int
	for x := b + step; x < last && len(terms) < maxSizes; x += step {
		terms = append(terms, x)
	}
	return terms, true
}

// geometric has at most 30 terms: a step by a factor r/s in lowest terms takes a
// factor s out of the term, so either s is 1 or the terms soon are no whole numbers.
func geometric(a, b, last int) ([]int, bool) {
	var terms []int
	x := uint64(b)
	for {
		product := x * uint64(b) // both at most 2^30
		x = product / uint64(a)
		if product%uint64(a) != 0 || x > uint64(last) {
			return nil, false
		}
		if x == uint64(last) {
			return terms, true
		}
		terms = append(terms, int(x))
	}
}
