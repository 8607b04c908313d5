package kat

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// trieTestJSON is a case of ethereum/tests, folder TrieTests.
type trieTestJSON struct {
	In         json.RawMessage `json:"in"`
	Root       string          `json:"root"`
	HexEncoded bool            `json:"hexEncoded"` // says what the strings say
}

// ParseTrieTest reads a file of ethereum/tests, TrieTests/, which says only by
// its name whether the tries are secure: an object of cases, each with a root
// and operations. These are a list of pairs, in which null deletes, or an object
// in any order, which is returned by key. A string that begins with 0x is
// hexadecimal, any other stands for its own bytes. The error is a *ParseError.
func ParseTrieTest(data []byte, secure bool) ([]RootVector, error) {
	var cases map[string]trieTestJSON
	if err := strictJSON(data, &cases); err != nil {
		return nil, &ParseError{Err: err}
	}
	var vectors []RootVector
	for _, name := range slices.Sorted(maps.Keys(cases)) {
		v, err := cases[name].parse()
		if err != nil {
			return nil, &ParseError{Where: name, Err: err}
		}
		v.Name, v.Secure = name, secure
		vectors = append(vectors, v)
	}
	if len(vectors) == 0 {
		return nil, &ParseError{Err: fmt.Errorf("%w: no cases", ErrLength)}
	}
	return vectors, nil
}

func (j trieTestJSON) parse() (RootVector, error) {
	v := RootVector{Kind: MPT}
	pairs, err := trieTestPairs(j.In)
	if err != nil {
		return v, fmt.Errorf("in: %w", err)
	}
	for i, pair := range pairs {
		if len(pair) != 2 || pair[0] == nil {
			return v, fmt.Errorf("in[%d]: %w: want a key and a value", i, ErrLength)
		}
		var e Entry
		if e.Key, err = trieTestBytes(*pair[0]); err == nil && pair[1] != nil {
			e.Value, err = trieTestBytes(*pair[1])
		}
		if err != nil {
			return v, fmt.Errorf("in[%d]: %w", i, err)
		}
		v.entries.list = append(v.entries.list, e)
	}
	v.entries.n = len(pairs)
	root, err := trieTestBytes(j.Root)
	if err != nil {
		return v, fmt.Errorf("root: %w", err)
	}
	if len(root) != len(v.Root) {
		return v, fmt.Errorf("%w: a root of %d bytes", ErrLength, len(root))
	}
	v.Root = [32]byte(root)
	return v, nil
}

// trieTestPairs returns the operations of either form.
func trieTestPairs(in json.RawMessage) ([][]*string, error) {
	var pairs [][]*string
	if !bytes.HasPrefix(bytes.TrimSpace(in), []byte("{")) {
		err := strictJSON(in, &pairs)
		if err == nil && pairs == nil {
			err = fmt.Errorf("%w: neither a list nor an object", ErrSyntax)
		}
		return pairs, err
	}
	var object map[string]*string
	if err := strictJSON(in, &object); err != nil {
		return nil, err
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		pairs = append(pairs, []*string{&key, object[key]})
	}
	return pairs, nil
}

func trieTestBytes(s string) ([]byte, error) {
	if digits, ok := strings.CutPrefix(s, "0x"); ok {
		return parseBytes(digits)
	}
	return []byte(s), nil
}
