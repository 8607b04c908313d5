package kat

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHashesCover holds the files to the messages that matter: every edge of a
// block, both ends of the padding in one byte, and whole blocks.
func TestHashesCover(t *testing.T) {
	lengths := map[Function]map[int]bool{}
	for _, vectors := range hashFiles(t) {
		for _, v := range vectors {
			if lengths[v.Function] == nil {
				lengths[v.Function] = map[int]bool{}
			}
			for _, msg := range v.Messages() {
				lengths[v.Function][len(msg)] = true
			}
		}
	}
	for f, xof := range functions {
		for n := range 1201 {
			require.True(t, lengths[f][n], "%s of %d bytes", f, n)
		}
		require.True(t, lengths[f][4096], f)
		require.Equal(t, xof, f == SHAKE128 || f == SHAKE256)
	}
	require.True(t, lengths[Keccak256][535], "the header of Ethereum's first block")
}

func TestFillAffine(t *testing.T) {
	msg := make([]byte, 300)
	FillAffine(msg)
	require.Equal(t, byte(300%256), msg[0])
	require.Equal(t, byte((299*131+17+300)%256), msg[299])
}

// TestHashVectorsDiffer shows that no two messages of a function are alike, so
// that no digest can pass for another one.
func TestHashVectorsDiffer(t *testing.T) {
	seen := map[string]string{}
	for _, v := range hashFiles(t)["keccak"] {
		if v.Len() > 1 || v.output == nil || v.Function != Keccak256 {
			continue
		}
		d := string(v.output)
		if other, ok := seen[d]; ok {
			require.Equal(t, v.Messages(), messagesOf(t, other), "%s and %s", v.Name, other)
		}
		seen[d] = v.Name
	}
	require.Greater(t, len(seen), 90)
}

func messagesOf(t *testing.T, name string) [][]byte {
	t.Helper()
	for _, v := range hashFiles(t)["keccak"] {
		if v.Name == name {
			return v.Messages()
		}
	}
	t.Fatal(name)
	return nil
}

func TestHashCheck(t *testing.T) {
	v := HashVector{Function: Keccak256, Size: 32, message: message{gen: msgAffine, length: 3, through: 5}}
	for n := 3; n <= 5; n++ {
		msg := make([]byte, n)
		FillAffine(msg)
		v.output = append(v.output, sponge(Keccak256, 32, msg)...)
	}
	good := slices.Clone(v.output)
	require.Equal(t, 3, v.Len())
	require.NoError(t, v.Check(good))
	require.ErrorIs(t, v.Check(good[1:]), ErrLength)
	require.ErrorIs(t, v.Check(nil), ErrLength)

	bad := slices.Clone(good)
	bad[63] ^= 1
	bad[64] ^= 1
	var m *HashMismatch
	require.ErrorAs(t, v.Check(bad), &m)
	require.Equal(t, 1, m.Message)
	require.NotEqual(t, m.Got, m.Want)
	require.ErrorIs(t, m, ErrMismatch)
	require.Contains(t, m.Error(), "message 1: got ")

	digest := v
	digest.output, digest.keccak = nil, hexOf(sponge(Keccak256, 32, good))
	require.NoError(t, digest.Check(good))
	var d *DigestMismatch
	require.ErrorAs(t, digest.Check(bad), &d)
	require.Equal(t, "Keccak-256", d.Hash)
	require.ErrorIs(t, d, ErrMismatch)
}

func TestKeccak256(t *testing.T) {
	for n := range 300 {
		msg := bytes.Repeat([]byte{byte(n)}, n)
		d := keccak256(msg)
		require.Equal(t, sponge(Keccak256, 32, msg), d[:], "%d bytes", n)
	}
}

func hashFile(fields string) string {
	return head + `"hashes":[{"name":"h",` + fields + `}]}`
}

func TestParseHashes(t *testing.T) {
	nothing := hexOf(sponge(Keccak256, 32, nil))
	f, err := Parse([]byte(hashFile(`"function":"keccak256","message":{"hex":""},"output":"` + nothing + `"`)))
	require.NoError(t, err)
	require.Equal(t, [][]byte{{}}, f.Hashes[0].Messages())
	require.NoError(t, f.Hashes[0].Check(sponge(Keccak256, 32, nil)))

	f, err = Parse([]byte(hashFile(`"function":"shake128","size":3,"message":{"gen":"repeat","byte":"ab","length":1,"through":2},"output_keccak256":"` + nothing + `"`)))
	require.NoError(t, err)
	require.Equal(t, [][]byte{{0xab}, {0xab, 0xab}}, f.Hashes[0].Messages())
	require.ErrorIs(t, f.Hashes[0].Check(make([]byte, 6)), ErrMismatch)
}

func TestParseHashesRefuses(t *testing.T) {
	digest := strings.Repeat("0", 64)
	hash := func(message string) string {
		return hashFile(`"function":"keccak256","message":{` + message + `},"output":"` + digest + `"`)
	}
	lanes := strings.Repeat("0 ", 25)
	permutation := func(times, in string) string {
		return head + `"permutations":[{"name":"p","times":` + times + `,"in":"` + in + `","out":"` + lanes + `"}]}`
	}
	cases := map[string]struct {
		file string
		want error
	}{
		"function":         {hashFile(`"function":"sha-256","message":{"hex":""},"output":"` + digest + `"`), ErrUnsupported},
		"size of 32":       {hashFile(`"function":"keccak256","size":32,"message":{"hex":""},"output":"` + digest + `"`), ErrSyntax},
		"no size":          {hashFile(`"function":"shake128","message":{"hex":""},"output":"` + digest + `"`), ErrSyntax},
		"size 0":           {hashFile(`"function":"shake128","size":0,"message":{"hex":""},"output":""`), ErrLength},
		"size too large":   {hashFile(`"function":"shake128","size":16777217,"message":{"hex":""},"output":""`), ErrLength},
		"size of many":     {hashFile(`"function":"shake128","size":8388609,"message":{"gen":"affine","length":0,"through":1},"output":""`), ErrLength},
		"no output":        {hashFile(`"function":"keccak256","message":{"hex":""}`), ErrSyntax},
		"short output":     {hashFile(`"function":"keccak256","message":{"hex":""},"output":"00"`), ErrLength},
		"output not hex":   {hashFile(`"function":"keccak256","message":{"hex":""},"output":"0g"`), ErrSyntax},
		"output capital":   {hashFile(`"function":"keccak256","message":{"hex":""},"output":"` + strings.Repeat("A", 64) + `"`), ErrSyntax},
		"digest short":     {hashFile(`"function":"keccak256","message":{"hex":""},"output_keccak256":"00"`), ErrSyntax},
		"unknown field":    {hashFile(`"function":"keccak256","message":{"hex":""},"output":"` + digest + `","rate":1`), ErrSyntax},
		"no message":       {hash(``), ErrSyntax},
		"hex and gen":      {hash(`"hex":"00","gen":"affine"`), ErrSyntax},
		"hex and length":   {hash(`"hex":"00","length":1`), ErrSyntax},
		"hex and through":  {hash(`"hex":"00","through":1`), ErrSyntax},
		"hex and byte":     {hash(`"hex":"00","byte":"00"`), ErrSyntax},
		"hex of half":      {hash(`"hex":"0"`), ErrSyntax},
		"generator":        {hash(`"gen":"random","length":1`), ErrSyntax},
		"no length":        {hash(`"gen":"affine"`), ErrSyntax},
		"negative length":  {hash(`"gen":"affine","length":-1`), ErrLength},
		"length too large": {hash(`"gen":"affine","length":16777217`), ErrLength},
		"through below":    {hash(`"gen":"affine","length":2,"through":1`), ErrLength},
		"through too far":  {hash(`"gen":"affine","length":0,"through":2147483647`), ErrLength},
		"too many bytes":   {hash(`"gen":"affine","length":0,"through":5800`), ErrLength},
		"affine's byte":    {hash(`"gen":"affine","length":1,"byte":"00"`), ErrSyntax},
		"repeat's none":    {hash(`"gen":"repeat","length":1`), ErrSyntax},
		"repeat's two":     {hash(`"gen":"repeat","length":1,"byte":"0000"`), ErrLength},
		"repeat not hex":   {hash(`"gen":"repeat","length":1,"byte":"x"`), ErrSyntax},
		"never":            {permutation("0", lanes), ErrLength},
		"too often":        {permutation("16777217", lanes), ErrLength},
		"24 lanes":         {permutation("1", lanes[2:]), ErrLength},
		"26 lanes":         {permutation("1", lanes+"0"), ErrLength},
		"lane of 68 bits":  {permutation("1", lanes[2:]+"10000000000000000"), ErrSyntax},
		"two values":       {hash(`"hex":""`) + "{}", ErrSyntax},
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
