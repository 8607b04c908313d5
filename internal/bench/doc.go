// Package bench measures closures against one another: it decides how often
// each runs and in what order, what is reported of the samples, and from which
// batch size one of two overtakes the other. It knows nothing of transforms,
// backends or devices; a caller hands it functions and names.
//
// The goals, in order: a verdict that another run on the same machine would
// give again, clarity, a short run.
//
// Four rules carry the package.
//
//   - A task's first call is never a sample. It compiles, allocates and faults
//     pages in; its time is reported beside the samples (Result.Warmup).
//   - Tasks are interleaved sample by sample, in an order drawn anew for each
//     round. What slows the machine for a while (a clock step, a neighbour)
//     then slows all tasks of a round, and cancels in the ratio of the two
//     samples that a round took (PairedRatio).
//   - The statistic is the median, with the order-statistic interval that
//     covers the true median with at least 95 % whatever the distribution
//     (NewStats). A mean would move with a single stall.
//   - A winner is named only where the whole interval of the paired ratio lies
//     on one side of 1 (FindCrossover); where it does not, that is noise and is
//     reported as such.
//
// Times are in nanoseconds as float64 wherever a statistic is meant, and
// time.Duration wherever a clock or an option is.
package bench
