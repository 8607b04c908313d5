// The little of Metal that package mtl needs, in C. Objects are void pointers
// that own a reference, which mtl_release gives back. Strings that a function
// returns are the caller's to free. Nothing here takes a lock: Metal's devices
// and queues are safe for concurrent use, and the Go side serialises the rest.
#ifndef CROSSPOINT_MTL_BRIDGE_H
#define CROSSPOINT_MTL_BRIDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	MTL_PARAM_WORDS = 8,
	MTL_MAX_BUFFERS = 29, // of Metal's 31 slots, beside the parameters and constants
};

// mtl_limits is what a device says of itself.
typedef struct {
	uint64_t buffer_length;
	uint64_t group_memory;
	uint64_t group_threads[3];
} mtl_limits;

// mtl_kernel is a pipeline with what every dispatch of it is told.
typedef struct {
	void *pipeline;
	void *constants;
	uint32_t constant_bytes;
	uint32_t group_memory;
	uint32_t buffers;
	uint32_t group_threads[3];
} mtl_kernel;

typedef struct {
	const mtl_kernel *kernel;
	void *buffers[MTL_MAX_BUFFERS];
} mtl_binding;

typedef struct {
	const mtl_binding *binding;
	uint32_t params[MTL_PARAM_WORDS];
	uint32_t groups[3];
} mtl_dispatch;

// mtl_copy copies bytes between buffers, or writes zeros where from is NULL.
typedef struct {
	void *from, *to;
	uint64_t from_offset, to_offset, bytes;
} mtl_copy;

// mtl_devices stores up to max devices, the system's choice first, and returns
// how many there are.
size_t mtl_devices(void **devices, size_t max);
char *mtl_name(void *device);
mtl_limits mtl_device_limits(void *device);
void *mtl_queue(void *device, size_t max_command_buffers);
void mtl_release(void *object);

// mtl_buffer makes zeroed memory that host and device share; NULL where there is
// none left.
void *mtl_buffer(void *device, size_t bytes, void **contents);

// The libraries are NULL after a failure, of which why then has Metal's words.
void *mtl_library_of_text(void *device, const void *text, size_t bytes, char **why);
void *mtl_library_of_data(void *device, const void *data, size_t bytes, char **why);
void *mtl_library_of_file(void *device, const char *path, char **why);

// mtl_pipeline compiles an entry point. It stores how many threads its groups can
// have, which depends on the registers that it takes, and how much group memory
// the program itself declares.
void *mtl_pipeline(void *device, void *library, const char *entry,
	size_t *max_threads, size_t *static_memory, char **why);

// mtl_submit commits one command buffer: copies, dispatches one after the other,
// copies. It is false, and nothing will run, where Metal has no memory for one.
// Once the work is done, mtlCompleted is called, from a thread of Metal's, with
// the two numbers given here.
bool mtl_submit(void *queue, uint64_t device, uint64_t number,
	const mtl_copy *before, size_t n_before,
	const mtl_dispatch *dispatches, size_t n_dispatches,
	const mtl_copy *after, size_t n_after);

#endif
