// What the simulator and the kernels that it compiled tell each other.

#ifndef METALSIM_ABI_H
#define METALSIM_ABI_H

#include <stddef.h>
#include <stdint.h>

enum { METALSIM_ABI = 1 };

enum metalsim_argument_kind {
	METALSIM_ARGUMENT_BUFFER = 1, // [[buffer(n)]], by setBuffer or setBytes
	METALSIM_ARGUMENT_MEMORY = 2, // [[threadgroup(n)]]
};

struct metalsim_argument {
	const char *name;
	enum metalsim_argument_kind kind;
	unsigned index;
	size_t size, align; // bytes of what it points or refers to
};

// A threadgroup: what its threads share.
struct metalsim_group {
	void *const *buffers; // by index
	void *const *memory;  // by index
	uint32_t position[3]; // in the grid of groups
	uint32_t size[3];     // threads
	uint32_t grid[3];     // groups
};

struct metalsim_thread {
	uint32_t position[3]; // in the group
	uint32_t index;
};

struct metalsim_kernel {
	const char *name;
	const struct metalsim_argument *arguments;
	size_t count;
	unsigned max_threads; // of a group, as its attribute says, else 0
	void (*run)(const struct metalsim_group *, const struct metalsim_thread *);
};

// A variable that a kernel declares in threadgroup memory.
struct metalsim_variable {
	const char *kernel;
	size_t size;
};

// What a library exports under the name metalsim_exports.
struct metalsim_library {
	unsigned abi;
	const struct metalsim_kernel *const *kernels, *const *kernels_end;
	const struct metalsim_variable *const *variables, *const *variables_end;
};

#if defined(__cplusplus)
extern "C" {
#endif

// The kernels call these of the simulator, or of the driver of a sanitizer.
void metalsim_barrier(unsigned flags);
void metalsim_share(void *variable, size_t size); // where its declaration is reached

#if defined(__cplusplus)
}
#endif

#endif
