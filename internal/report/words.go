package report

import (
	"fmt"
	"strconv"
)

// Families of operations besides the transform's: the Op of a [Row] is one of
// KeccakOp, with the parameter [ParamLen], or that of [RootOp], with [ParamSet].
const (
	// KeccakOp is Keccak-256 of a batch of messages of one length.
	KeccakOp = "keccak/256"
	// ParamLen is the length of a message in bytes.
	ParamLen = "len"
	// ParamSet names the rule that a state was made by, or its file.
	ParamSet = "set"

	familyKeccak = "keccak"
	familyRoot   = "root"
)

// RootOp is the Op of the root of a state, which counts leaves where others
// count polynomials; kind is flat, merkle or mpt.
func RootOp(kind string) string { return familyRoot + "/" + kind }

// words are what a family of operations calls its rows and its calls.
type words struct {
	row     string // in prose, of one: "polynomial"
	per     string // in the head of a column: "poly"
	call    string // what one call makes: "batch"
	caption string // what is timed, for a caption
	n       string // the head of the column of sizes, a key of a Go benchmark too
	axis    string
	before  string // around a size in prose: "batch 512"
	after   string
	most    string // the largest size: "largest"
}

var (
	transformWords = words{
		row: "polynomial", per: "poly", call: "batch",
		caption: "per polynomial and per batch of n polynomials",
		n:       "n", axis: "polynomials per call, n", before: "batch ", most: "largest",
	}
	messageWords = words{
		row: "message", per: "hash", call: "batch",
		caption: "per hash and per batch of n messages",
		n:       "n", axis: "messages per batch, n", before: "batch ", most: "largest",
	}
	leafWords = words{
		row: "leaf", per: "leaf", call: "root",
		caption: "per leaf and per root of a state of so many leaves",
		n:       "leaves", axis: "leaves", after: " leaves", most: "most",
	}
	transactionWords = words{
		row: "transaction", per: "tx", call: "block",
		caption: "per transaction and per block of n transactions",
		n:       "n", axis: "transactions per block, n", after: " transactions", most: "most",
	}
	signatureWords = words{
		row: "signature", per: "signature", call: "batch",
		caption: "per signature and per batch of k signatures in flight",
		n:       "k", axis: "signatures in flight, k", before: "k = ", most: "most",
	}
)

// wordsOf are the words of an operation's family.
func wordsOf(op string) words {
	if isHotPath(op) {
		return signatureWords
	}
	switch family, _ := splitOp(op); family {
	case familyKeccak:
		return messageWords
	case familyRoot:
		return leafWords
	case familyBlocks:
		return transactionWords
	}
	return transformWords
}

// size names a number of rows: "batch 512", "1996 leaves".
func (w words) size(n int) string { return fmt.Sprintf("%s%d%s", w.before, n, w.after) }

// everySize is where a verdict without exception holds.
func (w words) everySize(upTo int) string {
	if w.before == "" {
		return "at every size up to " + w.size(upTo)
	}
	return fmt.Sprintf("at every batch size up to %d", upTo)
}

// messageLen is the length of the row's messages in bytes, 0 where it has none.
func (row *Row) messageLen() int {
	if row.Op != KeccakOp {
		return 0
	}
	n, err := strconv.Atoi(row.Params[ParamLen])
	if err != nil {
		return 0
	}
	return max(n, 0)
}
