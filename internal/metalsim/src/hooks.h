// Counts of objects and the faults that a test asked for.

#ifndef METALSIM_HOOKS_H
#define METALSIM_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

// In the order of the names in hooks.c.
enum ms_class {
	ms_class_device,
	ms_class_buffer,
	ms_class_library,
	ms_class_function,
	ms_class_pipeline,
	ms_class_queue,
	ms_class_command_buffer,
	ms_class_compute_encoder,
	ms_class_blit_encoder,
	ms_class_event,
	ms_class_options,
	ms_classes,
};

void ms_made(enum ms_class);
void ms_gone(enum ms_class);

enum ms_count { ms_count_committed, ms_count_dispatched, ms_count_compiled, ms_counts };

void ms_counted(enum ms_count);

// Whether this call is the one that is to fail.
bool ms_fails_buffer(void);
bool ms_fails_queue(void);
bool ms_fails_encoder(void);
// The MTLCommandBufferError with which this command buffer is to fail, or 0.
int ms_fails_command_buffer(void);

bool ms_hidden(void);
bool ms_paused(void);
unsigned ms_limit_threads(void);
uint64_t ms_limit_buffer(void);

// Of the thread that plays the GPU: wakes it, and waits until it has nothing that
// it can do, unless the caller is that thread.
void ms_gpu_wake(void);
void ms_gpu_settle(void);

#endif
