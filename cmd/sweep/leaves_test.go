package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/internal/suite"
	"github.com/crosspoint-kernels/crosspoint/kat"
)

const (
	someAddress  = "000d836201318ec6899a67540690382780743280"
	otherAddress = "0x001762430EA9C3A26E5749AFDB70DA5F78DDBB8C"
)

func read(t *testing.T, as, text string) (leaves, error) {
	f, err := parseLeafFormat(as)
	require.NoError(t, err)
	return readLeaves(strings.NewReader(text), "f.csv", f)
}

func TestReadLeaves(t *testing.T) {
	pair := func(key, value string) suite.Pair { return suite.Pair{Key: []byte(key), Value: []byte(value)} }
	ab := []suite.Pair{pair("\xab", "\x01\x02"), pair("\xcd", "")}
	for text, want := range map[string][]suite.Pair{
		"":                                   nil,
		"\n\n":                               nil,
		"key,value\n":                        nil,
		" \t\n":                              nil,
		"ab,0102\ncd,\n":                     ab,
		"ab,0102\r\ncd,":                     ab,
		"0xAB, 0x0102\n\n 0Xcd ,0x\n":        ab,
		"Key,VALUE\n\nab,0102\ncd,\n":        ab,
		"\n  \n key , value\nab,0102\ncd,":   ab,
		"\ufeffkey,value\nab,0102\ncd,":      ab,
		"\ufeff\"ab\",\"0102\"\n\"cd\",\"\"": ab,
		"0x,01":                              {pair("", "\x01")},
		"ab,01\nab,02\nAB,\n":                {pair("\xab", "\x01"), pair("\xab", "\x02"), pair("\xab", "")},
	} {
		for _, as := range []string{"raw", "secure"} {
			got, err := read(t, as, text)
			require.NoError(t, err, "%q", text)
			require.Len(t, got.pairs, len(want), "%q", text)
			for i := range want {
				require.True(t, bytes.Equal(want[i].Key, got.pairs[i].Key), "%q", text)
				require.True(t, bytes.Equal(want[i].Value, got.pairs[i].Value), "%q", text)
			}
		}
	}
	got, err := read(t, "raw", "key,value\nab,01\ncd,02\n\nab,03\nAB,04\ncd,05\n")
	require.NoError(t, err)
	require.Equal(t, []int{3, 5}, []int{got.repeated, got.at})
}

// The accounts of Ethereum's first block, as the known answers have them.
func TestReadAccounts(t *testing.T) {
	data, err := kat.GenesisCSV()
	require.NoError(t, err)
	got, err := read(t, "accounts", "Address,Balance\n"+string(data))
	require.NoError(t, err)
	entries, err := kat.RuleGenesis.Entries(8893, 0)
	require.NoError(t, err)
	require.Len(t, got.pairs, len(entries))
	require.Zero(t, got.repeated)
	for i, e := range entries {
		require.Equal(t, suite.Pair(e), got.pairs[i])
	}
	for balance, rlp := range map[string]string{
		"0": "\x80", "1": "\x01", "127": "\x7f", "128": "\x81\x80", "255": "\x81\xff", "256": "\x82\x01\x00",
		"007": "\x07", strings.Repeat("0", 500) + "7": "\x07", maxBalance: "\xa0" + strings.Repeat("\xff", 32),
	} {
		got, err := read(t, "accounts", otherAddress+","+balance)
		require.NoError(t, err, balance)
		want := "\x80" + rlp + noCodeNoStorage
		require.Equal(t, "\xf8"+string([]byte{byte(len(want))})+want, string(got.pairs[0].Value), balance)
	}
}

const maxBalance = "115792089237316195423570985008687907853269984665640564039457584007913129639935"

// A line that cannot be meant is refused by its number, which the empty lines
// and those within quotes count for.
func TestReadLeavesRefuses(t *testing.T) {
	type at struct {
		line int
		err  error
	}
	for as, cases := range map[string]map[string]at{
		"raw": {
			"ab":                  {1, errFields},
			"ab,01,02":            {1, errFields},
			"ab,01\nab;01":        {2, errFields},
			"ab,01\n\n\nx,01\n":   {4, errHex},
			"ab,01\nkey,value":    {2, errHex}, // a header, but not the first line
			"value,key":           {1, errHex},
			"address,balance":     {1, errHex},
			"abc,01":              {1, errOdd},
			"0x0xab,01":           {1, errHex},
			"ab,0":                {1, errOdd},
			"ab,é":                {1, errHex},
			"ab,01\n,01":          {2, errEmptyKey},
			"ab,01\n\"ab\nab\",0": {2, errHex},
			"ab,01\n\"ab,01":      {2, nil},
			"ab,01\nab,0\"1":      {2, nil},
		},
		"accounts": {
			someAddress:                                    {1, errFields},
			someAddress[:38] + ",1":                        {1, errAddress},
			someAddress + "00,1":                           {1, errAddress},
			"\n" + strings.Repeat("x", 40) + ",1":          {2, errAddress},
			"key,value":                                    {1, errAddress},
			someAddress + ",":                              {1, errBalance},
			someAddress + ",-1":                            {1, errBalance},
			someAddress + ",+1":                            {1, errBalance},
			someAddress + ",0x10":                          {1, errBalance},
			someAddress + ",1e18":                          {1, errBalance},
			someAddress + ",1_000":                         {1, errBalance},
			someAddress + ",1.5":                           {1, errBalance},
			someAddress + "," + maxBalance[:77] + "6":      {1, errBalance},
			someAddress + ",1\n" + someAddress + ",1a":     {2, errBalance},
			someAddress + "," + maxBalance + "0":           {1, errBalance},
			someAddress + "," + strings.Repeat("9", 1<<16): {1, errBalance},
		},
	} {
		for text, want := range cases {
			got, err := read(t, as, text)
			var typed *lineError
			require.ErrorAs(t, err, &typed, "%q", text)
			require.Equal(t, want.line, typed.line, "%q", text)
			if want.err != nil {
				require.ErrorIs(t, err, want.err, "%q", text)
			}
			require.True(t, strings.HasPrefix(err.Error(), fmt.Sprintf("f.csv:%d: ", want.line)), err)
			require.Empty(t, got.pairs)
		}
	}
}

// A first line that fits another format says so; a later one is a slip.
func TestReadLeavesHints(t *testing.T) {
	const accounts, pairs = "--as accounts reads addresses and balances", "--as raw or secure reads keys and values"
	for _, c := range []struct{ as, text, hint string }{
		{"accounts", "ab,0102\n", pairs},
		{"accounts", "\nkey,value\n", pairs},
		{"accounts", "x,y\n", ""},
		{"accounts", someAddress + ",1\nab,0102", ""},
		{"accounts", "address,balance\nab,0102", ""},
		{"raw", "Address,Balance\n", accounts},
		{"raw", someAddress + ",100\n", accounts},
		{"secure", someAddress + ",100\n", accounts},
		{"raw", "ab,01\n" + someAddress + ",100\n", ""},
		{"raw", "x,y\n", ""},
	} {
		_, err := read(t, c.as, c.text)
		require.Error(t, err, c.text)
		if c.hint == "" {
			require.NotContains(t, err.Error(), "--as", c.text)
		} else {
			require.ErrorContains(t, err, "; "+c.hint, c.text)
		}
	}
	_, err := read(t, "raw", "\x1f\x8b\x08\x00packed")
	require.ErrorIs(t, err, errGzip)
	require.EqualError(t, err, "f.csv: gzip: unpack it first")
	_, err = read(t, "raw", "zz,01")
	require.EqualError(t, err, "f.csv:1: not hexadecimal")
}

func TestReadLeavesFailsWithItsReader(t *testing.T) {
	f, err := parseLeafFormat("raw")
	require.NoError(t, err)
	for _, r := range []io.Reader{iotest.ErrReader(io.ErrClosedPipe), iotest.TimeoutReader(strings.NewReader("ab,01\n"))} {
		_, err = readLeaves(r, "f.csv", f)
		require.Error(t, err)
		require.ErrorContains(t, err, "f.csv: ")
	}
	_, err = parseLeafFormat("csv")
	require.ErrorContains(t, err, "accounts, raw, secure")
}

// What is longer than a file may be is refused, and what is not is read.
func TestReadLeavesIsBounded(t *testing.T) {
	f, err := parseLeafFormat("raw")
	require.NoError(t, err)
	const text = "ab,01\ncd,02\n"
	got, err := readLeaves(&bounded{r: strings.NewReader(text), most: len(text)}, "f.csv", f)
	require.NoError(t, err)
	require.Len(t, got.pairs, 2)
	_, err = readLeaves(&bounded{r: strings.NewReader(text), most: len(text) - 1}, "f.csv", f)
	require.ErrorIs(t, err, errFileSize)
}

// Whatever is accepted comes back from a file written out of it, and nothing
// panics; an error names a line of the file.
func FuzzReadLeaves(f *testing.F) {
	for _, text := range []string{"", "key,value\nab,01\ncd,\n", someAddress + ",1\n" + otherAddress + "," + maxBalance,
		"ab,01\r\n\"cd\",\"02\"", "ab", "\ufeffab,01\n\n,", "ab,01\nab,02"} {
		for as := range leafFormats {
			f.Add(text, as)
		}
	}
	f.Fuzz(func(t *testing.T, text string, as int) {
		format := leafFormats[((as%len(leafFormats))+len(leafFormats))%len(leafFormats)]
		got, err := readLeaves(strings.NewReader(text), "f", format)
		if errors.Is(err, errGzip) {
			return
		}
		if err != nil {
			var typed *lineError
			if !errors.As(err, &typed) || typed.line < 1 || typed.line > 2+strings.Count(text, "\n") || got.pairs != nil {
				t.Fatalf("%q: %v with %d pairs", text, err, len(got.pairs))
			}
			return
		}
		if got.repeated >= max(len(got.pairs), 1) {
			t.Fatalf("%q: %d of %d are repeated", text, got.repeated, len(got.pairs))
		}
		var out strings.Builder
		for _, p := range got.pairs {
			if format.name == "accounts" && (len(p.Key) != 20 || p.Value[0] != 0xf8 || int(p.Value[1]) != len(p.Value)-2) {
				t.Fatalf("%q: %x is no account at %x", text, p.Value, p.Key)
			}
			fmt.Fprintf(&out, "0x%x,%x\n", p.Key, p.Value)
		}
		raw, err := parseLeafFormat("raw")
		if err != nil {
			t.Fatal(err)
		}
		again, err := readLeaves(strings.NewReader(out.String()), "f", raw)
		if err != nil || len(again.pairs) != len(got.pairs) || again.repeated != got.repeated {
			t.Fatalf("%q: read again: %v", text, err)
		}
		for i, p := range again.pairs {
			if !bytes.Equal(p.Key, got.pairs[i].Key) || !bytes.Equal(p.Value, got.pairs[i].Value) {
				t.Fatalf("%q: pair %d comes back as %x, %x", text, i, p.Key, p.Value)
			}
		}
	})
}
