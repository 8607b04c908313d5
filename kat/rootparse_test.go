package kat

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func rootFile(fields string) string {
	return head + `"roots":[{"name":"r",` + fields + `}]}`
}

const someRoot = `"root":"56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421"`

func TestParseRoots(t *testing.T) {
	f, err := Parse([]byte(rootFile(`"kind":"mpt","secure":true,"entries":{"list":[["61","62"],["61",""],["","00"]]},` + someRoot)))
	require.NoError(t, err)
	v := f.Roots[0]
	entries, err := v.Entries()
	require.NoError(t, err)
	require.Equal(t, []Entry{{[]byte("a"), []byte("b")}, {[]byte("a"), []byte{}}, {[]byte{}, []byte{0}}}, entries)
	require.True(t, v.Secure)
	require.Equal(t, 3, v.Len())
	entries[0].Key[0] = 'x'
	again, err := v.Entries()
	require.NoError(t, err)
	require.Equal(t, "a", string(again[0].Key), "entries are made anew")

	f, err = Parse([]byte(rootFile(`"kind":"flat","entries":{"list":[]},` + someRoot)))
	require.NoError(t, err)
	require.Zero(t, f.Roots[0].Len())
}

func TestParseRootsRefuses(t *testing.T) {
	mpt := func(entries string) string {
		return rootFile(`"kind":"mpt","entries":{` + entries + `},` + someRoot)
	}
	word := strings.Repeat("00", 32)
	cases := map[string]struct {
		file string
		want error
	}{
		"kind":             {rootFile(`"kind":"verkle","entries":{"list":[]},` + someRoot), ErrUnsupported},
		"no root":          {rootFile(`"kind":"mpt","entries":{"list":[]}`), ErrLength},
		"short root":       {rootFile(`"kind":"mpt","entries":{"list":[]},"root":"00"`), ErrLength},
		"root not hex":     {rootFile(`"kind":"mpt","entries":{"list":[]},"root":"0x00"`), ErrSyntax},
		"secure flat":      {rootFile(`"kind":"flat","secure":true,"entries":{"list":[]},` + someRoot), ErrSyntax},
		"secure state":     {rootFile(`"kind":"state-mpt","secure":true,"entries":{"list":[]},` + someRoot), ErrSyntax},
		"trie of a tree":   {rootFile(`"kind":"merkle","trie":{},"entries":{"list":[]},` + someRoot), ErrSyntax},
		"state of strings": {rootFile(`"kind":"flat","entries":{"list":[["00","00"]]},` + someRoot), ErrLength},
		"short value":      {rootFile(`"kind":"merkle","entries":{"list":[["` + word + `","00"]]},` + someRoot), ErrLength},
		"state of a trie":  {rootFile(`"kind":"flat","entries":{"rule":"account","n":1},` + someRoot), ErrSyntax},
		"unknown field":    {mpt(`"list":[],"sorted":true`), ErrSyntax},
		"no entries":       {mpt(``), ErrSyntax},
		"list and rule":    {mpt(`"list":[],"rule":"raw32"`), ErrSyntax},
		"list and n":       {mpt(`"list":[],"n":1`), ErrSyntax},
		"list and seed":    {mpt(`"list":[],"seed":1`), ErrSyntax},
		"one string":       {mpt(`"list":[["00"]]`), ErrLength},
		"three strings":    {mpt(`"list":[["00","00","00"]]`), ErrLength},
		"null":             {mpt(`"list":[null]`), ErrLength},
		"key not hex":      {mpt(`"list":[["0x00","00"]]`), ErrSyntax},
		"value not hex":    {mpt(`"list":[["00","a"]]`), ErrSyntax},
		"rule":             {mpt(`"rule":"random","n":1`), ErrSyntax},
		"negative n":       {mpt(`"rule":"raw32","n":-1`), ErrLength},
		"n too large":      {mpt(`"rule":"raw32","n":1048577`), ErrLength},
		"negative seed":    {mpt(`"rule":"raw32","n":1,"seed":-1`), ErrSyntax},
		"first of one":     {mpt(`"rule":"raw32","n":1,"first":["00"]`), ErrLength},
		"last not hex":     {mpt(`"rule":"raw32","n":1,"last":["00","x"]`), ErrSyntax},
		"digest short":     {mpt(`"rule":"raw32","n":1,"keccak256":"00"`), ErrSyntax},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := Parse([]byte(c.file))
			require.ErrorIs(t, err, c.want)
			var pe *ParseError
			require.ErrorAs(t, err, &pe)
		})
	}
}

// TestGenesisOfTooMany shows where a rule fails that no parser can refuse.
func TestGenesisOfTooMany(t *testing.T) {
	f, err := Parse([]byte(rootFile(`"kind":"mpt","entries":{"rule":"genesis","n":8894},` + someRoot)))
	require.NoError(t, err)
	_, err = f.Roots[0].Entries()
	require.ErrorIs(t, err, ErrLength)
}

func TestParseTrieTest(t *testing.T) {
	const root = `"root":"0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421"`
	vectors, err := ParseTrieTest([]byte(`{"b":{"in":[["0x61","0x"],["do",null],["do","verb"]],`+root+`},
		"a":{"in":{"z":"y","0x00":"x","gone":null},`+root+`,"hexEncoded":true}}`), true)
	require.NoError(t, err)
	require.Len(t, vectors, 2)
	require.Equal(t, "a", vectors[0].Name)
	entries, err := vectors[0].Entries()
	require.NoError(t, err)
	require.Equal(t, []Entry{{[]byte{0}, []byte("x")}, {[]byte("gone"), nil}, {[]byte("z"), []byte("y")}}, entries)
	entries, err = vectors[1].Entries()
	require.NoError(t, err)
	require.Equal(t, []Entry{{[]byte("a"), []byte{}}, {[]byte("do"), nil}, {[]byte("do"), []byte("verb")}}, entries)
	require.True(t, vectors[1].Secure)

	for name, c := range map[string]struct {
		file string
		want error
	}{
		"no object":     {`[]`, ErrSyntax},
		"no cases":      {`{}`, ErrLength},
		"two values":    {`{"a":{"in":[],` + root + `}} {}`, ErrSyntax},
		"unknown field": {`{"a":{"in":[],"out":1,` + root + `}}`, ErrSyntax},
		"no root":       {`{"a":{"in":[]}}`, ErrLength},
		"short root":    {`{"a":{"in":[],"root":"0x00"}}`, ErrLength},
		"root not hex":  {`{"a":{"in":[],"root":"0xg0"}}`, ErrSyntax},
		"no operations": {`{"a":{` + root + `}}`, ErrSyntax},
		"null":          {`{"a":{"in":null,` + root + `}}`, ErrSyntax},
		"a number":      {`{"a":{"in":1,` + root + `}}`, ErrSyntax},
		"one string":    {`{"a":{"in":[["a"]],` + root + `}}`, ErrLength},
		"three strings": {`{"a":{"in":[["a","b","c"]],` + root + `}}`, ErrLength},
		"null key":      {`{"a":{"in":[[null,"b"]],` + root + `}}`, ErrLength},
		"number value":  {`{"a":{"in":[["a",1]],` + root + `}}`, ErrSyntax},
		"object number": {`{"a":{"in":{"a":1},` + root + `}}`, ErrSyntax},
		"key not hex":   {`{"a":{"in":[["0x0","b"]],` + root + `}}`, ErrSyntax},
		"value not hex": {`{"a":{"in":[["a","0xzz"]],` + root + `}}`, ErrSyntax},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ParseTrieTest([]byte(c.file), false)
			require.ErrorIs(t, err, c.want)
			var pe *ParseError
			require.ErrorAs(t, err, &pe)
		})
	}
}

func FuzzParseTrieTest(f *testing.F) {
	const root = `"root":"0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421"`
	f.Add([]byte(`{"a":{"in":[["0x61","b"],["c",null]],`+root+`}}`), true)
	f.Add([]byte(`{"a":{"in":{"0x":"b"},`+root+`,"hexEncoded":true}}`), false)
	f.Fuzz(func(t *testing.T, data []byte, secure bool) {
		vectors, err := ParseTrieTest(data, secure)
		if err != nil {
			var pe *ParseError
			require.True(t, errors.As(err, &pe))
			return
		}
		for _, v := range vectors {
			checkEntries(t, &v)
		}
	})
}

// checkEntries holds a vector that was accepted to what its methods promise.
func checkEntries(t *testing.T, v *RootVector) {
	if v.Len() > 1<<10 {
		return
	}
	entries, err := v.Entries()
	if err != nil {
		require.Equal(t, RuleGenesis, v.entries.rule)
		return
	}
	require.GreaterOrEqual(t, len(entries), v.Len())
	for _, e := range entries {
		require.True(t, v.Kind == MPT || len(e.Key) == 32 && len(e.Value) == 32)
	}
	require.NotPanics(t, func() { _ = v.CheckInputs(entries) })
	require.NotPanics(t, func() { _ = v.CheckInputs(nil) })
}
