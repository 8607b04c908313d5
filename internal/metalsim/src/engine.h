// The engine under the Objective-C classes: memory that is guarded, libraries,
// and dispatches on the cores of this machine. It is C, for their sake.

#ifndef METALSIM_ENGINE_H
#define METALSIM_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../include/msl/metalsim_abi.h"

#if defined(__cplusplus)
extern "C" {
#endif

enum {
	ms_max_bindings = 31,      // buffers, and threadgroup arguments, of a kernel
	ms_max_bytes = 4096,       // of setBytes
	ms_max_threads = 1024,     // of a group
	ms_max_memory = 32 << 10,  // bytes of threadgroup memory of a group
	ms_memory_alignment = 16,  // of threadgroup memory's lengths, in bytes
	ms_execution_width = 32,   // what pipelines say; the simulator has no SIMD groups
	ms_message_size = 512,
};

// ms_memory is what a buffer holds. It is counted, so that a command may name
// it; once it is freed its pages fault, and its addresses are not given out again
// for a while.
//
// Own memory ends where an inaccessible page begins, but for the bytes by which
// its length misses a multiple of 16, and starts on a multiple of 16. Bytes of its
// first and last page that are not the buffer's hold a pattern that is checked.
struct ms_memory {
	char *contents;
	size_t length;
	int owners; // changed atomically
	char *map; // with the guards, or NULL for memory of the caller
	size_t mapped;
	bool freed;
};

struct ms_memory *ms_memory_new(size_t length); // zeroed, or NULL
struct ms_memory *ms_memory_wrap(void *contents, size_t length);
void ms_memory_retain(struct ms_memory *);
void ms_memory_release(struct ms_memory *);
void ms_memory_free(struct ms_memory *); // gives the pages back, and releases

// ms_library is a loaded library. It stays loaded.
struct ms_library;

// Both return NULL and the reason, which the caller frees.
struct ms_library *ms_library_compile(const char *text, const char *const *flags, char **error);
struct ms_library *ms_library_load(const void *bytes, size_t length, char **error);

size_t ms_library_count(const struct ms_library *);
const struct metalsim_kernel *ms_library_kernel(const struct ms_library *, size_t i);
// The bytes that a kernel declares in threadgroup memory.
size_t ms_library_static(const struct ms_library *, const struct metalsim_kernel *);

// ms_binding is one buffer argument: memory and an offset, or a copy of bytes.
struct ms_binding {
	struct ms_memory *memory;
	size_t offset;
	void *bytes;
	size_t length;
};

struct ms_dispatch {
	const struct metalsim_kernel *kernel;
	struct ms_binding buffers[ms_max_bindings];
	size_t memory[ms_max_bindings]; // bytes of threadgroup memory
	uint32_t grid[3], size[3];      // groups, and threads of each
};

// ms_run runs a dispatch to its end. It returns 0, or an MTLCommandBufferError and
// what happened. The caller runs one at a time.
int ms_run(const struct ms_dispatch *, char message[ms_message_size]);

// ms_start installs the handler of faults and starts the threads, once.
void ms_start(void);

#if defined(__cplusplus)
}
#endif

#endif
