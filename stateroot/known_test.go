package stateroot

import (
	"encoding/binary"
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// splitMix is the generator SplitMix64.
type splitMix uint64

func (s *splitMix) next() uint64 {
	*s += 0x9E3779B97F4A7C15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

func (s *splitMix) bytes(n int) []byte {
	var b []byte
	for len(b) < n {
		b = binary.LittleEndian.AppendUint64(b, s.next())
	}
	return b[:n:n]
}

// generated returns the operations of a set of generated tries. Draws are in the
// order written; the seed is n.
func generated(set string, n int) []Pair {
	s := splitMix(n)
	var pairs []Pair
	put := func(key, value []byte) { pairs = append(pairs, Pair{key, value}) }
	for i := range n {
		switch set {
		case "raw32":
			key := s.bytes(32)
			put(key, s.bytes(1+int(s.next()%64)))
		case "account":
			put(account(&s))
		case "storage":
			b := s.bytes(1 + int(s.next()%32))
			b[0] |= 1
			key := keccak.Sum256(binary.BigEndian.AppendUint64(make([]byte, 24), uint64(i)))
			put(key[:], oracle{}.str(b))
		case "short4":
			key := s.bytes(4)
			put(key, s.bytes(1+int(s.next()%3)))
		case "prefix28":
			key := make([]byte, 28)
			for i := range key {
				key[i] = 0xab
			}
			key = append(key, s.bytes(4)...)
			put(key, s.bytes(1+int(s.next()%40)))
		case "varlen":
			key := s.bytes(1 + int(s.next()%4))
			for i := range key {
				key[i] &= 0x33
			}
			put(key, s.bytes(1+int(s.next()%40)))
		case "churn":
			key := s.bytes(8)
			put(key, s.bytes(1+int(s.next()%48)))
		case "index":
			key := oracle{}.str(trim(uint64(i)))
			put(key, s.bytes(1+int(s.next()%100)))
		}
	}
	if set == "churn" {
		for range n / 2 {
			key := pairs[s.next()%uint64(n)].Key
			put(key, s.bytes(17*int(s.next()%3)))
		}
	}
	return pairs
}

// account returns the hashed address and the RLP of an account of no code and no
// storage.
func account(s *splitMix) (key, value []byte) {
	address := s.bytes(20)
	nonce := s.next() % 1000
	balance := s.bytes(int(s.next() % 13))
	for len(balance) > 0 && balance[0] == 0 {
		balance = balance[1:]
	}
	code, hash := keccak.Sum256(nil), keccak.Sum256(address)
	o := oracle{}
	root := EmptyRoot()
	return hash[:], o.list(o.str(trim(nonce)), o.str(balance), o.str(root[:]), o.str(code[:]))
}

// trim returns n in big-endian order without leading zeros.
func trim(n uint64) []byte {
	b := binary.BigEndian.AppendUint64(nil, n)
	for len(b) > 0 && b[0] == 0 {
		b = b[1:]
	}
	return b
}

// knownTries are roots of generated tries, each computed by go-ethereum v1.17.10's
// trie.Trie, by its trie.StackTrie where that can, and by an independent
// recursive builder, and the number of nodes that can be hashed in each level.
var knownTries = []struct {
	set    string
	n      int
	root   string
	levels []int
}{
	{"raw32", 0, "56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421", nil},
	{"raw32", 1, "3bc166702435c878ea5383197fcd13e994a09ca7b461136c48441296ebbe57a8", []int{1}},
	{"raw32", 16, "61e4e2ec16a73ae846ad06d81ca89353c9983bb91711fefc61f5ab9f03bc9e63", []int{16, 5, 1}},
	{"raw32", 1000, "a5cf0ae1184d7f1d9a98cc39c2248a18143d4bebe76bb87107689002dd48fdb5", []int{1000, 250, 98, 16, 5, 1}},
	{"raw32", 50000, "4a13eb72d2e01504c3f85562b33318c7a73d5b55134691c6117319895b097f43", []int{50000, 11836, 4066, 1088, 261, 38, 15, 1}},
	{"account", 1, "7fa0c4f05858a46a448ca207fa111b1a7090938a76acf90b872a1f896d20d92b", []int{1}},
	{"account", 2, "7507ce7237ded03a71ab57d662d19242cf20df5ee066af9aa7c32c997af4a610", []int{2, 1}},
	{"account", 1000, "ea9d343607625f5736ea86a0d04009e7a03c041eb66cfae8be1674ab47e3094a", []int{1000, 250, 83, 17, 9, 1}},
	{"storage", 1, "0fa21cc3e0cd20129992b417ec8e4499865797e43de3b841c04e8b8ad8a03377", []int{1}},
	{"storage", 16, "d08f7266b792bd4b913a30e8fa1272a061e8445d37d79954104032bb6ed4dcb0", []int{16, 6, 1}},
	{"storage", 1000, "1dc089d5268be3cd23b378abf9b4ddc57cba86de41a04203c3ee7b40767558fa", []int{1000, 241, 83, 19, 7, 1}},
	{"storage", 50000, "c471e2fdf69e8b2161646a13f093ea17c59077c036527fec45db383158f186e1", []int{50000, 11900, 4068, 1040, 258, 41, 15, 1}},
	{"short4", 1, "6847def0e2546a0693191c5e9fbf827f690423655857604db72d58d41079427b", []int{1}},
	{"short4", 2, "2bc9d6b61a6eafb33d5adea6bf97d020855734b62972826a5cb4a5b8e5754fac", []int{1}},
	{"short4", 16, "0c5b22ba2e44ca0e58159dc0e09d158f9e1dc6716c18cab79d1543f22ae8eea9", []int{4, 1}},
	{"short4", 1000, "5fa475e29b4d06febc755cc365a0208b3dfc8f5713cd1286c62e5bbb135a0033", []int{221, 58, 16, 1}},
	{"prefix28", 1, "da75c89d64c70e5457693323faaa8530b9ad2b65bfafea74aebafd37873f7d5b", []int{1}},
	{"prefix28", 2, "b1a1ecce197c8fdab1db5d5429e740dcbe3d64471ed4919d7336e652b54bedaa", []int{2, 1, 1}},
	{"prefix28", 16, "46fbe7827b7356826d30802211d2ca69658419a2064761e663795eaeeae6186a", []int{9, 1, 1, 1}},
	{"prefix28", 50000, "009773451e5cc64c90acfb1433b5931d73146eba402d79a8ea3726ec774939ac", []int{22578, 8112, 3561, 646, 236, 24, 11, 1, 1}},
	{"varlen", 2, "b241ca1727d0c8da01f970432b6797a5a2ac0093846a07292e8975860d4a1537", []int{1, 1}},
	{"varlen", 16, "0ac5eaf31fe17fd894db74fe7358d1fab2cacfb3dd8c6bb2444429ec62abf471", []int{8, 4, 1, 1}},
	{"churn", 2, "9ae518da5d517904a29db49fd16d3cbeb535692745f5c67eb7eb2ae1686bf696", []int{2, 1}},
	{"churn", 16, "b7c6aaa3341d5571dd60cd66f9d8243bf98b31df78241395d453faca0b17e3fc", []int{7, 4, 1}},
	{"churn", 1000, "2f9da7c3bbbab6368d2106eb433ebbb91e4afae2733dcf047157464db9166a65", []int{512, 212, 51, 16, 1, 1}},
	{"index", 1, "44feee37eb064288d215192cba305ed7432f5a9be60196ad7f7df733040fcee2", []int{1}},
	{"index", 2, "79d566b00c7f7fd997d5c4d2ec74a571140cef840edcdb5d1df25f0383756153", []int{1, 1}},
	{"index", 127, "2592da0e2e79261462adf15dbcd7cc7436556e6e94b8c06fedcc79e0bcfd52b4", []int{92, 8, 1}},
	{"index", 128, "9fbe6bae97f683e583084252eff64ea55ae08011fae2243ab27fdc80f19330d3", []int{89, 8, 1}},
	{"index", 129, "70dd1c07283737f68dedf75a4d823e70abed56a7896aafbe70599451a857d917", []int{100, 9, 1}},
	{"index", 1000, "b479c7fa45e9751991be94c42fad850b4773b4e8347302316375076c113c09e3", []int{740, 63, 4, 1, 1, 1, 1}},
}

func TestKnownTries(t *testing.T) {
	for _, workers := range []int{1, 2, 5} {
		b := NewBuilder(Options{Workers: workers})
		for _, k := range knownTries {
			if testing.Short() && k.n > 1000 {
				continue
			}
			var levels []int
			timed := WithPhases(ctx, func(p Phases) { levels = p.Levels })
			root, err := b.MPT(timed, generated(k.set, k.n))
			require.NoError(t, err)
			require.Equal(t, k.root, hex.EncodeToString(root[:]), "%s %d", k.set, k.n)
			require.Equal(t, k.levels, levels, "%s %d", k.set, k.n)
		}
	}
}

// Each is the root of the same trie by updates of an empty one.
func TestKnownTriesByUpdate(t *testing.T) {
	for _, k := range knownTries {
		if k.n > 1000 {
			continue
		}
		ops := generated(k.set, k.n)
		for _, step := range []int{1 + len(ops)/20, 1 + len(ops)} {
			nodes, root := new(MemNodes), EmptyRoot()
			u := NewUpdater(nodes, Options{})
			for lo := 0; lo < len(ops); lo += step {
				next, written, err := u.Update(ctx, root, ops[lo:min(len(ops), lo+step)])
				require.NoError(t, err)
				nodes.Apply(written)
				root = next
			}
			require.Equal(t, k.root, hex.EncodeToString(root[:]), "%s %d", k.set, k.n)
		}
	}
}

// From github.com/ethereum/tests, TrieTests (MIT, Copyright 2014 Ethereum
// Foundation): operations as key, value, ..., with no value for a deletion.
func TestEthereumTries(t *testing.T) {
	for name, c := range map[string]struct {
		root string
		ops  []string
	}{
		"singleItem": {"d23786fb4a010da3ce639d66d5e904a11dbc02746d1ce25029e53290cabf28ab",
			[]string{"A", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}},
		"dogs": {"8aad789dff2f538bca5d8ea56e8abe10f4c7ba3a5dea95fea4cd6e7c3a1168d3",
			[]string{"doe", "reindeer", "dog", "puppy", "dogglesworth", "cat"}},
		"puppy": {"5991bb8c6514148a29db676a14ac506cd2cd5775ace63c30a4fe457715e9ac84",
			[]string{"do", "verb", "horse", "stallion", "doge", "coin", "dog", "puppy"}},
		"foo": {"17beaa1648bafa633cda809c90c04af50fc8aed3cb40d16efbddee6fdf63c4c3",
			[]string{"foo", "bar", "food", "bass"}},
		"smallValues": {"3f67c7a47520f79faa29255d2d3c084a7a6df0453116ed7232ff10277a8be68b",
			[]string{"be", "e", "dog", "puppy", "bed", "d"}},
		"testy": {"8452568af70d8d140f58d941338542f645fcca50094b20f3c3d8c3df49337928",
			[]string{"test", "test", "te", "testy"}},
		"emptyValues": {"5991bb8c6514148a29db676a14ac506cd2cd5775ace63c30a4fe457715e9ac84",
			[]string{"do", "verb", "ether", "wookiedoo", "horse", "stallion", "shaman", "horse",
				"doge", "coin", "ether", "", "dog", "puppy", "shaman", ""}},
		"insert-middle-leaf": {"cb65032e2f76c48b82b5c24b3db8f670ce73982869d38cd39a624f23d62a9e89",
			[]string{"key1aa", "0123456789012345678901234567890123456789xxx",
				"key1", "0123456789012345678901234567890123456789Very_Long", "key2bb", "aval3",
				"key2", "short", "key3cc", "aval3", "key3", "1234567890123456789012345678901"}},
		"branch-value-update": {"7a320748f780ad9ad5b0837302075ce0eeba6c26e3d8562c67ccc0f1b273298a",
			[]string{"abc", "123", "abcd", "abcd", "abc", "abc"}},
	} {
		var pairs []Pair
		for i := 0; i < len(c.ops); i += 2 {
			pairs = append(pairs, Pair{[]byte(c.ops[i]), []byte(c.ops[i+1])})
		}
		root := mustMPT(t, pairs)
		require.Equal(t, c.root, hex.EncodeToString(root[:]), name)
	}
	root, err := SecureMPT(ctx, []Pair{
		{[]byte("doe"), []byte("reindeer")}, {[]byte("dog"), []byte("puppy")}, {[]byte("dogglesworth"), []byte("cat")},
	}, Options{})
	require.NoError(t, err)
	require.Equal(t, "d4cd937e4a4368d7931a9cf51686b7e10abb3dce38a39000fd7902a092b64585", hex.EncodeToString(root[:]))
}
