package backends_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/crosspoint-kernels/crosspoint/backends"
	_ "github.com/crosspoint-kernels/crosspoint/backends/cpu"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// Open a backend by name, plan a ring on it, transform a batch.
func Example() {
	b, err := backends.Open("cpu", backends.Options{Workers: 2})
	if err != nil {
		log.Fatal(err)
	}
	defer b.Close()

	ring, err := ntt.Parse("pulsar") // Z_q[X]/(X^256+1), q = 2^48+18945
	if err != nil {
		log.Fatal(err)
	}
	plan, err := b.NTT(ring)
	if err != nil {
		log.Fatal(err)
	}
	defer plan.Close()

	// Four polynomials in one flat slice; the second is X.
	batch := make([]uint64, 4*ring.N())
	batch[ring.N()+1] = 1
	ctx := context.Background()
	if err := plan.Forward(ctx, batch, batch); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("X at psi is %#x, which is psi %#x\n", batch[ring.N()], ring.Psi())
	// Output: X at psi is 0xa58a46cdd563, which is psi 0xa58a46cdd563
}

// open is the first half of Example for the others: a plan on one thread, and what
// closes it.
func open(name string) (backends.Plan, func()) {
	b, err := backends.Open("cpu", backends.Options{})
	if err != nil {
		log.Fatal(err)
	}
	ring, err := ntt.Parse(name)
	if err != nil {
		log.Fatal(err)
	}
	plan, err := b.NTT(ring)
	if err != nil {
		log.Fatal(err)
	}
	return plan, func() {
		plan.Close()
		b.Close()
	}
}

// A batch stays on the device, so a chain of operations crosses the bus once:
// here the product of two polynomials, A*B mod X^256+1.
func ExampleBatch() {
	plan, done := open("pulsar")
	defer done()
	ring := plan.Ring()

	// A = X^255, B = 2X, and C starts as zero.
	a, c := make([]uint64, ring.N()), make([]uint64, ring.N())
	x := make([]uint64, ring.N())
	a[255], x[1] = 1, 2

	if err := product(context.Background(), plan, c, a, x); err != nil {
		log.Fatal(err)
	}
	fmt.Println("2X^256 = -2, and q-2 is", c[0] == ring.Q()-2)
	// Output: 2X^256 = -2, and q-2 is true
}

// product sets dst = a*b in the ring of the plan, through resident rows.
func product(ctx context.Context, plan backends.Plan, dst, a, b []uint64) error {
	var rows [3]backends.Batch
	for i := range rows {
		r, err := plan.NewBatch(1)
		if err != nil {
			return err
		}
		defer r.Release()
		rows[i] = r
	}
	ra, rb, rc := rows[0], rows[1], rows[2]
	return errors.Join(
		ra.Write(ctx, 0, a), rb.Write(ctx, 0, b),
		ra.Forward(ctx, 0, 1), rb.Forward(ctx, 0, 1),
		rb.MForm(ctx, 0, 1), // so that a*b/R below is a*b
		rc.MulAddMont(ctx, ra, rb),
		rc.Inverse(ctx, 0, 1),
		rc.Read(ctx, 0, dst),
	)
}

// An error names what is at fault by place, and how far the call came.
func ExampleError() {
	plan, done := open("mldsa")
	defer done()
	ring := plan.Ring()
	rows := make([]uint64, 3*ring.N())
	rows[2*ring.N()+7] = ring.Q()
	err := plan.Forward(context.Background(), rows, rows)

	var at *ntt.RangeError
	fmt.Println(errors.Is(err, backends.ErrRange), errors.As(err, &at))
	fmt.Println(err)
	// Output:
	// true true
	// cpu: forward: ntt: src: coefficient 7 of row 2 is not in [0, q)
}
