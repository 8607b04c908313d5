package gpu

import "fmt"

// The checks below are for the packages that implement a Device, so that each
// refuses the same arguments in the same words. op is what the *Error names.

func refuse(op string, kind error, format string, args ...any) error {
	return &Error{Op: op, Err: kind, Detail: fmt.Sprintf(format, args...)}
}

// CheckSize checks the size of a buffer that is to be made.
func CheckSize(op, label string, size int, l Limits) error {
	if size <= 0 || size%4 != 0 {
		return refuse(op, ErrArgument, "%s: %d bytes is not a positive multiple of 4", label, size)
	}
	if size > l.MaxBufferSize {
		return refuse(op, ErrLimit, "%s: %d bytes; the device takes %d", label, size, l.MaxBufferSize)
	}
	return nil
}

// CheckWrite checks a write of n bytes at off to a buffer of size bytes.
func CheckWrite(op, label string, off, n, size int) error {
	if off%4 != 0 || n%4 != 0 || !within(off, n, size) {
		return refuse(op, ErrArgument, "%s: %d bytes at %d of %d", label, n, off, size)
	}
	return nil
}

// CheckRead checks read i of a submission, from a buffer of size bytes.
func CheckRead(op string, i int, r Range, size int) error {
	if r.Off%8 != 0 || r.Size%8 != 0 || !within(r.Off, r.Size, size) {
		return refuse(op, ErrArgument, "read %d: %d bytes at %d of %d", i, r.Size, r.Off, size)
	}
	return nil
}

// within reports whether [off, off+n) lies in [0, size), without overflow.
func within(off, n, size int) bool {
	return off >= 0 && n >= 0 && off <= size && n <= size-off
}

// CheckSource checks what a source says of its bindings and its groups, but not
// the program.
func CheckSource(op string, src Source, l Limits) error {
	if len(src.Access) > l.MaxBindings {
		return refuse(op, ErrLimit, "%d buffers; the device takes %d", len(src.Access), l.MaxBindings)
	}
	for i, a := range src.Access {
		if a != ReadOnly && a != ReadWrite {
			return refuse(op, ErrArgument, "access %d of binding %d", a, i)
		}
	}
	if len(src.Constants)%8 != 0 {
		return refuse(op, ErrArgument, "%d bytes of constants are not a multiple of 8", len(src.Constants))
	}
	if len(src.Constants) > MaxConstants {
		return refuse(op, ErrLimit, "%d bytes of constants; a kernel takes %d", len(src.Constants), MaxConstants)
	}
	if src.GroupMemory < 0 || src.GroupMemory%16 != 0 {
		return refuse(op, ErrArgument, "%d bytes of group memory are not a multiple of 16", src.GroupMemory)
	}
	if src.GroupMemory > l.MaxGroupMemory {
		return refuse(op, ErrLimit, "%d bytes of group memory; the device has %d", src.GroupMemory, l.MaxGroupMemory)
	}
	return checkGroupSize(op, src, l)
}

// CheckBare refuses what only some devices take: constants, and group memory whose
// size the host sets.
func CheckBare(op string, src Source) error {
	if len(src.Constants) > 0 || src.GroupMemory != 0 {
		return refuse(op, ErrArgument, "%d bytes of constants and %d of group memory, of which the device takes none",
			len(src.Constants), src.GroupMemory)
	}
	return nil
}

func checkGroupSize(op string, src Source, l Limits) error {
	product := uint64(1)
	for _, n := range src.GroupSize {
		if n == 0 {
			return refuse(op, ErrArgument, "group size %v", src.GroupSize)
		}
		// The product so far has at most 32 bits, so that it does not wrap here.
		if product *= uint64(n); product > uint64(l.MaxGroupSize) {
			return refuse(op, ErrLimit, "group size %v; the device takes %d in all", src.GroupSize, l.MaxGroupSize)
		}
	}
	return nil
}

// CheckBuffers checks the buffers, all of one device, that a kernel is bound to.
func CheckBuffers(op, kernel string, access []Access, buffers []Buffer) error {
	if len(buffers) != len(access) {
		return refuse(op, ErrArgument, "%s: %d buffers for %d bindings", kernel, len(buffers), len(access))
	}
	for i, b := range buffers {
		for j, other := range buffers[:i] {
			if other == b && (access[i] == ReadWrite || access[j] == ReadWrite) {
				return refuse(op, ErrArgument, "%s: bindings %d and %d are one buffer and one is written", kernel, j, i)
			}
		}
	}
	return nil
}

// CheckGroups checks the groups of a dispatch of a kernel.
func CheckGroups(op, kernel string, groups [3]uint32, l Limits) error {
	for _, n := range groups {
		if n == 0 {
			return refuse(op, ErrArgument, "%s: %v groups", kernel, groups)
		}
		if n > l.MaxGroups {
			return refuse(op, ErrLimit, "%s: %v groups; the device takes %d a dimension", kernel, groups, l.MaxGroups)
		}
	}
	return nil
}
