package kat

import (
	"fmt"
)

// The JSON of state roots. README.md explains each field.
type (
	rootJSON struct {
		Name    string      `json:"name"`
		Kind    RootKind    `json:"kind"`
		Secure  bool        `json:"secure"`
		Entries entriesJSON `json:"entries"`
		Root    string      `json:"root"`
		Trie    *TrieShape  `json:"trie"`
	}
	entriesJSON struct {
		Rule   Rule       `json:"rule"`
		N      int        `json:"n"`
		Seed   uint64     `json:"seed"`
		List   [][]string `json:"list"`
		First  []string   `json:"first"`
		Last   []string   `json:"last"`
		Keccak string     `json:"keccak256"`
	}
)

func (j rootJSON) parse() (RootVector, error) {
	v := RootVector{Name: j.Name, Kind: j.Kind, Secure: j.Secure, Trie: j.Trie}
	switch j.Kind {
	case Flat, Merkle, StateMPT:
		if j.Secure || j.Trie != nil {
			return v, fmt.Errorf("%w: a field that kind %q does not use", ErrSyntax, j.Kind)
		}
	case MPT:
	default:
		return v, fmt.Errorf("%w: kind %q", ErrUnsupported, j.Kind)
	}
	root, err := parseBytes(j.Root)
	if err != nil {
		return v, fmt.Errorf("root: %w", err)
	}
	if len(root) != 32 {
		return v, fmt.Errorf("%w: a root of %d bytes", ErrLength, len(root))
	}
	v.Root = [32]byte(root)
	if v.entries, err = j.Entries.parse(j.Kind); err != nil {
		err = fmt.Errorf("entries: %w", err)
	}
	return v, err
}

func (j entriesJSON) parse(kind RootKind) (entries, error) {
	e := entries{rule: j.Rule, n: j.N, seed: j.Seed, keccak: j.Keccak}
	if (j.Rule == "") == (j.List == nil) || j.Rule == "" && j.N != 0 {
		return e, fmt.Errorf("%w: want either a rule with its n, or a list", ErrSyntax)
	}
	for i, pair := range j.List {
		o, err := parseEntry(pair)
		if err != nil {
			return e, fmt.Errorf("list[%d]: %w", i, err)
		}
		e.list = append(e.list, o)
	}
	if j.Rule == "" {
		e.n = len(e.list)
	}
	for _, end := range []struct {
		text []string
		to   **Entry
	}{{j.First, &e.first}, {j.Last, &e.last}} {
		if end.text == nil {
			continue
		}
		o, err := parseEntry(end.text)
		if err != nil {
			return e, fmt.Errorf("first, last: %w", err)
		}
		*end.to = &o
	}
	if err := checkHex(e.keccak); err != nil {
		return e, err
	}
	return e, e.check(kind)
}

// parseEntry reads a key and its value.
func parseEntry(pair []string) (Entry, error) {
	var e Entry
	if len(pair) != 2 {
		return e, fmt.Errorf("%w: %d strings, want a key and a value", ErrLength, len(pair))
	}
	var err error
	if e.Key, err = parseBytes(pair[0]); err == nil {
		e.Value, err = parseBytes(pair[1])
	}
	return e, err
}
