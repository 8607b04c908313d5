package workload

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/crosspoint-kernels/crosspoint/blockstm"
	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// Status is how a transaction ended.
type Status uint8

// The ways in which a transaction ends.
const (
	Done     Status = iota
	Failed          // a balance did not suffice
	Reverted        // its writes were taken back
)

// Output is what a transaction leaves beside its writes. Two executions of a
// transaction that read and wrote the same leave the same Output.
type Output struct {
	Status Status
	Reads  uint64 // a digest of keys and values read, in order
	Writes uint64 // a digest of keys and values written, in order
	Work   uint64 // where the chain of Keccak-256 ended
}

func (o *Output) read(k Key, value Value, ok bool)  { o.Reads = fold(o.Reads, k, value, ok) }
func (o *Output) wrote(k Key, value Value, ok bool) { o.Writes = fold(o.Writes, k, value, ok) }

// fold takes an access into a digest. It is bijective in each of its arguments.
func fold(h uint64, k Key, value Value, ok bool) uint64 {
	if ok {
		h++
	}
	h = (h ^ uint64(k)) * 0x9e3779b97f4a7c15
	h ^= h >> 32
	h = (h ^ uint64(value)) * 0xbf58476d1ce4e5b9
	return h ^ h>>29
}

// Digest returns the Keccak-256 over the results of a block in their order, errors
// and panics included.
func Digest(results []blockstm.Result[Output]) [32]byte {
	var h keccak.State
	var line [25]byte
	for i := range results {
		o := &results[i].Output
		line[0] = byte(o.Status)
		binary.BigEndian.PutUint64(line[1:], o.Reads)
		binary.BigEndian.PutUint64(line[9:], o.Writes)
		binary.BigEndian.PutUint64(line[17:], o.Work)
		h.Write(line[:])
		h.Write([]byte(failure(results[i].Err)))
		h.Write([]byte{0})
	}
	return h.Sum256()
}

// failure says why a transaction has an error, in words that do not depend on how
// it was executed: of a panic they leave out the stack.
func failure(err error) string {
	var p *blockstm.PanicError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &p):
		return fmt.Sprintf("panic in transaction %d: %v", p.Tx, p.Value)
	}
	return err.Error()
}
