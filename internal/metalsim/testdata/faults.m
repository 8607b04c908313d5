// What goes wrong on the GPU: the error of a command buffer, after which the
// device still works.

#import "drive.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void stillWorks(void) {
	memset([words contents], 0, 256);
	run(@"uniform_loop", 1);
	uint32_t params[2] = {32, 5};
	id<MTLCommandBuffer> c = [queue commandBuffer];
	id<MTLComputeCommandEncoder> e = encoder(c, @"affine");
	[e setBytes:params length:sizeof params atIndex:1];
	[e dispatchThreadgroups:MTLSizeMake(1, 1, 1) threadsPerThreadgroup:MTLSizeMake(32, 1, 1)];
	finish(c, e);
	expect(((uint64_t *)[words contents])[31] == 5, "the device works after a fault");
}

static void someReturn(void) { run(@"some_return", 1), stillWorks(); }
static void twoBarriers(void) { run(@"two_barriers", 1), stillWorks(); }
static void twoFlags(void) { run(@"two_flags", 1), stillWorks(); }
static void unevenLoop(void) { run(@"uneven_loop", 1), stillWorks(); }
static void divide(void) { run(@"divide", 1), stillWorks(); }
static void recurse(void) { run(@"recurse", 1), stillWorks(); }

// touch runs a kernel that uses one word of a buffer.
static void touch(id<MTLBuffer> b, int32_t word, uint32_t write) {
	const struct {
		int32_t word;
		uint32_t write;
	} place = {word, write};
	id<MTLCommandBuffer> c = [queue commandBuffer];
	id<MTLComputeCommandEncoder> e = encoder(c, @"touch");
	[e setBuffer:b offset:0 atIndex:0];
	[e setBytes:&place length:sizeof place atIndex:1];
	[e dispatchThreadgroups:MTLSizeMake(1, 1, 1) threadsPerThreadgroup:MTLSizeMake(1, 1, 1)];
	finish(c, e);
}

static void readPastEnd(void) { touch(words, 64, 0), stillWorks(); }
static void writePastEnd(void) { touch(words, 64, 1), stillWorks(); }
static void writePastPage(void) { touch(buffer(8192), 2048, 1), stillWorks(); }
static void writeBeside(void) { touch(buffer(20), 5, 1), stillWorks(); }
static void writeBefore(void) { touch(words, -1, 1), stillWorks(); }
static void readBefore(void) { touch(buffer(4096), -1, 0), stillWorks(); }
static void farAway(void) { touch(words, 1 << 30, 1), stillWorks(); }

static void memoryPastEnd(void) {
	const struct {
		int32_t word;
		uint32_t write;
	} place = {16, 1};
	id<MTLCommandBuffer> c = [queue commandBuffer];
	id<MTLComputeCommandEncoder> e = encoder(c, @"touch_memory");
	[e setBytes:&place length:sizeof place atIndex:1];
	[e setThreadgroupMemoryLength:64 atIndex:0];
	[e dispatchThreadgroups:MTLSizeMake(1, 1, 1) threadsPerThreadgroup:MTLSizeMake(1, 1, 1)];
	finish(c, e);
	stillWorks();
}

static void bytesPastEnd(void) {
	id<MTLCommandBuffer> c = [queue commandBuffer];
	id<MTLComputeCommandEncoder> e = encoder(c, @"touch_params");
	const uint32_t p[4] = {0};
	[e setBytes:p length:sizeof p atIndex:1];
	[e dispatchThreadgroups:MTLSizeMake(1, 1, 1) threadsPerThreadgroup:MTLSizeMake(1, 1, 1)];
	finish(c, e);
	stillWorks();
}

static void bufferGone(void) {
	metalsim_pause(1);
	id<MTLBuffer> b = [device newBufferWithLength:256 options:MTLResourceStorageModeShared];
	id<MTLCommandBuffer> c = [queue commandBufferWithUnretainedReferences];
	id<MTLComputeCommandEncoder> e = encoder(c, @"uniform_loop");
	[e setBuffer:b offset:0 atIndex:0];
	[e dispatchThreadgroups:MTLSizeMake(1, 1, 1) threadsPerThreadgroup:MTLSizeMake(32, 1, 1)];
	[e setBuffer:nil offset:0 atIndex:0];
	[e endEncoding];
	[c commit];
	[b release];
	metalsim_pause(0);
	[c waitUntilCompleted];
	expect([c error] != nil, "an error");
	printf("error %d: %s\n", (int)[[c error] code], [[[c error] localizedDescription] UTF8String]);
	stillWorks();
}

static void restSkipped(void) {
	id<MTLCommandBuffer> c = [queue commandBuffer];
	id<MTLComputeCommandEncoder> e = encoder(c, @"divide");
	[e dispatchThreadgroups:MTLSizeMake(1, 1, 1) threadsPerThreadgroup:MTLSizeMake(1, 1, 1)];
	[e setComputePipelineState:pipeline(@"few")];
	[e dispatchThreadgroups:MTLSizeMake(1, 1, 1) threadsPerThreadgroup:MTLSizeMake(1, 1, 1)];
	finish(c, e);
	expect(*(uint32_t *)[words contents] == 0, "nothing runs after a fault");
}

static void injected(void) {
	metalsim_fail_command_buffer(1, MTLCommandBufferErrorTimeout);
	run(@"few", 1);
	expect(*(uint32_t *)[words contents] == 1, "the first runs");
	*(uint32_t *)[words contents] = 0;
	run(@"few", 1);
	expect(*(uint32_t *)[words contents] == 0, "what fails does not run");
	run(@"few", 1);
	expect(*(uint32_t *)[words contents] == 1, "the next runs");
}

static void removed(void) {
	metalsim_fail_command_buffer(0, MTLCommandBufferErrorDeviceRemoved);
	run(@"few", 1);
	run(@"few", 1);
	metalsim_reset();
	stillWorks();
}

static void nils(void) {
	metalsim_fail_buffer(1);
	expect(buffer(64) != nil && buffer(64) == nil && buffer(64) != nil, "one buffer is nil");
	metalsim_fail_queue(0);
	expect([device newCommandQueue] == nil, "a queue is nil");
	metalsim_fail_encoder(0);
	expect([queue commandBuffer] == nil, "a command buffer is nil");
	metalsim_fail_encoder(1);
	expect([[queue commandBuffer] computeCommandEncoder] == nil, "an encoder is nil");
	metalsim_hide_device(1);
	expect(MTLCreateSystemDefaultDevice() == nil, "no device");
	expect([MTLCopyAllDevices() count] == 0, "no devices");
	metalsim_hide_device(0);
	expect([MTLCopyAllDevices() count] == 1, "the device is back");
	metalsim_limit_buffer(128);
	expect(buffer(129) == nil && buffer(128) != nil && [device maxBufferLength] == 128, "the limit of buffers");
}

static void ownCrash(void) {
	fflush(stdout);
	*(volatile int *)8 = 1;
}

const struct testCase faults[] = {
	{"a thread returns before a barrier", someReturn},
	{"threads at two barriers", twoBarriers},
	{"threads at one barrier with two flags", twoFlags},
	{"loops with barriers of two lengths", unevenLoop},
	{"division by zero", divide},
	{"stack overflow", recurse},
	{"read past a buffer", readPastEnd},
	{"write past a buffer", writePastEnd},
	{"write past a buffer of whole pages", writePastPage},
	{"write past a buffer of 20 bytes", writeBeside},
	{"write before a buffer", writeBefore},
	{"read before a buffer of whole pages", readBefore},
	{"write far from a buffer", farAway},
	{"write past threadgroup memory", memoryPastEnd},
	{"read past the bytes of setBytes", bytesPastEnd},
	{"use of a deallocated buffer", bufferGone},
	{"the rest of a command buffer", restSkipped},
	{"a timeout that was asked for", injected},
	{"a removed device that was asked for", removed},
	{"objects that are nil", nils},
	{"a crash of the host", ownCrash},
	{NULL, NULL},
};
