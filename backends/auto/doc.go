// Package auto is the backend that sends each call where it will finish first. It
// holds every CPU backend of the program, with all its threads and with one, and any
// number of devices; it knows what each takes for an operation from measurements of its
// own, and computes nothing itself.
//
// # What it knows
//
// For each operation of a ring, and for each length of message, it keeps a curve of
// time over rows for every backend: see curve for why that is more than one line. The
// first call measures them, with a few batch sizes that take little memory, in half a
// second unless a single row takes long; so does Explain; a Table measured before
// spares that. Calls that come while another one measures run on a CPU. What it then
// observes moves the curves: a call that takes 10 µs or more is timed each time, a
// shorter one each 64th time.
//
// Of the curves it makes a decision: which backend for which number of rows, as a
// short list of limits. That is all that a short call looks at: no lock, no memory,
// no clock. A decision is only left for one that is 5 % faster, so that noise does not
// flap. A size past all that was measured of a backend is tried, and now and then the
// second best of any size, on calls that have to be made anyway, where no more than
// twice the time is expected.
//
// # What it promises
//
// The bytes, the errors and their order are those of any backend: see
// backends.Plan. A device that is lost is dropped and the call resumed on a CPU from
// the rows that were done, which a device reports in its error; so callers see no
// error, but Options.OnEvent, Events and Timing.Route tell of it. That is a promise
// that the other backends do not make: they never replace one another. What is wrong
// with a call itself is never taken for the failure of a device.
//
// A batch of a plan stays where NewBatch put it, or moves to where the result of a
// product is. With a device that is lost its rows are lost too, and its error says so.
//
// # Splitting
//
// A large call can be split between the fastest CPU and one device, each at work on
// rows of its own, where that is measured to finish sooner. All coefficients are
// checked before, and an end of the context is looked at between rounds that are
// expected to take 50 ms, so that rows [0, Done) are final and the others untouched
// also where both parts write at once; but for a plan that is closed under the call,
// whose device may have written more. A software device is never split with the CPU that
// it runs on.
package auto
