// Package device is the host side of every GPU backend, written once over
// gpu.Device: it compiles the kernels of a ring, cuts a call into chunks, packs
// and checks coefficients, keeps several chunks in flight, and reads back; and it
// does the same for messages and Keccak-256. A backend adds a way to open a device,
// the programs of a ring and that of Keccak-256, and nothing else.
//
// # A call
//
// A Plan's call goes through slots: device buffers of up to chunkBytes with
// their bindings, made when first needed and reused. Each chunk of rows is
// checked, written, submitted and later read back, in the order of the rows, so
// that while the device computes one chunk the host packs the next and unpacks
// the one before. Results reach dst strictly in order and only after their chunk
// succeeded: that is what makes rows [0, Done) final and leaves the rest
// untouched after an error, with dst == src too.
//
// # Messages
//
// A hasher's call goes through one slot. Messages are copied to it as they are,
// in chunks of up to hashBytes; several chunks are in flight there too, because
// what is written to a buffer takes effect after the work that was submitted
// before. Digests come back like rows. A message that is too long for one
// dispatch is absorbed by several, and its state waits on the device. Of a tree
// only the root comes back: each level is hashed out of one buffer into another.
//
// # Locks
//
// The calls of a plan or a hasher hold its life for reading; Close takes it for
// writing, so it waits for them. Nothing takes it twice. The maps of a backend and
// of a plan have a mutex each, which is never held while a device works, but for the
// compilation and self-test of a ring that is new, or of the first hasher.
package device
