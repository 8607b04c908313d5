package kat

import (
	"bytes"
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func hexOf(b []byte) string { return hex.EncodeToString(b) }

func rootFiles(t testing.TB) []File {
	t.Helper()
	files, err := Files()
	require.NoError(t, err)
	return slices.DeleteFunc(files, func(f File) bool { return len(f.Roots) == 0 })
}

// TestRootsCover holds the files to every kind, every rule, both tries, and the
// 25 roots of ethereum/tests and one of its genesis.
func TestRootsCover(t *testing.T) {
	kinds, rules := map[RootKind]int{}, map[Rule]int{}
	count, secures := map[string]int{}, 0
	for _, f := range rootFiles(t) {
		for _, v := range f.Roots {
			kinds[v.Kind]++
			rules[v.entries.rule]++
			count[f.Name]++
			if v.Secure {
				secures++
			}
		}
	}
	require.Equal(t, 26, count["ethereum-tests"])
	for _, kind := range []RootKind{Flat, Merkle, StateMPT, MPT} {
		require.GreaterOrEqual(t, kinds[kind], 30, kind)
	}
	for rule := range rulesAndGenesis() {
		require.NotZero(t, rules[rule], rule)
	}
	require.Greater(t, secures, 20)
}

func rulesAndGenesis() map[Rule]bool {
	all := map[Rule]bool{RuleGenesis: true}
	for rule := range rules {
		all[rule] = true
	}
	return all
}

// TestRootEntries checks that the rules are implemented as meant: by a digest
// over the operations, and their ends.
func TestRootEntries(t *testing.T) {
	digests := 0
	for _, f := range rootFiles(t) {
		for _, v := range f.Roots {
			entries, err := v.Entries()
			require.NoError(t, err)
			require.NoError(t, v.CheckInputs(entries), "%s: %s", f.Name, v.Name)
			want := v.Len()
			if v.entries.rule == RuleChurn || v.entries.rule == RuleKVChurn {
				want += want / 2
			}
			require.Len(t, entries, want)
			if v.entries.keccak == "" || len(entries) == 0 {
				continue
			}
			digests++
			middle := entries[len(entries)/2].Key
			middle[0] ^= 1
			require.ErrorIs(t, v.CheckInputs(entries), ErrDigest)
			middle[0] ^= 1
			require.NoError(t, v.CheckInputs(entries))
		}
	}
	require.Greater(t, digests, 100)
}

func TestCheckInputsNamesTheEnd(t *testing.T) {
	for _, f := range rootFiles(t) {
		for _, v := range f.Roots {
			if v.entries.first == nil || v.Len() < 2 || v.Len() > 2000 {
				continue
			}
			entries, err := v.Entries()
			require.NoError(t, err)
			require.ErrorIs(t, v.CheckInputs(nil), ErrDigest)
			require.ErrorContains(t, v.CheckInputs(entries[1:]), "first")
			require.ErrorContains(t, v.CheckInputs(entries[:len(entries)-1]), "last")
		}
	}
}

func TestRules(t *testing.T) {
	for rule := range rulesAndGenesis() {
		none, err := rule.Entries(0, 1)
		require.NoError(t, err)
		require.Empty(t, none, rule)
		for _, n := range []int{-1, MaxEntries + 1} {
			_, err = rule.Entries(n, 1)
			require.ErrorIs(t, err, ErrLength, rule)
		}
		a, err := rule.Entries(300, 7)
		require.NoError(t, err)
		b, err := rule.Entries(300, 7)
		require.NoError(t, err)
		require.Equal(t, a, b, rule)
		for _, e := range a {
			_, _ = append(e.Key, 0xff), append(e.Value, 0xff)
		}
		require.Equal(t, a, b, "%s: an append reached the next entry", rule)
	}
	_, err := Rule("sorted").Entries(1, 1)
	require.ErrorIs(t, err, ErrUnsupported)
	_, err = RuleGenesis.Entries(8894, 0)
	require.ErrorIs(t, err, ErrLength)
}

// TestStateRules shows that states have keys as they say, and that churn has
// both repeated keys and absent values.
func TestStateRules(t *testing.T) {
	entries, err := RuleKV.Entries(1000, 3)
	require.NoError(t, err)
	require.Len(t, stateOf(entries), 1000, "keys are distinct and values are not zero")
	slots := 0
	for _, e := range entries {
		require.Len(t, e.Key, 32)
		require.Len(t, e.Value, 32)
		if e.Key[0] == 1 {
			slots++
			require.Equal(t, make([]byte, 23), e.Key[1:24])
			continue
		}
		require.Equal(t, byte(0), e.Key[0])
		require.Equal(t, make([]byte, 7), e.Key[25:])
	}
	require.InDelta(t, 500, slots, 80)

	entries, err = RuleKVChurn.Entries(1000, 3)
	require.NoError(t, err)
	left := len(stateOf(entries))
	require.Less(t, left, 900)
	require.Greater(t, left, 700)
}

func TestFillBytes(t *testing.T) {
	a, b := NewSplitMix64(5), NewSplitMix64(5)
	got := make([]byte, 21)
	a.FillBytes(got)
	var want []byte
	for range 3 {
		x := b.Uint64()
		for range 8 {
			want = append(want, byte(x))
			x >>= 8
		}
	}
	require.Equal(t, want[:21], got)
	a.FillBytes(nil)
	require.Equal(t, b.Uint64(), a.Uint64(), "no bytes consume no number")
}

func TestGenesis(t *testing.T) {
	data, err := GenesisCSV()
	require.NoError(t, err)
	require.Len(t, data, 565_728)
	require.Equal(t, 8893, bytes.Count(data, []byte("\n")))
	entries, err := RuleGenesis.Entries(8893, 0)
	require.NoError(t, err)
	require.True(t, slices.IsSortedFunc(entries, func(a, b Entry) int { return bytes.Compare(a.Key, b.Key) }))
	some, err := RuleGenesis.Entries(3, 0)
	require.NoError(t, err)
	require.Equal(t, entries[:3], some)
	for _, bad := range []string{"00,1\n", strings.Repeat("0", 40) + "\n", strings.Repeat("0", 40) + ",x\n",
		strings.Repeat("0", 40) + ",-1\n", strings.Repeat("0", 40) + ",1" + strings.Repeat("0", 78) + "\n", "\n"} {
		_, err = parseAlloc([]byte(bad))
		require.ErrorIs(t, err, ErrSyntax, bad)
	}
}

func TestRootCheck(t *testing.T) {
	v := RootVector{Root: [32]byte{1}}
	require.NoError(t, v.Check([32]byte{1}))
	var m *RootMismatch
	require.ErrorAs(t, v.Check([32]byte{2}), &m)
	require.Equal(t, byte(1), m.Want[0])
	require.Equal(t, byte(2), m.Got[0])
	require.ErrorIs(t, m, ErrMismatch)
	require.Contains(t, m.Error(), "root: got 02")
}

// TestUpstreamFilesAreUnchanged compares the copies with the names of their git
// objects in SOURCE.md.
func TestUpstreamFilesAreUnchanged(t *testing.T) {
	source, err := os.ReadFile(trieTestFolder + "/SOURCE.md")
	require.NoError(t, err)
	blobs := regexp.MustCompile(`blob ([0-9a-f]{40})\s+(\d+)\s+\S+/(\S+)`).FindAllStringSubmatch(string(source), -1)
	require.Len(t, blobs, 7)
	for _, blob := range blobs {
		data, err := os.ReadFile(trieTestFolder + "/" + blob[3])
		require.NoError(t, err)
		require.Equal(t, blob[2], fmt.Sprint(len(data)), blob[3])
		sum := sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(data), data))
		require.Equal(t, blob[1], hexOf(sum[:]), blob[3])
	}
}

// TestOrderOfKeys holds the order of bytes, in which a prefix comes first, to
// what ethereum/tests say of the neighbours of a key.
func TestOrderOfKeys(t *testing.T) {
	data, err := readTrieTest("trietestnextprev")
	require.NoError(t, err)
	var cases map[string]struct {
		In    []string
		Tests [][3]string
	}
	require.NoError(t, json.Unmarshal(data, &cases))
	require.NotEmpty(t, cases)
	for name, c := range cases {
		require.NotEmpty(t, c.Tests)
		for _, test := range c.Tests {
			var previous, next string
			for _, key := range c.In {
				if key < test[0] {
					previous = max(previous, key)
				} else if key > test[0] && (next == "" || key < next) {
					next = key
				}
			}
			require.Equal(t, test[1:], []string{previous, next}, "%s: %q", name, test[0])
		}
	}
}
