package main

import (
	"bufio"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"

	"github.com/crosspoint-kernels/crosspoint/internal/suite"
)

// A leafFormat is what the two fields of a line of a file mean.
type leafFormat struct {
	name   string
	header [2]string // that a first line may hold, in any case
	secure bool      // keys are hashed
	key    func(field string) ([]byte, error)
	value  func(field string) ([]byte, error)
}

// leafFormats are the values of --as, the default first.
var leafFormats = []leafFormat{
	{"accounts", [2]string{"address", "balance"}, true, parseAddress, parseAccount},
	{"raw", [2]string{"key", "value"}, false, parseKey, parseValue},
	{"secure", [2]string{"key", "value"}, true, parseKey, parseValue},
}

func leafFormatNames() []string {
	var names []string
	for _, f := range leafFormats {
		names = append(names, f.name)
	}
	return names
}

func parseLeafFormat(name string) (leafFormat, error) {
	i := slices.Index(leafFormatNames(), name)
	if i < 0 {
		return leafFormat{}, fmt.Errorf("unknown format %q; there are %s", name, strings.Join(leafFormatNames(), ", "))
	}
	return leafFormats[i], nil
}

// Why a line is refused. A *lineError wraps one of them, or the *csv.ParseError of
// a line that is none of CSV.
var (
	errFields   = errors.New("not two fields parted by a comma")
	errHex      = errors.New("not hexadecimal")
	errOdd      = errors.New("an odd number of hexadecimal digits; a byte is two")
	errAddress  = errors.New("an address is 20 bytes, 40 hexadecimal digits")
	errBalance  = errors.New("a balance is a decimal number from 0 to 2^256-1")
	errEmptyKey = errors.New("there is no key; the empty one is written 0x")
)

// errGzip is wrapped by the error about a file that is packed.
var errGzip = errors.New("gzip: unpack it first")

// gzipMagic is what RFC 1952 begins a packed file with.
const gzipMagic = "\x1f\x8b"

// lineError says which line of a file is wrong, and in what way.
type lineError struct {
	path string
	line int // from 1
	err  error
}

func (e *lineError) Error() string { return fmt.Sprintf("%s:%d: %v", e.path, e.line, e.err) }
func (e *lineError) Unwrap() error { return e.err }

// leaves are what a file holds.
type leaves struct {
	pairs    []suite.Pair // as in the file: equal keys too
	repeated int          // keys that an earlier line has
	at       int          // line of the first of them
}

// byteOrderMark is what some editors begin a UTF-8 file with.
const byteOrderMark = "\ufeff"

// readLeaves reads lines of two fields, by RFC 4180 and with room for blanks
// around a field. Empty lines are skipped, and the first other one may be the
// header. An empty file has no leaves. The error is a *lineError, the reader's, or
// wraps errGzip.
func readLeaves(r io.Reader, path string, f leafFormat) (leaves, error) {
	text := bufio.NewReader(r)
	if mark, _ := text.Peek(len(byteOrderMark)); string(mark) == byteOrderMark {
		text.Discard(len(mark))
	}
	if magic, _ := text.Peek(len(gzipMagic)); string(magic) == gzipMagic {
		return leaves{}, fmt.Errorf("%s: %w", path, errGzip)
	}
	in := csv.NewReader(text)
	in.FieldsPerRecord = -1
	in.ReuseRecord = true
	in.TrimLeadingSpace = true
	var found leaves
	seen := map[string]struct{}{}
	for first := true; ; {
		record, err := in.Read()
		if errors.Is(err, io.EOF) {
			return found, nil
		}
		if err != nil {
			var syntax *csv.ParseError
			if errors.As(err, &syntax) {
				return leaves{}, &lineError{path, syntax.Line, syntax.Err}
			}
			return leaves{}, fmt.Errorf("%s: %w", path, err)
		}
		line, _ := in.FieldPos(0)
		if trim(record); len(record) == 1 && record[0] == "" {
			continue
		}
		opening := first
		if first = false; opening && f.isHeader(record) {
			continue
		}
		pair, err := f.parse(record)
		if err != nil {
			if hint := f.hint(record); opening && hint != "" {
				err = fmt.Errorf("%w; %s", err, hint)
			}
			return leaves{}, &lineError{path, line, err}
		}
		if _, again := seen[string(pair.Key)]; again {
			if found.repeated++; found.repeated == 1 {
				found.at = line
			}
		}
		seen[string(pair.Key)] = struct{}{}
		found.pairs = append(found.pairs, pair)
	}
}

func trim(record []string) {
	for i := range record {
		record[i] = strings.TrimSpace(record[i])
	}
}

func (f *leafFormat) isHeader(record []string) bool {
	return len(record) == 2 && strings.EqualFold(record[0], f.header[0]) && strings.EqualFold(record[1], f.header[1])
}

func (f *leafFormat) parse(record []string) (p suite.Pair, err error) {
	if len(record) != 2 {
		return p, errFields
	}
	if p.Key, err = f.key(record[0]); err == nil {
		p.Value, err = f.value(record[1])
	}
	return p, err
}

// hint says which formats a record fits that does not fit f, empty for none. It is
// for the first line: a later one is more likely to be a slip.
func (f *leafFormat) hint(record []string) string {
	for _, other := range leafFormats {
		if _, err := other.parse(record); (err != nil && !other.isHeader(record)) || other.header == f.header {
			continue
		}
		if other.name == leafFormats[0].name {
			return "--as accounts reads addresses and balances"
		}
		return "--as raw or secure reads keys and values"
	}
	return ""
}

// parseHex reads hexadecimal digits with or without 0x before them.
func parseHex(field string) ([]byte, error) {
	digits, ok := strings.CutPrefix(field, "0x")
	if !ok {
		digits = strings.TrimPrefix(field, "0X")
	}
	b, err := hex.DecodeString(digits)
	switch {
	case errors.Is(err, hex.ErrLength):
		return nil, errOdd
	case err != nil:
		return nil, errHex
	}
	return b, nil
}

func parseAddress(field string) ([]byte, error) {
	b, err := parseHex(field)
	if err != nil || len(b) != 20 {
		return nil, errAddress
	}
	return b, nil
}

func parseKey(field string) ([]byte, error) {
	if field == "" {
		return nil, errEmptyKey
	}
	return parseHex(field)
}

// parseValue reads a value, which is empty where the key is to be deleted.
func parseValue(field string) ([]byte, error) { return parseHex(field) }

// maxDigits is the length of 2^256-1 in decimal.
const maxDigits = 78

// parseAccount reads a balance as the account that holds it, and else nothing.
func parseAccount(field string) ([]byte, error) {
	digits := strings.TrimLeft(field, "0")
	if field == "" || strings.Trim(field, "0123456789") != "" || len(digits) > maxDigits {
		return nil, errBalance
	}
	balance, ok := new(big.Int).SetString("0"+digits, 10)
	if !ok || balance.BitLen() > 256 {
		return nil, errBalance
	}
	return accountRLP(balance.Bytes()), nil
}

// noCodeNoStorage is what an account without storage and code ends with: the
// Keccak-256 of the empty trie's node 0x80 and of nothing, as RLP.
const noCodeNoStorage = "\xa0\x56\xe8\x1f\x17\x1b\xcc\x55\xa6\xff\x83\x45\xe6\x92\xc0\xf8\x6e\x5b\x48\xe0\x1b\x99\x6c\xad\xc0\x01\x62\x2f\xb5\xe3\x63\xb4\x21" +
	"\xa0\xc5\xd2\x46\x01\x86\xf7\x23\x3c\x92\x7e\x7d\xb2\xdc\xc7\x03\xc0\xe5\x00\xb6\x53\xca\x82\x27\x3b\x7b\xfa\xd8\x04\x5d\x85\xa4\x70"

// accountRLP encodes an account with nonce 0 and that balance, big-endian without
// leading zeros and of at most 32 bytes. The payload has 68 to 100 bytes, whose
// length RLP writes in one byte after 0xf8.
func accountRLP(balance []byte) []byte {
	payload := []byte{0x80}
	if len(balance) != 1 || balance[0] >= 0x80 {
		payload = append(payload, 0x80+byte(len(balance)))
	}
	payload = append(append(payload, balance...), noCodeNoStorage...)
	return append([]byte{0xf8, byte(len(payload))}, payload...)
}
