package blockstm_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/crosspoint-kernels/crosspoint/blockstm"
)

// A stack machine over named slots that hold integers. Each instruction is an opcode
// and, for some, an operand.
type (
	opcode      int
	instruction struct {
		op   opcode
		n    int64
		slot string
	}
	view = blockstm.View[string, int64]
)

const (
	push   opcode = iota // n
	load                 // the value of slot, 0 if it has none
	store                // pops a value into slot
	erase                // deletes slot
	credit               // adds n to slot, without reading it; reverts if that is refused
	add                  // pops two, pushes their sum
	jumpIf               // pops a value, and skips n instructions if it is not zero
	div                  // pops two, pushes their quotient
)

var errRefused = errors.New("refused")

// interpret runs a program and returns what it leaves on the stack.
func interpret(v view, program []instruction) (stack []int64, err error) {
	pop := func() (x int64) {
		x, stack = stack[len(stack)-1], stack[:len(stack)-1]
		return x
	}
	for pc := 0; pc < len(program); pc++ {
		switch in := program[pc]; in.op {
		case push:
			stack = append(stack, in.n)
		case load:
			x, _ := v.Get(in.slot)
			stack = append(stack, x)
		case store:
			v.Put(in.slot, pop())
		case erase:
			v.Delete(in.slot)
		case credit:
			if !v.Add(in.slot, in.n) {
				return nil, errRefused
			}
		case add:
			stack = append(stack, pop()+pop())
		case jumpIf:
			if pop() != 0 {
				pc += int(in.n)
			}
		case div:
			y := pop()
			stack = append(stack, pop()/y) // panics on zero, as a transaction may
		}
	}
	return stack, nil
}

// A block for a virtual machine of one's own. Transactions run in parallel, and give
// what they would one after another.
func Example() {
	programs := [][]instruction{
		{{op: credit, slot: "visits", n: 1}, {op: push, n: 7}, {op: store, slot: "a"}},
		{{op: credit, slot: "visits", n: 1}, {op: load, slot: "a"}, {op: load, slot: "b"}, {op: add}, {op: store, slot: "b"}},
		{{op: push, n: 1}, {op: load, slot: "c"}, {op: div}, {op: store, slot: "c"}}, // divides by zero
		{{op: erase, slot: "b"}, {op: credit, slot: "visits", n: -5}},                // below its bound
		{{op: load, slot: "b"}, {op: jumpIf, n: 1}, {op: erase, slot: "a"}, {op: load, slot: "visits"}},
	}
	executor := blockstm.New[string, int64, []int64](blockstm.Options[string, int64]{Workers: 4})
	outcome, err := executor.Execute(context.Background(), &blockstm.Block[string, int64, []int64]{
		N:   len(programs),
		Run: func(v view, tx int) ([]int64, error) { return interpret(v, programs[tx]) },
		Base: blockstm.BaseFunc[string, int64](func(slot string) (int64, bool, error) {
			return 100, slot == "b", nil // the state before the block
		}),
		Equal: func(a, b int64) bool { return a == b },
		Sum:   func(a, delta int64) (int64, bool) { return a + delta, a+delta >= 0 },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for tx, r := range outcome.Results {
		fmt.Println(tx, r.Output, r.Err)
	}
	changes := slices.SortedFunc(outcome.Changes(), func(x, y blockstm.Change[string, int64]) int {
		return strings.Compare(x.Key, y.Key)
	})
	for _, c := range changes {
		fmt.Println(c.Key, c.Value, c.Deleted)
	}
	// Output:
	// 0 [] <nil>
	// 1 [] <nil>
	// 2 [] blockstm: transaction 2 panicked: runtime error: integer divide by zero
	// 3 [] refused
	// 4 [2] <nil>
	// a 7 false
	// b 107 false
	// visits 2 false
}
