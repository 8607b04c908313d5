package report

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Tables of Block-STM, the values of [Block].Table.
const (
	BlockHarness  = "harness"  // blocks compared with the sequential run
	BlockBench    = "bench"    // execution alone
	BlockEndToEnd = "endtoend" // execution, commit and root
	BlockGas      = "gas"      // the same at several costs of a transaction
	BlockSimulate = "simulate" // in virtual time, beside the runs that it is checked by
)

// Runs of a block, the values of [Block].Run.
const (
	RunSequential  = "sequential"   // no executor: the baseline
	RunControl     = "control"      // disjoint parts of the block, each sequentially, at once: what the machine gives
	RunEvenControl = "even-control" // the same, as if no part had been held up more than the others
	RunParallel    = "parallel"     // the executor
)

// Phases of a block, keys of a Row's Phases.
const (
	PhaseExec   = "exec"
	PhaseCommit = "commit"
	PhaseRoot   = "root"
)

// Span is a median in nanoseconds with its 95 % order-statistic interval.
type Span struct {
	Median float64 `json:"median"`
	Lo     float64 `json:"lo"`
	Hi     float64 `json:"hi"`
}

// Block is one way of running a block of transactions. Every ratio is the median
// of ratios of two runs from the same repetition.
type Block struct {
	Table string `json:"table"`
	// Load names what the block is made of: "10 %", "hot".
	Load         string `json:"load"`
	Transactions int    `json:"transactions"`
	Gas          int    `json:"gas"`
	Deltas       bool   `json:"deltas,omitempty"`
	Keys         int    `json:"keys,omitempty"` // that the block writes
	// Latency is how long a read of the state before the block was measured to take,
	// in ns; 0 where it is in memory.
	Latency float64 `json:"latency_ns,omitempty"`
	// Processors is GOMAXPROCS where it was raised so that blocked reads overlap.
	Processors int    `json:"processors,omitempty"`
	Run        string `json:"run"`
	Workers    int    `json:"workers"`
	// Simulated says that nothing here was timed: it was computed in virtual time.
	Simulated bool `json:"simulated,omitempty"`

	// RootKind, Backend, Device and Software say what hashed which root; empty
	// where there is none.
	RootKind string `json:"root_kind,omitempty"`
	Backend  string `json:"backend,omitempty"`
	Device   string `json:"device,omitempty"`
	Software bool   `json:"software,omitempty"`
	// Root is the root in hexadecimal, that of the sequential run.
	Root string `json:"root,omitempty"`

	// Exec, Commit and RootTime are what each phase adds to the time of the block,
	// EndToEnd their sum; CommitBusy and RootBusy include what the execution hid.
	Exec       Span    `json:"exec_ns"`
	Commit     Span    `json:"commit_ns"`
	RootTime   Span    `json:"root_ns"`
	EndToEnd   Span    `json:"end_to_end_ns"`
	CommitBusy float64 `json:"commit_busy_ns,omitempty"`
	RootBusy   float64 `json:"root_busy_ns,omitempty"`
	// CPU is the time of all processors together over that of the sequential run, of
	// the whole block; nil where the system does not tell, and of a control beside
	// blocks that end in a root, which it does not.
	CPU *Ratio `json:"cpu,omitempty"`
	// Overhead is what the executor adds to a transaction on one worker, in ns, the
	// median of the differences to the sequential run; noise may make it negative.
	Overhead *float64 `json:"overhead_ns,omitempty"`

	// ExecSpeedup and EndToEndSpeedup are over the sequential run; ...OfControl and
	// ...OfEven are those over the speed-up of the control and of the even control,
	// which are of the execution alone; nil where there is none.
	ExecSpeedup       *Ratio `json:"exec_speedup,omitempty"`
	EndToEndSpeedup   *Ratio `json:"end_to_end_speedup,omitempty"`
	ExecOfControl     *Ratio `json:"exec_of_control,omitempty"`
	EndToEndOfControl *Ratio `json:"end_to_end_of_control,omitempty"`
	ExecOfEven        *Ratio `json:"exec_of_even,omitempty"`
	EndToEndOfEven    *Ratio `json:"end_to_end_of_even,omitempty"`
	// Ceiling is Amdahl's: sequential / (sequential execution / workers + tail),
	// where the tail is the commit and root of this run. AboveCeiling counts the
	// repetitions that were faster, which is noise or a baseline that is too slow.
	Ceiling      *Ratio `json:"ceiling,omitempty"`
	AboveCeiling int    `json:"above_ceiling,omitempty"`

	TPS float64 `json:"tps,omitempty"` // transactions per second, end to end (of the execution in a bench)
	// Abort is (executions - transactions) / transactions, the mean over the samples.
	Abort float64 `json:"abort"`
	Tail  float64 `json:"tail,omitempty"` // share of commit and root in the end to end time

	// Deviation is how far a simulated time lies from the measured one, relative
	// to it; nil where nothing was measured.
	Deviation *float64 `json:"deviation,omitempty"`
	// Model is what a simulated time was computed from; nil for a measured one.
	Model *Model `json:"model,omitempty"`

	Samples int `json:"samples"`
	// Mismatches counts, in a harness, the samples that differed.
	Mismatches int `json:"mismatches,omitempty"`
	// Verified says that each run gave the state, the root and the outputs of the
	// sequential one.
	Verified bool   `json:"verified"`
	Error    string `json:"error,omitempty"`
}

// Model is what a simulation goes by. All of it was measured of the block that is
// simulated, on one core and on two; times are in ns.
type Model struct {
	Transaction float64 `json:"transaction_ns"` // the mean cost of one by itself
	Overhead    float64 `json:"overhead_ns"`    // what the executor adds to it, on one worker
	Commit      float64 `json:"commit_ns"`      // the part of that which one worker at a time does
	Slowdown    float64 `json:"slowdown"`       // of each core where there are several, over one alone
	SerialTail  float64 `json:"serial_tail_ns"` // commit and root: what is not shared out
	SharedTail  float64 `json:"shared_tail_ns"` // and what is, on one worker
}

// familyBlocks is the family of the operations that blocks are as rows.
const familyBlocks = "blockstm"

// row states a block as a row, with transactions for polynomials. ok is false for
// one that was not timed.
func (b *Block) row() (row Row, ok bool) {
	if b.Simulated || b.Table == BlockHarness || b.Table == BlockSimulate || b.Run == RunControl || b.Run == RunEvenControl {
		return row, false
	}
	n := float64(max(b.Transactions, 1))
	row = Row{
		Op: familyBlocks + "/" + b.Table, Backend: b.Backend, Device: b.Device, Software: b.Software,
		Params: map[string]string{
			"load": b.Load, "gas": strconv.Itoa(b.Gas), "run": b.Run, "workers": strconv.Itoa(b.Workers),
		},
		Batch: b.Transactions, NsPerRow: b.EndToEnd.Median / n, Lo: b.EndToEnd.Lo / n, Hi: b.EndToEnd.Hi / n,
		Phases:  map[string]float64{PhaseExec: b.Exec.Median},
		Samples: b.Samples, Root: b.Root, Verified: b.Verified, Error: b.Error,
	}
	if b.Deltas {
		row.Params["deltas"] = "true"
	}
	if b.RootKind != "" {
		row.Params["root"] = b.RootKind
		row.Phases[PhaseCommit], row.Phases[PhaseRoot] = b.Commit.Median, b.RootTime.Median
	}
	if b.Backend == "" {
		row.Backend = reference
	}
	return row, true
}

// checkValues refuses numbers that no measurement can give.
func (b *Block) checkValues() error {
	if min(b.Transactions, b.Workers, b.Samples, b.Mismatches, b.Gas, b.Processors, b.AboveCeiling) < 0 {
		return errors.New("a count is negative")
	}
	for _, s := range []Span{b.Exec, b.Commit, b.RootTime, b.EndToEnd} {
		if !areTimes(s.Median, s.Lo, s.Hi) {
			return errors.New("a time is negative or not finite")
		}
	}
	if !areTimes(b.Latency, b.CommitBusy, b.RootBusy, b.TPS, b.Abort, b.Tail) {
		return errors.New("a number is negative or not finite")
	}
	for _, r := range []*Ratio{b.CPU, b.ExecSpeedup, b.EndToEndSpeedup, b.ExecOfControl, b.EndToEndOfControl,
		b.ExecOfEven, b.EndToEndOfEven, b.Ceiling} {
		if r != nil && !areTimes(r.Median, r.Lo, r.Hi) {
			return errors.New("a ratio is negative or not finite")
		}
	}
	for _, x := range []*float64{b.Deviation, b.Overhead} {
		if x != nil && !isFinite(*x) {
			return errors.New("a difference is not finite")
		}
	}
	if m := b.Model; m != nil && !areTimes(m.Transaction, m.Overhead, m.Commit, m.Slowdown, m.SerialTail, m.SharedTail) {
		return errors.New("a number of the model is negative or not finite")
	}
	return nil
}

func (r *Report) checkBlocks() error {
	for i := range r.Blocks {
		if err := r.Blocks[i].checkValues(); err != nil {
			return fmt.Errorf("%w: block %d: %w", ErrValue, i, err)
		}
	}
	return nil
}

// blockGroup is the blocks of one table.
type blockGroup struct {
	table  string
	title  string
	blocks []*Block
}

// groupBlocks gathers blocks into tables, in order of first appearance: a bench, a
// gas sweep and a harness are one table each, the others one for each load.
func (r *Report) groupBlocks() []*blockGroup {
	var groups []*blockGroup
	byTitle := map[string]*blockGroup{}
	for i := range r.Blocks {
		b := &r.Blocks[i]
		title := b.title()
		g := byTitle[title]
		if g == nil {
			g = &blockGroup{table: b.Table, title: title}
			byTitle[title] = g
			groups = append(groups, g)
		}
		g.blocks = append(g.blocks, b)
	}
	return groups
}

// title names the table that a block belongs to.
func (b *Block) title() string {
	var s string
	switch b.Table {
	case BlockHarness:
		return "Block-STM harness"
	case BlockBench:
		s = fmt.Sprintf("Block-STM execution, gas %d", b.Gas)
	case BlockGas:
		s = "Block-STM gas sweep"
	case BlockSimulate:
		s = fmt.Sprintf("Block-STM simulated, %s, gas %d", b.loadTitle(), b.Gas)
	default:
		s = fmt.Sprintf("Block-STM end to end, %s, gas %d", b.loadTitle(), b.Gas)
	}
	s += ", " + thousands(b.Transactions) + " transactions"
	if b.Deltas {
		s += ", deltas"
	}
	if b.RootKind != "" {
		s += ", " + b.RootKind + " root on " + label(b.Backend, b.Software)
	}
	return oneLine(s)
}

// loadTitle says of a load that is only a percentage what it is a percentage of.
func (b *Block) loadTitle() string {
	switch name, axes, _ := strings.Cut(b.Load, ","); {
	case strings.HasSuffix(name, "%") && axes == "":
		return b.Load + " conflict"
	case strings.HasSuffix(name, "%"):
		return name + " conflict," + axes
	}
	return b.Load
}
