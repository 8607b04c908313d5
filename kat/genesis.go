package kat

import (
	"compress/gzip"
	"encoding/hex"
	"fmt"
	"io"
	"math/big"
	"strings"
)

const genesisFile = "vectors/stateroot/mainnet_alloc.csv.gz"

// GenesisCSV returns the accounts of Ethereum's first block, as lines of an
// address in hexadecimal, a comma and a balance in decimal, by address. Its
// origin is in vectors/stateroot/SOURCE.md.
func GenesisCSV() ([]byte, error) {
	packed, err := embedded.Open(genesisFile)
	if err != nil {
		return nil, err
	}
	defer packed.Close()
	r, err := gzip.NewReader(packed)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", genesisFile, err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", genesisFile, err)
	}
	return data, nil
}

// genesisEntries returns the first n accounts as entries of a secure trie.
func genesisEntries(n int) ([]Entry, error) {
	data, err := GenesisCSV()
	if err != nil {
		return nil, err
	}
	entries, err := parseAlloc(data)
	if err == nil && n > len(entries) {
		err = fmt.Errorf("%w: %d entries of %d accounts", ErrLength, n, len(entries))
	}
	if err != nil {
		return nil, err
	}
	return entries[:n], nil
}

// parseAlloc reads lines of address and balance.
func parseAlloc(data []byte) ([]Entry, error) {
	var entries []Entry
	for line := range strings.Lines(string(data)) {
		address, balance, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ",")
		key, err := hex.DecodeString(address)
		value, ok := new(big.Int).SetString(balance, 10)
		if err != nil || len(key) != 20 || !ok || value.Sign() < 0 || value.BitLen() > 256 {
			return nil, fmt.Errorf("%w: line %d is no address and balance", ErrSyntax, len(entries)+1)
		}
		entries = append(entries, Entry{key, accountRLP(0, value.Bytes())})
	}
	return entries, nil
}
