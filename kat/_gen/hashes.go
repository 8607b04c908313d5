package main

import (
	"bytes"
	"crypto/sha3"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"log"

	"github.com/ethereum/go-ethereum/crypto"
	legacy "golang.org/x/crypto/sha3"
)

// Lengths of messages at and around the ends of words, blocks and rates.
var lengths = []int{0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 20, 31, 32, 33, 55, 56, 57, 63, 64, 65,
	71, 72, 73, 103, 104, 105, 127, 128, 129, 134, 135, 136, 137, 143, 144, 145, 166, 167, 168, 169,
	199, 200, 201, 270, 271, 272, 273, 335, 336, 337, 406, 407, 408, 409, 503, 504, 505, 531, 532, 533,
	537, 542, 543, 544, 545, 679, 680, 681, 1000, 1087, 1088, 1089, 4096}

// affine is the message of length n by which the first values were recorded.
func affine(n int) []byte {
	msg := make([]byte, n)
	for i := range msg {
		msg[i] = byte(i*131 + (i>>8)*17 + n)
	}
	return msg
}

// outputOf returns size bytes of a function's output. Two implementations must
// agree on Keccak-256.
func outputOf(function string, size int, msg []byte) []byte {
	switch function {
	case "keccak256":
		h := legacy.NewLegacyKeccak256()
		h.Write(msg)
		d := h.Sum(nil)
		if !bytes.Equal(d, crypto.Keccak256(msg)) {
			log.Fatalf("x/crypto and go-ethereum differ on %d bytes", len(msg))
		}
		return d
	case "sha3-256":
		d := sha3.Sum256(msg)
		return d[:]
	case "shake128":
		return sha3.SumSHAKE128(msg, size)
	case "shake256":
		return sha3.SumSHAKE256(msg, size)
	}
	log.Fatalf("no function %q", function)
	return nil
}

// functions are those of the vectors of lengths, with the bytes of output that
// are kept; 0 stands for a function of 32.
var functions = []struct {
	name string
	size int
}{{"keccak256", 0}, {"sha3-256", 0}, {"shake128", 32}, {"shake256", 64}}

func keccakFile() file {
	f := file{Name: "keccak", Provenance: provenance{
		Source:   "golang.org/x/crypto/sha3 v0.55.0 and go-ethereum v1.17.10 (Keccak-256), Go's crypto/sha3 (the others, and the permutation)",
		Licence:  "none needed: computed here",
		Command:  "cd kat/_gen && go run .",
		Versions: "Go 1.26, golang.org/x/crypto v0.55.0, github.com/ethereum/go-ethereum v1.17.10",
		Note:     "lengths, chains and squeezes recorded 2026-11-30, where circl v1.6.5 (AVX2) agreed too, and reproduced by the command",
	}}
	for _, n := range lengths {
		for _, fn := range functions {
			f.addHash(fmt.Sprintf("length/%d", n), fn.name, fn.size, message{Gen: "affine", Length: &n}, affine(n))
		}
	}
	for _, fn := range functions {
		f.addChain(fn.name, fn.size, 1200)
	}
	f.addSqueezes()
	f.addEdges()
	f.addPermutations()
	return f
}

// addHash appends a vector with its output in full.
func (f *file) addHash(name, function string, size int, m message, msg []byte) {
	f.Hashes = append(f.Hashes, hashVector{Name: name + "/" + function, Function: function, Size: size,
		Message: m, Output: hex.EncodeToString(outputOf(function, size, msg))})
}

// addChain appends the messages of every length up to most, known by the digest
// of their outputs.
func (f *file) addChain(function string, size, most int) {
	var out []byte
	for n := range most + 1 {
		out = append(out, outputOf(function, size, affine(n))...)
	}
	zero := 0
	f.Hashes = append(f.Hashes, hashVector{Name: fmt.Sprintf("chain/%d/%s", most, function), Function: function,
		Size: size, Message: message{Gen: "affine", Length: &zero, Through: most}, Keccak: keccakOf(out)})
}

// addSqueezes appends outputs of one message around the ends of blocks.
func (f *file) addSqueezes() {
	length := 33
	for _, s := range []struct {
		function string
		sizes    []int
	}{{"shake128", []int{167, 168, 169, 1000}}, {"shake256", []int{135, 136, 137, 1000}}} {
		for _, size := range s.sizes {
			f.Hashes = append(f.Hashes, hashVector{Name: fmt.Sprintf("squeeze/%d/%s", size, s.function),
				Function: s.function, Size: size, Message: message{Gen: "affine", Length: &length},
				Keccak: keccakOf(outputOf(s.function, size, affine(length)))})
		}
	}
}

// addEdges appends messages that others were found to hash wrongly, and what
// they were tested with instead.
func (f *file) addEdges() {
	for _, m := range []struct{ name, text string }{
		{"nothing", ""}, {"abc", "abc"}, {"testing", "testing"},
		{"rlp-empty-string", "\x80"}, {"rlp-empty-list", "\xc0"},
	} {
		digits := hex.EncodeToString([]byte(m.text))
		for _, fn := range functions[:2] {
			f.addHash("text/"+m.name, fn.name, 0, message{Hex: &digits}, []byte(m.text))
		}
	}
	// One byte alone has the bits of both ends of the padding, 0x81, at a length
	// of 135 modulo 136; and a whole block has a block of padding after it.
	for _, fill := range []byte{0x00, 'a', 0xff} {
		for _, n := range []int{1, 134, 135, 136, 137, 271, 272, 407, 408} {
			f.addHash(fmt.Sprintf("repeat/%02x/%d", fill, n), "keccak256", 0,
				message{Gen: "repeat", Length: &n, Byte: fmt.Sprintf("%02x", fill)}, bytes.Repeat([]byte{fill}, n))
		}
	}
}

// addPermutations appends Keccak-f[1600] of the state of zeros: what SHA3-256
// makes of a block of zeros.
func (f *file) addPermutations() {
	for times := 1; times <= 2; times++ {
		h := sha3.New256()
		h.Write(make([]byte, 136*times))
		state, err := h.MarshalBinary()
		if err != nil {
			log.Fatal(err)
		}
		lanes := make([]uint64, 25)
		for i := range lanes {
			lanes[i] = binary.LittleEndian.Uint64(state[5+8*i:])
		}
		f.Permutations = append(f.Permutations, permutation{Name: fmt.Sprintf("zero/%d", times), Times: times,
			In: words(make([]uint64, 25)), Out: words(lanes)})
	}
}

func keccakOf(data []byte) string { return hex.EncodeToString(outputOf("keccak256", 0, data)) }
