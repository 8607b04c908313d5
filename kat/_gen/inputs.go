package main

import (
	"hash/fnv"
	"log"
)

// splitMix64 is the generator of Steele, Lea and Flood (2014).
type splitMix64 struct{ state uint64 }

func (s *splitMix64) next() uint64 {
	s.state += 0x9E3779B97F4A7C15
	z := s.state
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
	z = (z ^ (z >> 27)) * 0x94D049BB133111EB
	return z ^ (z >> 31)
}

// expand returns the rows of an operand.
func (o *oracle) expand(in operand, rows int) []uint64 {
	q := o.Modulus
	stream := splitMix64{in.Seed}
	for range in.Skip {
		stream.next()
	}
	values := parse(in.Values)
	out := make([]uint64, 0, rows*o.N)
	for len(out) < rows*o.N {
		i := len(out) % o.N
		var x uint64
		switch in.Gen {
		case "iota":
			x = uint64(i) % q
		case "delta":
			if i == in.At {
				x = values[0]
			}
		case "periodic":
			x = values[i%len(values)]
		case "splitmix64":
			x = stream.next() % q
		case "sparse":
			x = [16]uint64{1, q - 1}[stream.next()%16]
		default:
			log.Fatalf("no generator %q", in.Gen)
		}
		out = append(out, x)
	}
	return out
}

func random(seed uint64) operand { return operand{Gen: "splitmix64", Seed: seed} }
func sparse(seed uint64) operand { return operand{Gen: "sparse", Seed: seed} }
func periodic(values ...uint64) operand {
	return operand{Gen: "periodic", Values: words(values)}
}
func delta(at int, value uint64) operand {
	return operand{Gen: "delta", At: at, Values: words([]uint64{value})}
}

// seedOf derives a seed from what it is for, so that adding a vector changes no
// other one.
func seedOf(name string) uint64 {
	h := fnv.New32a()
	h.Write([]byte(name))
	return uint64(h.Sum32())
}
