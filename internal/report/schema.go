package report

import "strings"

// Schema names the layout of [Report]. A reader refuses any other name.
const Schema = "crosspoint/1"

// Verdicts of a [Crossover].
const (
	VerdictFound  = "found"  // one batch size divides losing from winning
	VerdictNever  = "never"  // the reference wins at every batch size up to UpTo
	VerdictAlways = "always" // the backend wins at every batch size measured
	VerdictNoise  = "noise"  // the intervals overlap too much to say
)

// Phases of a [Row], the keys of its Phases map. They need not add up to the
// time of the whole call.
const (
	PhaseUpload   = "upload"   // host to device
	PhaseKernel   = "kernel"   // submission to completion, on resident buffers
	PhaseDownload = "download" // device to host

	// Those of a state root, in the order in which they happen.
	PhaseSort   = "sort"   // the leaves into the order of their keys
	PhaseBuild  = "build"  // the shape of the trie from them
	PhasePack   = "pack"   // a place for each node in the batch of its level
	PhaseEncode = "encode" // the nodes
	PhaseHash   = "hash"   // nodes, and keys of a secure trie; transfers included
)

// Readings of the Pulsar hot path, the values of [HotPath].Reading.
const (
	// ReadingPaper is the paper's count: 8·7·48 = 2,688 forward transforms per
	// signature.
	ReadingPaper = "paper"
	// ReadingRound1 is what one party of Ringtail does in Round 1: 735 forward
	// transforms, 735 conversions to Montgomery form and 2,744
	// multiply-accumulates, as one resident chain.
	ReadingRound1 = "round1"
)

// HotPathOp is the Op of a [Crossover] over signatures in flight; such a
// crossover counts signers where others count polynomials.
func HotPathOp(reading string) string { return hotPathPrefix + reading }

const hotPathPrefix = "hotpath/"

func isHotPath(op string) bool { return strings.HasPrefix(op, hotPathPrefix) }

// Report is one run of the sweep: what was measured, where, and what follows
// from it. Rows, Fits, Crossovers, HotPath and Blocks are printed in the order given.
type Report struct {
	Schema     string      `json:"schema"`
	Machine    Machine     `json:"machine"`
	Commit     string      `json:"commit"`
	Command    string      `json:"command"`
	Rows       []Row       `json:"rows"`
	Fits       []Fit       `json:"fits"`
	Crossovers []Crossover `json:"crossovers"`
	HotPath    []HotPath   `json:"hot_path,omitempty"`
	Blocks     []Block     `json:"block_stm,omitempty"`
	// Partial is set when the run was interrupted: the rows are those that
	// finished.
	Partial bool `json:"partial,omitempty"`
}

// Machine describes the host and the devices that took part.
type Machine struct {
	OS        string   `json:"os"`
	Arch      string   `json:"arch"`
	CPU       string   `json:"cpu"`
	Cores     int      `json:"cores"`
	GoVersion string   `json:"go_version"`
	Devices   []Device `json:"devices"`
}

// Device is what one backend ran on. Software marks a device that is emulated
// on the CPU, such as lavapipe.
type Device struct {
	Backend  string `json:"backend"`
	Name     string `json:"name"`
	Driver   string `json:"driver"`
	Software bool   `json:"software"`
}

// Row is one cell: an operation on one backend at one batch size.
type Row struct {
	// Op is the operation, "ntt/forward" or, for short, "forward": a name
	// without a family belongs to the NTT.
	Op       string `json:"op"`
	Backend  string `json:"backend"`
	Device   string `json:"device"`
	Software bool   `json:"software"`
	// Params are what defines the operation: for the NTT ring (a name, or
	// N,q[,psi] for a ring without one), n (the degree) and q; for Keccak-256
	// len, the bytes of a message; for a root set, what its state was made by.
	Params map[string]string `json:"params"`
	// Batch is the number of rows of one call: polynomials, messages, or the
	// leaves of a state.
	Batch int `json:"batch"`
	// Resident says that the rows stayed on the device between calls.
	Resident bool `json:"resident"`
	// NsPerRow is the median time of a call divided by Batch, in nanoseconds;
	// Lo and Hi bound its 95 % order-statistic interval in the same unit.
	NsPerRow float64 `json:"ns_per_row"`
	Lo       float64 `json:"lo"`
	Hi       float64 `json:"hi"`
	// Speedup says how many times as fast as other backends this one was at the same
	// batch, by their names: the ratio of two samples from the same round, its median
	// and 95 % interval over the rounds. Above 1 this one is faster. What slows the
	// machine for a while cancels in it, as it does not in the ratio of two medians.
	// It holds cpu and, for a device, every other CPU code; it may be absent.
	Speedup map[string]Ratio `json:"speedup,omitempty"`
	// Phases are nanoseconds per batch, by phase name.
	Phases map[string]float64 `json:"phases"`
	// PhaseError says why a row that has a time has no phases although they were
	// to be measured; empty otherwise.
	PhaseError string `json:"phase_error,omitempty"`
	Samples    int    `json:"samples"`
	// Root is the state root that was computed, in hexadecimal; empty where the
	// operation is another.
	Root string `json:"root,omitempty"`
	// Verified says that the bytes were compared with the reference, and found
	// equal, before anything was timed.
	Verified bool `json:"verified"`
	// Searched says that nobody asked for this size: the search for a crossover
	// measured it.
	Searched bool `json:"searched,omitempty"`
	// Error says why there is no time; empty for a row that was measured.
	Error string `json:"error,omitempty"`
	// Unsupported says that Error is no failure: the backend cannot do this.
	Unsupported bool `json:"unsupported,omitempty"`
}

// Ratio is a median with its 95 % order-statistic interval, all positive.
type Ratio struct {
	Median float64 `json:"median"`
	Lo     float64 `json:"lo"`
	Hi     float64 `json:"hi"`
}

// Fit is the line T(n) = D + τ·n through one backend's times of a whole batch.
type Fit struct {
	Op       string            `json:"op"`
	Params   map[string]string `json:"params"`
	Backend  string            `json:"backend"`
	Resident bool              `json:"resident"`
	DNs      float64           `json:"D_ns"`   // fixed cost of a call, ns
	TauNs    float64           `json:"tau_ns"` // marginal cost of a row, ns
	// MaxError is the largest relative error of the line over the points that
	// were fitted, as a fraction. Above 0.2 the line does not describe them, and
	// nothing is predicted from it.
	MaxError float64 `json:"max_error"`
}

// Crossover says from which batch size Backend beats Against, end to end.
type Crossover struct {
	Op       string            `json:"op"`
	Params   map[string]string `json:"params"`
	Backend  string            `json:"backend"`
	Against  string            `json:"against"`
	Resident bool              `json:"resident"`
	// Batch is the batch size at which the two are equal, nil unless the
	// verdict is found.
	Batch *int `json:"batch"`
	// Lo is the largest batch size at which Against wins outright, Hi the
	// smallest from which Backend wins outright at every larger one; 0 for none.
	Lo int `json:"lo"`
	Hi int `json:"hi"`
	// WonTo is the largest batch size up to which Backend wins outright at every one
	// measured; 0 for none.
	WonTo int `json:"won_to,omitempty"`
	// Verdict is one of the Verdict constants, UpTo the largest batch measured.
	Verdict string `json:"verdict"`
	UpTo    int    `json:"up_to"`
	// Predicted is where the two fits cross, nil if they do not or if one of them
	// does not describe its points.
	Predicted *float64 `json:"predicted"`
	// SignChanges are the measured batch sizes after which the winner changed: each
	// is the last that one side won outright before the other did.
	SignChanges []int `json:"sign_changes,omitempty"`
}

// HotPath is one timing of the Pulsar hot path with Signers signatures in flight.
type HotPath struct {
	Reading  string `json:"reading"`
	Backend  string `json:"backend"`
	Device   string `json:"device"`
	Software bool   `json:"software"`
	Signers  int    `json:"signers"`
	// Ns is the median time of the whole batch of signatures, in nanoseconds,
	// with its 95 % interval.
	Ns float64 `json:"ns"`
	Lo float64 `json:"lo"`
	Hi float64 `json:"hi"`
	// Share is the fraction of a signature's total time that this work makes
	// up, in (0, 1]; 0 when it is not known.
	Share    float64 `json:"share"`
	Samples  int     `json:"samples"`
	Verified bool    `json:"verified"`
	// Searched is as in [Row].
	Searched bool   `json:"searched,omitempty"`
	Error    string `json:"error,omitempty"`
}
