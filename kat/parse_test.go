package kat

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	head    = `{"schema":"crosspoint-kat/1","name":"t","provenance":{"source":"s","licence":"l"},`
	oneRing = `"rings":[{"name":"r","n":8,"q":"0x11","psi":"0x3"}],`
)

// vectorFile wraps the fields of one vector into a file.
func vectorFile(fields string) string {
	return head + oneRing + `"vectors":[{"name":"v","ring":"r",` + fields + `}]}`
}

func TestParseAccepts(t *testing.T) {
	f, err := Parse([]byte(vectorFile(`"op":"mul","rows":2,"inputs":[
		{"rows":["0 1 2 3 4 5 6 7","8 9 a b c d e 10"]},{"gen":"periodic","values":"2"}],
		"output":{"rows":["0 2 4 6 8 a c e","10 1 3 5 7 9 b f"],"first":"0 2","last":"f"}`)))
	require.NoError(t, err)
	v := f.Vectors[0]
	require.Equal(t, Ring{Name: "r", N: 8, Q: 17, Psi: 3}, v.Ring)
	require.NoError(t, v.Check(byDefinition(&v)))
}

func TestParseRefuses(t *testing.T) {
	forward := func(in, out string) string {
		return vectorFile(`"op":"forward","rows":1,"inputs":[` + in + `],"output":` + out)
	}
	const anyOut = `{"gen":"iota"}`
	digest := strings.Repeat("0", 64)
	ring := func(fields string) string {
		return head + `"rings":[{` + fields + `}],"vectors":[]}`
	}
	cases := map[string]struct {
		file string
		want error
	}{
		"nothing":         {``, ErrSyntax},
		"no object":       {`[]`, ErrSyntax},
		"trailing data":   {forward(anyOut, anyOut) + `{}`, ErrSyntax},
		"unknown field":   {vectorFile(`"op":"forward","rows":1,"inputs":[{"gen":"iota"}],"output":{"gen":"iota"},"x":1`), ErrSyntax},
		"no schema":       {`{}`, ErrSchema},
		"other schema":    {`{"schema":"crosspoint-kat/2"}`, ErrSchema},
		"schema a number": {`{"schema":1}`, ErrSyntax},
		"no vectors":      {head + oneRing + `"vectors":[]}`, ErrLength},

		"ring twice":      {head + `"rings":[{"name":"r","n":8,"q":"0x11","psi":"0x3"},{"name":"r","n":8,"q":"0x11","psi":"0x3"}]}`, ErrSyntax},
		"q without 0x":    {ring(`"name":"r","n":8,"q":"17","psi":"0x3"`), ErrSyntax},
		"psi missing":     {ring(`"name":"r","n":8,"q":"0x11"`), ErrSyntax},
		"N odd":           {ring(`"name":"r","n":9,"q":"0x11","psi":"0x3"`), ErrRing},
		"N negative":      {ring(`"name":"r","n":-8,"q":"0x11","psi":"0x3"`), ErrRing},
		"N large":         {ring(`"name":"r","n":131072,"q":"0x11","psi":"0x3"`), ErrRing},
		"q composite":     {ring(`"name":"r","n":8,"q":"0x21","psi":"0x3"`), ErrRing},
		"q zero":          {ring(`"name":"r","n":8,"q":"0x0","psi":"0x3"`), ErrRing},
		"q one":           {ring(`"name":"r","n":8,"q":"0x1","psi":"0x0"`), ErrRing},
		"q of 62 bits":    {ring(`"name":"r","n":8,"q":"0x3fffffffffffff81","psi":"0x3"`), ErrRing},
		"q without root":  {ring(`"name":"r","n":16,"q":"0x11","psi":"0x3"`), ErrRing},
		"psi of order N":  {ring(`"name":"r","n":8,"q":"0x11","psi":"0x2"`), ErrPsi},
		"psi of order 1":  {ring(`"name":"r","n":8,"q":"0x11","psi":"0x1"`), ErrPsi},
		"psi not reduced": {ring(`"name":"r","n":8,"q":"0x11","psi":"0x14"`), ErrPsi},
		"roots digest":    {ring(`"name":"r","n":8,"q":"0x11","psi":"0x3","roots_sha3_256":"00"`), ErrSyntax},

		"other ring":     {strings.Replace(forward(anyOut, anyOut), `"ring":"r"`, `"ring":"s"`, 1), ErrRing},
		"other op":       {vectorFile(`"op":"sqrt","rows":1,"inputs":[],"output":{}`), ErrUnsupported},
		"too few inputs": {vectorFile(`"op":"mul","rows":1,"inputs":[{"gen":"iota"}],"output":{"gen":"iota"}`), ErrLength},
		"no rows":        {vectorFile(`"op":"forward","rows":0,"inputs":[{"gen":"iota"}],"output":{"gen":"iota"}`), ErrLength},
		"too many rows":  {vectorFile(`"op":"forward","rows":2097153,"inputs":[{"gen":"iota"}],"output":{"gen":"iota"}`), ErrLength},

		"generator":        {forward(`{"gen":"rand"}`, anyOut), ErrSyntax},
		"nothing given":    {forward(`{}`, anyOut), ErrLength},
		"gen and rows":     {forward(`{"gen":"iota","rows":["0 0 0 0 0 0 0 0"]}`, anyOut), ErrSyntax},
		"values and rows":  {forward(`{"values":"1","rows":["0 0 0 0 0 0 0 0"]}`, anyOut), ErrLength},
		"seed not used":    {forward(`{"gen":"iota","seed":1}`, anyOut), ErrSyntax},
		"at not used":      {forward(`{"gen":"iota","at":1}`, anyOut), ErrSyntax},
		"values not used":  {forward(`{"gen":"iota","values":"1"}`, anyOut), ErrLength},
		"negative seed":    {forward(`{"gen":"sparse","seed":-1}`, anyOut), ErrSyntax},
		"at past the row":  {forward(`{"gen":"delta","at":8,"values":"1"}`, anyOut), ErrLength},
		"at negative":      {forward(`{"gen":"delta","at":-1,"values":"1"}`, anyOut), ErrLength},
		"delta's value":    {forward(`{"gen":"delta","at":1}`, anyOut), ErrLength},
		"period of 0":      {forward(`{"gen":"periodic"}`, anyOut), ErrLength},
		"period past N":    {forward(`{"gen":"periodic","values":"1 1 1 1 1 1 1 1 1"}`, anyOut), ErrLength},
		"value q":          {forward(`{"gen":"periodic","values":"1 11"}`, anyOut), ErrRange},
		"row value q":      {forward(`{"rows":["0 0 0 0 0 0 0 11"]}`, anyOut), ErrRange},
		"short row":        {forward(`{"rows":["0 0 0 0 0 0 0"]}`, anyOut), ErrLength},
		"two rows for one": {forward(`{"rows":["0 0 0 0","0 0 0 0"]}`, anyOut), ErrLength},
		"bad hex":          {forward(`{"rows":["0 0 0 0 0 0 0 g"]}`, anyOut), ErrSyntax},
		"hex of 68 bits":   {forward(`{"rows":["0 0 0 0 0 0 0 10000000000000000"]}`, anyOut), ErrSyntax},
		"input digest":     {forward(`{"gen":"iota","sha3_256":"12"}`, anyOut), ErrSyntax},

		"no output":      {forward(anyOut, `{}`), ErrSyntax},
		"ends alone":     {forward(anyOut, `{"first":"1"}`), ErrSyntax},
		"output seed":    {forward(anyOut, `{"seed":3,"sha3_256":"`+digest+`"}`), ErrLength},
		"output value":   {forward(anyOut, `{"gen":"periodic","values":"11"}`), ErrRange},
		"first q":        {forward(anyOut, `{"sha3_256":"`+digest+`","first":"11"}`), ErrRange},
		"last too long":  {forward(anyOut, `{"sha3_256":"`+digest+`","last":"1 1 1 1 1 1 1 1 1"}`), ErrLength},
		"first bad hex":  {forward(anyOut, `{"sha3_256":"`+digest+`","first":"x"}`), ErrSyntax},
		"digest short":   {forward(anyOut, `{"sha256":"00"}`), ErrSyntax},
		"digest capital": {forward(anyOut, `{"sha256":"`+strings.Repeat("A", 64)+`"}`), ErrSyntax},

		"probe ring":  {head + oneRing + `"probes":[{"ring":"s","cases":["0 0 0 0 0 0"]}]}`, ErrRing},
		"probe empty": {head + oneRing + `"probes":[{"ring":"r","cases":[]}]}`, ErrLength},
		"probe short": {head + oneRing + `"probes":[{"ring":"r","cases":["0 0 0 0 0"]}]}`, ErrLength},
		"probe range": {head + oneRing + `"probes":[{"ring":"r","cases":["0 0 0 0 0 11"]}]}`, ErrRange},
		"probe hex":   {head + oneRing + `"probes":[{"ring":"r","cases":["0 0 0 0 0 -1"]}]}`, ErrSyntax},
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

// A name stands for one vector in a file, of whatever kind.
func TestParseRefusesNamesTwice(t *testing.T) {
	const hash = `{"name":"%s","function":"keccak256","message":{"hex":""},` +
		`"output":"c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"}`
	const vector = `{"name":"v","ring":"r","op":"forward","rows":1,"inputs":[{"gen":"iota"}],"output":{"gen":"iota"}}`
	const probe = `{"ring":"r","cases":["2 9 b a 1 1"]}`
	one, other := fmt.Sprintf(hash, "v"), fmt.Sprintf(hash, "w")
	for file, where := range map[string]string{
		head + `"hashes":[` + one + `,` + other + `]}`:                                      "",
		head + `"hashes":[` + one + `,` + other + `,` + one + `]}`:                          "hashes[2]",
		head + oneRing + `"vectors":[` + vector + `,` + vector + `]}`:                       "vectors[1]",
		head + oneRing + `"vectors":[` + vector + `],"hashes":[` + other + `,` + one + `]}`: "hashes[1]",
		head + oneRing + `"probes":[` + probe + `,` + probe + `]}`:                          "probes[1]",
	} {
		_, err := Parse([]byte(file))
		if where == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorIs(t, err, ErrName)
		var pe *ParseError
		require.ErrorAs(t, err, &pe)
		require.Equal(t, where, pe.Where)
	}
}

// Values of the wrong type and spelling are refused in the terms of the schema.
func TestParseSpeaksOfTheSchema(t *testing.T) {
	input := func(in string) string {
		return vectorFile(`"op":"forward","rows":1,"inputs":[` + in + `],"output":{"gen":"iota"}`)
	}
	for file, says := range map[string]string{
		head + `"rings":[{"name":"r","n":8,"q":17,"psi":"0x3"}]}`: "kat: not well-formed: rings.q: got a JSON number, want a string",
		head + `"rings":[{"name":"r","n":"8"}]}`:                  "kat: not well-formed: rings.n: got a JSON string, want a whole number in range",
		input(`{"gen":"periodic","values":2}`):                    "vectors.inputs.values: got a JSON number, want a string",
		input(`{"gen":"periodic","values":"0x2"}`):                "value 0: hexadecimal is written without 0x here",
		input(`{"gen":"periodic","values":"1 g"}`):                "value 1: not hexadecimal",
		input(`{"gen":"periodic","values":"10000000000000000"}`):  "value 0: more than 64 bits",
		`{"schema":1}`: "schema: got a JSON number, want a string",
	} {
		_, err := Parse([]byte(file))
		require.ErrorIs(t, err, ErrSyntax)
		require.ErrorContains(t, err, says)
		require.NotContains(t, err.Error(), "Go ")
		require.NotContains(t, err.Error(), "strconv")
	}
}

// luxBundle makes a bundle in the format of luxfi/math, with one entry by the
// definition of the transform.
func luxBundle(edit func(map[string]any)) []byte {
	v := Vector{Ring: luxRing, Op: Forward, Rows: 1, inputs: []operand{{gen: genSplitMix, seed: 1}}}
	pack := func(words []uint64) string {
		var b strings.Builder
		for _, w := range words {
			for range 8 {
				fmt.Fprintf(&b, "%02x", byte(w))
				w >>= 8
			}
		}
		return b.String()
	}
	out := byDefinition(&v)
	entry := map[string]any{
		"header": map[string]any{
			"parameter_set": luxParameterSet, "modulus_id": luxModulusID, "backend_id": "pure-go",
			"hash_suite_id": "blake3-v1", "implementation_name": "test", "implementation_version": "v0",
		},
		"test": "Forward/PulsarN256/i=0", "input_hex": pack(v.Inputs()[0]), "output_hex": pack(out),
		"output_sha256": digest(sha256.New(), out),
	}
	if edit != nil {
		edit(entry)
	}
	b, _ := json.Marshal(map[string]any{"schema": LuxSchema, "entries": []any{entry}})
	return b
}

func TestParseLux(t *testing.T) {
	f, err := Parse(luxBundle(nil))
	require.NoError(t, err)
	require.Equal(t, "test v0", f.Provenance.Source)
	v := f.Vectors[0]
	require.Equal(t, Forward, v.Op)
	require.NoError(t, v.Check(byDefinition(&v)))

	set := func(key string, value any) func(map[string]any) {
		return func(e map[string]any) { e[key] = value }
	}
	q := "014a000000000100"
	cases := map[string]struct {
		edit func(map[string]any)
		want error
	}{
		"an inverse":     {set("test", "Inverse/PulsarN256/i=0"), ErrUnsupported},
		"another ring":   {set("header", map[string]any{"parameter_set": luxParameterSet, "modulus_id": "ntt-998244353"}), ErrUnsupported},
		"another set":    {set("header", map[string]any{"parameter_set": "math.modarith.v1", "modulus_id": luxModulusID}), ErrUnsupported},
		"input not hex":  {set("input_hex", "zz"), ErrSyntax},
		"input short":    {set("input_hex", "0000000000000000"), ErrLength},
		"input q":        {set("input_hex", strings.Repeat(q, 256)), ErrRange},
		"output short":   {set("output_hex", ""), ErrLength},
		"output q":       {set("output_hex", strings.Repeat(q, 256)), ErrRange},
		"output changed": {set("output_hex", strings.Repeat("00", 2048)), ErrDigest},
		"digest short":   {set("output_sha256", "00"), ErrSyntax},
		"digest of none": {set("output_sha256", strings.Repeat("0", 64)), ErrDigest},
		"no string":      {set("test", 1), ErrSyntax},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := Parse(luxBundle(c.edit))
			require.ErrorIs(t, err, c.want)
			var pe *ParseError
			require.ErrorAs(t, err, &pe)
		})
	}
	_, err = Parse([]byte(`{"schema":"` + LuxSchema + `","entries":[]}`))
	require.ErrorIs(t, err, ErrLength)
}

func FuzzParse(f *testing.F) {
	f.Add(luxBundle(nil))
	// Seeds are small: the files of the package would slow the fuzzer to a crawl.
	f.Add([]byte(head + oneRing + `"probes":[{"ring":"r","cases":["2 9 b a 1 1"]}]}`))
	f.Add([]byte(vectorFile(`"op":"forward","rows":1,"inputs":[{"rows":["0 1 2 3 4 5 6 7"]}],"output":{"sha256":"` +
		strings.Repeat("0", 64) + `","first":"1","last":"2"}`)))
	f.Add([]byte(vectorFile(`"op":"mul","rows":1,"inputs":[{"gen":"delta","at":7,"values":"1"},{"gen":"sparse","skip":3}],"output":{"gen":"iota"}`)))
	f.Add([]byte(hashFile(`"function":"shake256","size":2,"message":{"gen":"repeat","byte":"ab","length":1,"through":3},"output":"000000000000"`)))
	f.Add([]byte(head + `"permutations":[{"name":"p","times":1,"in":"` + strings.Repeat("0 ", 25) + `","out":"` + strings.Repeat("1 ", 25) + `"}]}`))
	f.Add([]byte(rootFile(`"kind":"mpt","secure":true,"entries":{"list":[["61","62"],["",""]],"first":["61","62"]},` + someRoot)))
	f.Add([]byte(rootFile(`"kind":"flat","entries":{"rule":"kvchurn","n":7,"seed":9,"keccak256":"` + strings.Repeat("0", 64) + `"},` + someRoot)))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Parse(data)
		var pe *ParseError
		if err != nil {
			require.True(t, errors.As(err, &pe))
			return
		}
		for _, v := range file.Vectors {
			if v.Rows*v.Ring.N > 1<<12 {
				continue
			}
			for _, in := range v.Inputs() {
				require.NoError(t, checkRange(in, v.Ring.Q))
				require.Len(t, in, v.Rows*v.Ring.N)
			}
			require.NotPanics(t, func() { _ = v.Check(make([]uint64, v.Rows*v.Ring.N)) })
		}
		for _, v := range file.Hashes {
			if v.message.through > 1<<12 || v.Size > 1<<12 {
				continue
			}
			require.Len(t, v.Messages(), v.Len())
			require.NotPanics(t, func() { _ = v.Check(make([]byte, v.Len()*v.Size)) })
		}
		for _, v := range file.Roots {
			checkEntries(t, &v)
		}
	})
}
