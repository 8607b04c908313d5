package keccak_test

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/crosspoint-kernels/crosspoint/keccak"
)

func ExampleSum256() {
	fmt.Printf("%x\n", keccak.Sum256([]byte("abc")))
	// Output: 4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45
}

func ExampleSHAKE128() {
	var out [8]byte
	keccak.SHAKE128(out[:], []byte("abc"))
	fmt.Printf("%x\n", out)
	// Output: 5881092dd818bf5c
}

func ExampleState() {
	var s keccak.State
	s.Write([]byte("a"))
	s.Write([]byte("bc"))
	fmt.Println(s.Sum256() == keccak.Sum256([]byte("abc")))
	// Output: true
}

func ExampleXOF() {
	x := keccak.NewSHAKE128()
	io.WriteString(x, "abc")
	var out [4]byte
	x.Read(out[:])
	fmt.Printf("%x\n", out)
	x.Read(out[:])
	fmt.Printf("%x\n", out)
	// Output:
	// 5881092d
	// d818bf5c
}

func ExampleHasher() {
	h := keccak.NewParallel(0)
	defer h.Close()

	var m keccak.Messages
	for _, s := range []string{"", "abc"} {
		if err := m.Append([]byte(s)); err != nil {
			fmt.Println(err)
		}
	}
	digests := make([][32]byte, m.Len())
	if err := h.Sum256(context.Background(), digests, m); err != nil {
		fmt.Println(err)
	}
	for _, d := range digests {
		fmt.Printf("%x\n", d[:8])
	}
	// Output:
	// c5d2460186f7233c
	// 4e03657aea45a94f
}

func ExampleError() {
	err := keccak.Scalar().SumFixed(context.Background(), make([][32]byte, 2), make([]byte, 65), 32)
	var e *keccak.Error
	fmt.Println(errors.As(err, &e), errors.Is(err, keccak.ErrShape))
	fmt.Println(err)
	// Output:
	// true true
	// keccak: sumfixed: keccak: data: length 65 is no multiple of width 32
}
