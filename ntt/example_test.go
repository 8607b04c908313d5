package ntt_test

import (
	"errors"
	"fmt"

	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// A batch of two polynomials of Z_17[X]/(X^8+1), transformed and back.
func ExampleRing_Forward() {
	ring, err := ntt.NewRing(8, 17)
	if err != nil {
		fmt.Println(err)
		return
	}
	batch := []uint64{
		1, 0, 0, 0, 0, 0, 0, 0, // 1
		0, 1, 0, 0, 0, 0, 0, 0, // X: its transform lists the roots of X^8+1
	}
	if err := ring.Forward(batch, batch); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(batch[:8])
	fmt.Println(batch[8:])
	if err := ring.Inverse(batch, batch); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(batch)
	// Output:
	// [1 1 1 1 1 1 1 1]
	// [3 14 5 12 10 7 11 6]
	// [1 0 0 0 0 0 0 0 0 1 0 0 0 0 0 0]
}

// The product of two polynomials modulo X^8+1: transform, multiply coefficient
// by coefficient, and transform back. X^5 times X^4 is X^9 = -X.
func Example_product() {
	ring, err := ntt.NewRing(8, 17)
	if err != nil {
		fmt.Println(err)
		return
	}
	a := []uint64{0, 0, 0, 0, 0, 1, 0, 0} // X^5
	b := []uint64{2, 0, 0, 0, 1, 0, 0, 0} // X^4 + 2
	err = errors.Join(
		ring.Forward(a, a),
		ring.Forward(b, b),
		ring.Mul(a, a, b),
		ring.Inverse(a, a),
	)
	fmt.Println(a, err)
	// Output: [0 16 0 0 0 2 0 0] <nil>
}

// Rings have names, or are given by degree and modulus.
func ExampleParse() {
	for _, text := range []string{"pulsar", "256, 8380417", "512, 0x1000000004A01", "saturn"} {
		ring, err := ntt.Parse(text)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Printf("N=%d q=%#x psi=%#x\n", ring.N(), ring.Q(), ring.Psi())
	}
	// Output:
	// N=256 q=0x1000000004a01 psi=0xa58a46cdd563
	// N=256 q=0x7fe001 psi=0x1d53ca
	// ntt: ring N=512 q=281474976729601: modulus is not 1 modulo 2N, so no primitive 2N-th root of unity exists
	// ntt: "saturn" is neither a known ring nor N,q[,psi]; known rings: pulsar, mldsa, fhe27
}

// A coefficient that is out of range is named by its place.
func ExampleRangeError() {
	ring, err := ntt.NewRing(8, 17)
	if err != nil {
		fmt.Println(err)
		return
	}
	batch := make([]uint64, 3*ring.N())
	batch[20] = 17
	err = ring.Forward(batch, batch)
	fmt.Println(err)
	var bad *ntt.RangeError
	fmt.Println(errors.As(err, &bad), errors.Is(err, ntt.ErrRange), bad.Row, bad.Index)
	// Output:
	// ntt: src: coefficient 4 of row 2 is not in [0, q)
	// true true 2 4
}
