// Misuse that Metal's validation layer ends the process for: the simulator raises
// an exception.

#import "drive.h"
#include <stdint.h>

static const MTLSize one = {1, 1, 1}, some = {32, 1, 1};

static void dispatched(NSString *name, MTLSize grid, MTLSize group) {
	id<MTLComputeCommandEncoder> e = encoder([queue commandBuffer], name);
	[e dispatchThreadgroups:grid threadsPerThreadgroup:group];
}

static void largeGroup(void) { dispatched(@"positions", one, MTLSizeMake(32, 33, 1)); }
static void largeGroupOfFew(void) { dispatched(@"few", one, MTLSizeMake(65, 1, 1)); }
static void emptyGrid(void) { dispatched(@"positions", MTLSizeMake(1, 0, 1), some); }
static void unsetBytes(void) { dispatched(@"affine", one, some); }
static void unsetMemory(void) { dispatched(@"poison", one, some); }

static void unsetBuffer(void) {
	id<MTLComputeCommandEncoder> e = encoder([queue commandBuffer], @"few");
	[e setBuffer:nil offset:0 atIndex:0];
	[e dispatchThreadgroups:one threadsPerThreadgroup:one];
}

static void noPipeline(void) {
	[[[queue commandBuffer] computeCommandEncoder] dispatchThreadgroups:one threadsPerThreadgroup:one];
}

static void shortReference(void) {
	id<MTLComputeCommandEncoder> e = encoder([queue commandBuffer], @"affine");
	uint32_t p = 1;
	[e setBytes:&p length:sizeof p atIndex:1];
	[e dispatchThreadgroups:one threadsPerThreadgroup:one];
}

static void oddOffset(void) {
	id<MTLComputeCommandEncoder> e = encoder([queue commandBuffer], @"wide");
	[e setBuffer:words offset:8 atIndex:0];
	[e dispatchThreadgroups:one threadsPerThreadgroup:one];
}

static void farOffset(void) {
	[[[queue commandBuffer] computeCommandEncoder] setBuffer:words offset:256 atIndex:0];
}

static void farIndex(void) { [[[queue commandBuffer] computeCommandEncoder] setBuffer:words offset:0 atIndex:31]; }

static void manyBytes(void) {
	[[[queue commandBuffer] computeCommandEncoder] setBytes:[buffer(4097) contents] length:4097 atIndex:0];
}

static void memoryOver(void) {
	[[[queue commandBuffer] computeCommandEncoder] setThreadgroupMemoryLength:32784 atIndex:0];
}

static void memoryOdd(void) {
	[[[queue commandBuffer] computeCommandEncoder] setThreadgroupMemoryLength:24 atIndex:0];
}

static void memoryOverInAll(void) {
	id<MTLComputeCommandEncoder> e = encoder([queue commandBuffer], @"two_memories");
	[e setThreadgroupMemoryLength:16384 atIndex:0];
	[e setThreadgroupMemoryLength:16400 atIndex:1];
	[e dispatchThreadgroups:one threadsPerThreadgroup:one];
}

static void memoryDeclaredOver(void) { pipeline(@"too_much"); }

static void commitTwice(void) {
	id<MTLCommandBuffer> c = [queue commandBuffer];
	[c commit];
	[c commit];
}

static void commitOpen(void) {
	id<MTLCommandBuffer> c = [queue commandBuffer];
	[c computeCommandEncoder];
	[c commit];
}

static void twoEncoders(void) {
	id<MTLCommandBuffer> c = [queue commandBuffer];
	[c computeCommandEncoder];
	[c blitCommandEncoder];
}

static void encodeCommitted(void) {
	id<MTLCommandBuffer> c = [queue commandBuffer];
	[c commit];
	[c computeCommandEncoder];
}

static void useEnded(void) {
	id<MTLComputeCommandEncoder> e = [[queue commandBuffer] computeCommandEncoder];
	[e endEncoding];
	[e setBuffer:words offset:0 atIndex:0];
}

static void endTwice(void) {
	id<MTLComputeCommandEncoder> e = [[queue commandBuffer] computeCommandEncoder];
	[e endEncoding];
	[e endEncoding];
}

static void encoderDropped(void) {
	@autoreleasepool {
		[[queue commandBuffer] computeCommandEncoder];
	}
}

static void lateHandler(void) {
	id<MTLCommandBuffer> c = [queue commandBuffer];
	[c commit];
	[c addCompletedHandler:^(id<MTLCommandBuffer> done){
	}];
}

static void waitUncommitted(void) { [[queue commandBuffer] waitUntilCompleted]; }
static void emptyBuffer(void) { buffer(0); }

static void managedBuffer(void) { [device newBufferWithLength:64 options:MTLResourceStorageModeManaged]; }

static void unalignedNoCopy(void) {
	[device newBufferWithBytesNoCopy:(char *)[buffer(8192) contents] + 16
	                          length:4096
	                         options:MTLResourceStorageModeShared
	                     deallocator:nil];
}

static void fillPastEnd(void) {
	[[[queue commandBuffer] blitCommandEncoder] fillBuffer:words range:NSMakeRange(200, 57) value:0];
}

static void copyPastEnd(void) {
	[[[queue commandBuffer] blitCommandEncoder] copyFromBuffer:words
	                                              sourceOffset:0
	                                                  toBuffer:words
	                                         destinationOffset:192
	                                                      size:65];
}

const struct testCase refusals[] = {
	{"group over 1024 threads", largeGroup},
	{"group over the kernel's threads", largeGroupOfFew},
	{"grid of no groups", emptyGrid},
	{"buffer not set", unsetBuffer},
	{"bytes not set", unsetBytes},
	{"threadgroup memory not set", unsetMemory},
	{"no pipeline", noPipeline},
	{"bytes too short for a reference", shortReference},
	{"offset not aligned", oddOffset},
	{"offset past the end", farOffset},
	{"index past the last", farIndex},
	{"setBytes over 4096", manyBytes},
	{"threadgroup memory over 32 KiB", memoryOver},
	{"threadgroup memory not of 16 bytes", memoryOdd},
	{"threadgroup memory over 32 KiB in all", memoryOverInAll},
	{"threadgroup memory declared over 32 KiB", memoryDeclaredOver},
	{"commit twice", commitTwice},
	{"commit with an open encoder", commitOpen},
	{"two encoders at once", twoEncoders},
	{"encode after commit", encodeCommitted},
	{"use after endEncoding", useEnded},
	{"endEncoding twice", endTwice},
	{"encoder released without endEncoding", encoderDropped},
	{"handler after commit", lateHandler},
	{"wait without commit", waitUncommitted},
	{"buffer of no bytes", emptyBuffer},
	{"managed buffer", managedBuffer},
	{"unaligned memory without copy", unalignedNoCopy},
	{"fill past the end", fillPastEnd},
	{"copy past the end", copyPastEnd},
	{NULL, NULL},
};
