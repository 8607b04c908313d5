package blockstm

import (
	"errors"
	"fmt"
)

var (
	// ErrBusy is returned by [Executor.Execute] while another call of it runs.
	ErrBusy = errors.New("blockstm: the executor is running another block")

	// ErrGoexit is the Value of the *[PanicError] of a transaction whose Run
	// called runtime.Goexit.
	ErrGoexit = errors.New("blockstm: Run called runtime.Goexit")
)

// A BlockError says what is wrong with a [Block] that cannot be run.
type BlockError struct {
	Field  string // the field of Block at fault
	Reason string
}

func (e *BlockError) Error() string { return "blockstm: " + e.Field + " " + e.Reason }

// A PanicError is the result of a transaction whose Run panicked on the state
// that it sees in block order. Its writes are reverted.
type PanicError struct {
	Tx    int    // the transaction
	Value any    // what it panicked with, or ErrGoexit
	Stack []byte // the stack at that point, as runtime/debug.Stack formats it
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("blockstm: transaction %d panicked: %v", e.Tx, e.Value)
}

// Unwrap returns Value if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// A BaseError fails a block because the base state could not be read.
// Transactions before Tx were committed, Tx and those after it were not.
type BaseError struct {
	Tx  int // the transaction that read
	Err error
}

func (e *BaseError) Error() string {
	return fmt.Sprintf("blockstm: transaction %d: reading the base state: %v", e.Tx, e.Err)
}

// Unwrap returns Err.
func (e *BaseError) Unwrap() error { return e.Err }

// A CallbackError fails a block because a function of the caller panicked
// outside of Run: Block.Hints, Options.Commit, or a Block.Sum or Block.Equal
// that does not give the same answer twice.
type CallbackError struct {
	Tx    int // the first transaction that is not committed
	Value any // what it panicked with, or ErrGoexit
	Stack []byte
}

func (e *CallbackError) Error() string {
	return fmt.Sprintf("blockstm: a callback panicked with %d transactions committed: %v", e.Tx, e.Value)
}

// Unwrap returns Value if it is an error.
func (e *CallbackError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}
