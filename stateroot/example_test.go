package stateroot_test

import (
	"context"
	"fmt"
	"log"

	"github.com/crosspoint-kernels/crosspoint/keccak"
	"github.com/crosspoint-kernels/crosspoint/stateroot"
)

func ExampleMPT() {
	root, err := stateroot.MPT(context.Background(), []stateroot.Pair{
		{Key: []byte("horse"), Value: []byte("stallion")},
		{Key: []byte("do"), Value: []byte("verb")},
		{Key: []byte("doge"), Value: []byte("coin")},
		{Key: []byte("dog"), Value: []byte("puppy")},
		{Key: []byte("cat"), Value: nil}, // deletes it, if it were there
	}, stateroot.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%x\n", root)
	// Output: 5991bb8c6514148a29db676a14ac506cd2cd5775ace63c30a4fe457715e9ac84
}

// A Builder that is kept allocates nothing for each pair the next time.
func ExampleBuilder() {
	hasher := keccak.NewParallel(0) // all processors
	defer hasher.Close()
	builder := stateroot.NewBuilder(stateroot.Options{Small: hasher})

	key, err := stateroot.MakeKey(1, [24]byte{23: 7}, 0)
	if err != nil {
		log.Fatal(err)
	}
	state := stateroot.State{{Key: key}}
	for block := range byte(2) {
		state[0].Value[31] = block
		for _, root := range []func(context.Context, stateroot.State) ([32]byte, error){
			builder.Flat, builder.Merkle, builder.StateMPT,
		} {
			r, err := root(context.Background(), state)
			if err != nil {
				log.Fatal(err)
			}
			fmt.Printf("%x\n", r[:8])
		}
	}
	// Output:
	// c5d2460186f7233c
	// c5d2460186f7233c
	// 56e81f171bcc55a6
	// db2b815503354f12
	// 7a27522d2b99fb29
	// 0717445f3b2daa36
}

// An update needs the nodes of the trie, which a Builder emits, and not its pairs.
func ExampleUpdater() {
	ctx := context.Background()
	nodes := new(stateroot.MemNodes)
	root, err := stateroot.MPT(ctx, []stateroot.Pair{
		{Key: []byte("do"), Value: []byte("verb")},
		{Key: []byte("dog"), Value: []byte("cat")},
		{Key: []byte("horse"), Value: []byte("stallion")},
	}, stateroot.Options{Emit: nodes.Put})
	if err != nil {
		log.Fatal(err)
	}
	updater := stateroot.NewUpdater(nodes, stateroot.Options{})
	root, written, err := updater.Update(ctx, root, []stateroot.Pair{
		{Key: []byte("dog"), Value: []byte("puppy")},
		{Key: []byte("doge"), Value: []byte("coin")},
	})
	if err != nil {
		log.Fatal(err)
	}
	nodes.Apply(written)
	fmt.Printf("%x, %d nodes\n", root, nodes.Len())
	// Output: 5991bb8c6514148a29db676a14ac506cd2cd5775ace63c30a4fe457715e9ac84, 4 nodes
}

func ExampleWithPhases() {
	ctx := stateroot.WithPhases(context.Background(), func(p stateroot.Phases) {
		fmt.Println(p.Kind, p.Levels, p.Hash <= p.Total)
	})
	state := make(stateroot.State, 1000)
	for i := range state {
		state[i].Key, _ = stateroot.MakeKey(1, [24]byte{}, uint64(i))
		state[i].Value[31] = 1
	}
	if _, err := stateroot.StateMPT(ctx, state, stateroot.Options{}); err != nil {
		log.Fatal(err)
	}
	// Output: mpt [1000 240 79 18 5 1] true
}
