package blocksuite

import (
	"fmt"

	"github.com/crosspoint-kernels/crosspoint/blockstm/workload"
)

// Load is a kind of block, and its name in a report.
type Load struct {
	Name   string
	Config workload.Config // N, Gas, Seed and Deltas are set where it is used
}

// Conflict is the mix with so many parts per million of it in conflict.
func Conflict(ppm int) Load {
	return Load{fmt.Sprintf("%g %%", float64(ppm)/1e4), workload.Config{Profile: workload.Mixed, Conflict: ppm}}
}

// The loads that have names. HotLoad and OneSlotLoad are the two that are called
// pathological elsewhere: some classes of transactions meet in one key each, or
// all of them do.
func HotLoad() Load     { return Load{"hot", workload.Config{Profile: workload.Hot}} }
func OneSlotLoad() Load { return Load{"one slot", workload.Config{Profile: workload.OneSlot}} }
func DynamicLoad() Load { return Load{"dynamic", workload.Config{Profile: workload.Dynamic}} }

// ReportedLoads are those of the report that the mix is a reconstruction of.
func ReportedLoads() []Load {
	return []Load{Conflict(0), Conflict(100_000), Conflict(500_000), HotLoad()}
}

// BenchLoads are those of its execution phase.
func BenchLoads() []Load {
	return []Load{Conflict(20_000), Conflict(150_000), Conflict(800_000), OneSlotLoad()}
}

// HarnessLoads are the six profiles that are compared with the sequential run.
func HarnessLoads() []Load {
	return append(ReportedLoads(), OneSlotLoad(), DynamicLoad())
}

// TransfersLoad is transfers alone, each of which reads two balances.
func TransfersLoad() Load { return Load{"transfers", workload.Config{Profile: workload.Transfers}} }
