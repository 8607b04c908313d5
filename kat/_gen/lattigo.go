package main

// lattigoFile holds the known answers by which the ring was first pinned to
// lattigo's: inputs by name, the full transform of a[i] = i, the digest of 2,688
// transforms, a negacyclic product, and the tables of roots.
func lattigoFile() file {
	f := newFile("lattigo", "rings and outputs pinned to lattigo's; recorded 2026-11-30 and reproduced by the command")
	f.Rings = nil
	for _, o := range []*oracle{pulsar, mldsa, q3329, fhe27, q97} {
		r := o.record()
		r.Roots, r.InverseRoots = sha3Of(o.RootsForward), sha3Of(o.RootsBackward)
		f.Rings = append(f.Rings, r)
		f.addNamed(o, "iota", operand{Gen: "iota"})
		f.addNamed(o, "delta0", delta(0, 1))
		f.addNamed(o, "x", delta(1, 1))
		f.addNamed(o, "all-max", periodic(o.Modulus-1))
		f.addNamed(o, "splitmix64-42", random(42))
	}
	f.add(pulsar, "iota-in-full", "forward", 1, operand{Gen: "iota"})
	iota := pulsar.apply("forward", [][]uint64{pulsar.expand(operand{Gen: "iota"}, 1)})
	f.Vectors[len(f.Vectors)-1].Output = output{operand: operand{Rows: rowsOf(iota, pulsar.N)}}
	f.add(pulsar, "2688", "forward", 2688, random(2688))
	b := random(7)
	b.Skip = uint64(pulsar.N)
	f.add(pulsar, "splitmix64-7", "product", 1, random(7), b)
	return f
}

// addNamed appends a forward transform with digests by both hashes.
func (f *file) addNamed(o *oracle, name string, in operand) {
	rows := o.expand(in, 1)
	in.SHA3 = sha3Of(rows)
	out := o.apply("forward", [][]uint64{rows})
	d := digestOf(out)
	d.SHA2 = sha2Of(out)
	f.Vectors = append(f.Vectors, vector{
		Name: o.name + "/forward/" + name, Ring: o.name, Op: "forward", Rows: 1,
		Inputs: []operand{in}, Output: d,
	})
}
