package main

import (
	"bytes"
	"crypto/sha256"
	"crypto/sha3"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"log"
	"strings"
)

// The schema crosspoint-kat/1, explained in kat/README.md.
type (
	file struct {
		Name       string
		Provenance provenance
		Rings      []ringRecord
		Vectors    []vector
		Probes     []probe

		Hashes       []hashVector
		Permutations []permutation
		Roots        []rootVector
	}
	provenance struct {
		Source   string `json:"source"`
		Licence  string `json:"licence"`
		Command  string `json:"command"`
		Versions string `json:"versions"`
		Note     string `json:"note"`
	}
	ringRecord struct {
		Name         string `json:"name"`
		N            int    `json:"n"`
		Q            string `json:"q"`
		Psi          string `json:"psi"`
		Roots        string `json:"roots_sha3_256,omitempty"`
		InverseRoots string `json:"inverse_roots_sha3_256,omitempty"`
	}
	vector struct {
		Name   string    `json:"name"`
		Ring   string    `json:"ring"`
		Op     string    `json:"op"`
		Rows   int       `json:"rows"`
		Inputs []operand `json:"inputs"`
		Output output    `json:"output"`
	}
	operand struct {
		Gen    string   `json:"gen,omitempty"`
		Seed   uint64   `json:"seed,omitempty"`
		Skip   uint64   `json:"skip,omitempty"`
		At     int      `json:"at,omitempty"`
		Values string   `json:"values,omitempty"`
		Rows   []string `json:"rows,omitempty"`
		SHA3   string   `json:"sha3_256,omitempty"`
	}
	output struct {
		operand
		SHA2  string `json:"sha256,omitempty"`
		First string `json:"first,omitempty"`
		Last  string `json:"last,omitempty"`
	}
	probe struct {
		Ring  string   `json:"ring"`
		Cases []string `json:"cases"`
	}
	hashVector struct {
		Name     string  `json:"name"`
		Function string  `json:"function"`
		Size     int     `json:"size,omitempty"`
		Message  message `json:"message"`
		Output   string  `json:"output,omitempty"`
		Keccak   string  `json:"output_keccak256,omitempty"`
	}
	message struct {
		Gen     string  `json:"gen,omitempty"`
		Length  *int    `json:"length,omitempty"`
		Through int     `json:"through,omitempty"`
		Byte    string  `json:"byte,omitempty"`
		Hex     *string `json:"hex,omitempty"`
	}
	permutation struct {
		Name  string `json:"name"`
		Times int    `json:"times"`
		In    string `json:"in"`
		Out   string `json:"out"`
	}
	rootVector struct {
		Name    string  `json:"name"`
		Kind    string  `json:"kind"`
		Secure  bool    `json:"secure,omitempty"`
		Entries entries `json:"entries"`
		Root    string  `json:"root"`
		Trie    *shape  `json:"trie,omitempty"`
	}
	entries struct {
		Rule   string       `json:"rule,omitempty"`
		N      int          `json:"n,omitempty"`
		Seed   uint64       `json:"seed,omitempty"`
		List   *[][2]string `json:"list,omitempty"`
		First  []string     `json:"first,omitempty"`
		Last   []string     `json:"last,omitempty"`
		Keccak string       `json:"keccak256,omitempty"`
	}
	shape struct {
		Hashed       int   `json:"hashed_nodes"`
		Embedded     int   `json:"embedded_nodes"`
		Leaves       int   `json:"leaf_nodes"`
		Extensions   int   `json:"extension_nodes"`
		Branches     int   `json:"branch_nodes"`
		Permutations int   `json:"keccak_permutations"`
		Bytes        int   `json:"hashed_bytes"`
		Longest      int   `json:"longest_hashed_node_bytes"`
		ByHeight     []int `json:"hashed_nodes_by_height"`
	}
)

// encode writes one ring, vector or probe a line, so that a change reads well
// in a diff.
func (f file) encode() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\n\"schema\": \"crosspoint-kat/1\",\n\"name\": %s,\n\"provenance\": %s", line(f.Name), line(f.Provenance))
	list(&b, "rings", f.Rings)
	list(&b, "vectors", f.Vectors)
	list(&b, "probes", f.Probes)
	list(&b, "hashes", f.Hashes)
	list(&b, "permutations", f.Permutations)
	list(&b, "roots", f.Roots)
	b.WriteString("\n}\n")
	return b.Bytes()
}

func list[T any](b *bytes.Buffer, name string, items []T) {
	if len(items) == 0 {
		return
	}
	fmt.Fprintf(b, ",\n%q: [", name)
	for i, x := range items {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n" + line(x))
	}
	b.WriteString("\n]")
}

func line(x any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(x); err != nil {
		log.Fatal(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// words writes residues in hexadecimal, parted by spaces.
func words(ws []uint64) string {
	s := make([]string, len(ws))
	for i, w := range ws {
		s[i] = fmt.Sprintf("%x", w)
	}
	return strings.Join(s, " ")
}

// rowsOf writes a flat batch row by row.
func rowsOf(ws []uint64, n int) []string {
	var rows []string
	for ; len(ws) > 0; ws = ws[n:] {
		rows = append(rows, words(ws[:n]))
	}
	return rows
}

// digest returns the digest of words as little-endian bytes.
func digest(h hash.Hash, ws []uint64) string {
	for _, w := range ws {
		h.Write(binary.LittleEndian.AppendUint64(nil, w))
	}
	return hex.EncodeToString(h.Sum(nil))
}

func sha3Of(ws []uint64) string { return digest(sha3.New256(), ws) }
func sha2Of(ws []uint64) string { return digest(sha256.New(), ws) }
