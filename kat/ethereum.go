package kat

import (
	"fmt"
	"path"
	"strings"
)

const trieTestFolder = "vectors/stateroot/trietests"

// trieTestFiles are those of TrieTests that have roots.
var trieTestFiles = []struct {
	name   string
	secure bool
}{
	{"trietest", false},
	{"trieanyorder", false},
	{"trietest_secureTrie", true},
	{"trieanyorder_secureTrie", true},
	{"hex_encoded_securetrie_test", true},
}

// ethereumTests returns the files of ethereum/tests, which are kept as they
// are, as one of ours.
func ethereumTests() (File, error) {
	f := File{Name: "ethereum-tests", Schema: Schema, Provenance: Provenance{
		Source:  "github.com/ethereum/tests 4c87ebbf, TrieTests and BasicTests/genesishashestest.json, byte for byte",
		Licence: "MIT, copyright 2014 Ethereum Foundation",
		Note:    "the accounts of the genesis block: github.com/ethereum/execution-specs 1626a8c1, CC0-1.0",
	}}
	for _, t := range trieTestFiles {
		data, err := readTrieTest(t.name)
		if err != nil {
			return f, err
		}
		vectors, err := ParseTrieTest(data, t.secure)
		if err != nil {
			return f, fmt.Errorf("%s: %w", t.name, err)
		}
		for _, v := range vectors {
			v.Name = t.name + "/" + v.Name
			f.Roots = append(f.Roots, v)
		}
	}
	return f, f.addGenesis()
}

// addGenesis appends the header of Ethereum's first block with its hash, and its
// accounts with their root.
func (f *File) addGenesis() error {
	data, err := readTrieTest("genesishashestest")
	if err != nil {
		return err
	}
	var j struct {
		Block string `json:"genesis_rlp_hex"`
		Root  string `json:"genesis_state_root"`
		Hash  string `json:"genesis_hash"`
	}
	if err := strictJSON(data, &j); err != nil {
		return fmt.Errorf("genesishashestest: %w", err)
	}
	// A block is a list of its header, its transactions and its uncles, and its
	// hash that of the header. The first block has neither of the others.
	header, ok := strings.CutPrefix(j.Block, "f90219")
	header, bare := strings.CutSuffix(header, "c0c0")
	if !ok || !bare {
		return fmt.Errorf("genesishashestest: %w: not a header and two empty lists", ErrSyntax)
	}
	hash := hashJSON{Name: "genesis/header", Function: Keccak256,
		Message: messageJSON{Hex: &header}, Output: &j.Hash}
	h, err := hash.parse()
	if err != nil {
		return fmt.Errorf("genesishashestest: %w", err)
	}
	root := rootJSON{Name: "genesis/accounts", Kind: MPT, Secure: true,
		Entries: entriesJSON{Rule: RuleGenesis, N: 8893}, Root: j.Root}
	r, err := root.parse()
	if err != nil {
		return fmt.Errorf("genesishashestest: %w", err)
	}
	f.Hashes, f.Roots = append(f.Hashes, h), append(f.Roots, r)
	return nil
}

func readTrieTest(name string) ([]byte, error) {
	return embedded.ReadFile(path.Join(trieTestFolder, name+".json"))
}
