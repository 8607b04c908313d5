// What a test asks of the simulator and of nothing else. Every function may be
// called from any thread.
//
// A class is named as its protocol: "MTLDevice", "MTLBuffer", "MTLLibrary",
// "MTLFunction", "MTLComputePipelineState", "MTLCommandQueue",
// "MTLCommandBuffer", "MTLComputeCommandEncoder", "MTLBlitCommandEncoder",
// "MTLSharedEvent", "MTLCompileOptions".

#ifndef METALSIM_H
#define METALSIM_H

#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

// The number of objects of a class that were made and not yet deallocated, or -1
// if there is no such class.
int64_t metalsim_live(const char *cls);

// The number of objects of a class that were made since the last reset.
int64_t metalsim_made(const char *cls);

// The number of command buffers that were committed, of compute dispatches that
// ran, and of compilations of source (by clang or from its cache) since the last
// reset.
int64_t metalsim_committed(void);
int64_t metalsim_dispatched(void);
int64_t metalsim_compiled(void);

// Sets the counts above to zero, except metalsim_live, and cancels faults.
void metalsim_reset(void);

// Makes one command buffer fail without running: the one that is executed after
// skip others. code is an MTLCommandBufferError; after DeviceRemoved (11) and
// AccessRevoked (4) every later one fails with the same code, until a reset.
void metalsim_fail_command_buffer(int skip, int code);

// Makes one newBuffer call return nil: the one after skip others.
void metalsim_fail_buffer(int skip);

// Makes one newCommandQueue, or one request for a command buffer or an encoder,
// return nil: the one after skip others.
void metalsim_fail_queue(int skip);
void metalsim_fail_encoder(int skip);

// Makes MTLCreateSystemDefaultDevice and MTLCopyAllDevices find no device, or
// find it again.
void metalsim_hide_device(int hidden);

// Holds back the execution of command buffers, or lets it go on.
void metalsim_pause(int paused);

// Lowers what the device says it takes, or sets it back where the value is 0:
// maxTotalThreadsPerThreadgroup of new pipelines, and maxBufferLength in bytes.
void metalsim_limit_threads(int threads);
void metalsim_limit_buffer(int64_t bytes);

#if defined(__cplusplus)
}
#endif

#endif
