// What works, and what it gives.

#import "drive.h"
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const MTLSize one = {1, 1, 1}, some = {32, 1, 1};

static uint64_t at(id<MTLBuffer> b, NSUInteger i) { return ((uint64_t *)[b contents])[i]; }

static void describesItself(void) {
	expect([[device name] rangeOfString:@"simulator"].length != 0, "the name says what it is");
	expect([device hasUnifiedMemory] && ![device isLowPower] && [device registryID] != 0, "the device");
	expect([device maxThreadgroupMemoryLength] == 32768, "threadgroup memory");
	expect([device maxThreadsPerThreadgroup].width == 1024, "threads of a group");
	id<MTLComputePipelineState> p = pipeline(@"affine");
	expect([p maxTotalThreadsPerThreadgroup] == 1024 && [p threadExecutionWidth] == 32, "a pipeline");
	expect([pipeline(@"few") maxTotalThreadsPerThreadgroup] == 64, "a limited pipeline");
	expect([pipeline(@"poison") staticThreadgroupMemoryLength] == 256, "a pipeline with memory");
	expect([[library functionNames] containsObject:@"affine"], "names of functions");
	expect([library newFunctionWithName:@"absent"] == nil, "no function of another name");
	metalsim_limit_threads(32);
	expect([pipeline(@"affine") maxTotalThreadsPerThreadgroup] == 32, "a pipeline under a limit");
}

static void affine(void) {
	id<MTLBuffer> b = buffer(64 * 8);
	for (uint64_t i = 0; i < 64; i++) {
		((uint64_t *)[b contents])[i] = i;
	}
	struct {
		uint32_t count, add;
	} p = {40, 7};
	id<MTLCommandBuffer> c = [queue commandBuffer];
	id<MTLComputeCommandEncoder> e = encoder(c, @"affine");
	[e setBuffer:b offset:0 atIndex:0];
	[e setBytes:&p length:sizeof p atIndex:1];
	p.add = 1000; // setBytes has copied
	[e dispatchThreadgroups:MTLSizeMake(2, 1, 1) threadsPerThreadgroup:some];
	p.add = 1;
	[e setBytes:&p length:sizeof p atIndex:1];
	[e setBufferOffset:8 * 8 atIndex:0];
	p.count = 1;
	[e setBytes:&p length:sizeof p atIndex:1];
	[e dispatchThreadgroups:one threadsPerThreadgroup:some];
	finish(c, e);
	for (uint64_t i = 0; i < 64; i++) {
		uint64_t want = i < 40 ? 3 * i + 7 : i;
		want = i == 8 ? 3 * want + 1 : want;
		expect(at(b, i) == want, "affine");
	}
}

// positions checks every record of a grid in three dimensions.
static void positions(void) {
	const MTLSize grid = {3, 2, 4}, group = {4, 5, 2};
	const NSUInteger all[3] = {12, 10, 8};
	id<MTLBuffer> b = buffer(12 * 10 * 8 * 32);
	id<MTLCommandBuffer> c = [queue commandBuffer];
	id<MTLComputeCommandEncoder> e = encoder(c, @"positions");
	[e setBuffer:b offset:0 atIndex:0];
	[e dispatchThreadgroups:grid threadsPerThreadgroup:group];
	finish(c, e);
	const uint32_t *r = [b contents];
	for (uint32_t z = 0; z < all[2]; z++) {
		for (uint32_t y = 0; y < all[1]; y++) {
			for (uint32_t x = 0; x < all[0]; x++, r += 8) {
				const uint32_t px = x % 4, py = y % 5, pz = z % 2;
				const uint32_t want[8] = {x / 4 | y / 5 << 8 | z / 2 << 16, px | py << 8 | pz << 16,
				                          (pz * 5 + py) * 4 + px,           4 | 5 << 8 | 2 << 16,
				                          3 | 2 << 8 | 4 << 16,             12 | 10 << 8 | 8 << 16,
				                          (z * 10 + y) * 12 + x,            7};
				expect(memcmp(r, want, sizeof want) == 0, "positions");
			}
		}
	}
}

static void poison(void) {
	id<MTLBuffer> b = buffer(1024 * 32 * 8);
	id<MTLCommandBuffer> c = [queue commandBuffer];
	id<MTLComputeCommandEncoder> e = encoder(c, @"poison");
	[e setBuffer:b offset:0 atIndex:0];
	[e setThreadgroupMemoryLength:256 atIndex:0];
	[e dispatchThreadgroups:MTLSizeMake(1024, 1, 1) threadsPerThreadgroup:some];
	finish(c, e);
	for (uint64_t i = 0; i < 1024 * 32; i++) {
		expect(at(b, i) == i / 32 * 32 + 31 - i % 32 + i, "memory is poisoned before each group, and shared");
	}
}

static void loops(void) {
	uint32_t *w = [words contents];
	for (uint32_t i = 0; i < 32; i++) {
		w[i] = i;
	}
	run(@"uniform_loop", 1);
	for (uint32_t i = 0; i < 32; i++) {
		expect(w[i] == (i + 5) % 32, "barriers in a loop");
	}
}

static void blits(void) {
	id<MTLBuffer> b = [[device newBufferWithBytes:"0123456789abcdef"
	                                       length:16
	                                      options:MTLResourceStorageModeShared] autorelease];
	id<MTLBuffer> hidden = [[device newBufferWithLength:16 options:MTLResourceStorageModePrivate] autorelease];
	expect([hidden contents] == NULL, "private contents");
	id<MTLCommandBuffer> c = [queue commandBuffer];
	id<MTLBlitCommandEncoder> e = [c blitCommandEncoder];
	[e copyFromBuffer:b sourceOffset:4 toBuffer:hidden destinationOffset:0 size:8];
	[e copyFromBuffer:hidden sourceOffset:0 toBuffer:words destinationOffset:248 size:8];
	[e fillBuffer:b range:NSMakeRange(2, 3) value:'x'];
	finish(c, (id)e);
	expect(memcmp([b contents], "01xxx56789abcdef", 16) == 0, "fill");
	expect(memcmp((char *)[words contents] + 248, "456789ab", 8) == 0, "copy");
}

static void pageOfMine(void) {
	const NSUInteger page = sysconf(_SC_PAGESIZE);
	void *mine = aligned_alloc(page, page);
	__block int freed = 0;
	id<MTLBuffer> b = [device newBufferWithBytesNoCopy:mine
	                                            length:page
	                                           options:MTLResourceStorageModeShared
	                                       deallocator:^(void *p, NSUInteger n) {
		                                       freed += p == mine && n == page;
	                                       }];
	expect([b contents] == mine, "no copy");
	[b release];
	expect(freed == 1, "the deallocator");
}

static void *signalLater(void *event) {
	usleep(20000);
	[(id<MTLSharedEvent>)event setSignaledValue:5];
	return NULL;
}

static void events(void) {
	id<MTLSharedEvent> event = [[device newSharedEvent] autorelease], mine = [[device newSharedEvent] autorelease];
	id<MTLCommandQueue> other = [[device newCommandQueue] autorelease];
	id<MTLCommandBuffer> waits = [queue commandBuffer], behind = [queue commandBuffer],
	                     signals = [other commandBuffer];
	[waits encodeWaitForEvent:event value:3];
	[waits encodeWaitForEvent:mine value:5];
	[signals encodeSignalEvent:event value:3];
	[waits commit];
	[behind commit];
	[signals commit];
	[signals waitUntilCompleted];
	expect([event signaledValue] == 3, "a signal");
	expect([behind status] < MTLCommandBufferStatusCompleted, "a queue is in order");
	pthread_t thread;
	pthread_create(&thread, NULL, signalLater, mine);
	[behind waitUntilCompleted];
	expect([waits status] == MTLCommandBufferStatusCompleted, "a wait ends");
	pthread_join(thread, NULL);
}

static void handlers(void) {
	static _Atomic int calls;
	metalsim_pause(1);
	id<MTLCommandBuffer> c = [queue commandBuffer];
	NSObject *kept = [[NSObject alloc] init];
	const NSUInteger before = [kept retainCount];
	for (int i = 1; i <= 2; i++) {
		const int add = i; // a block of plain values outlives this frame too
		[c addCompletedHandler:^(id<MTLCommandBuffer> done) {
			calls += [done status] == MTLCommandBufferStatusCompleted ? add : 100;
		}];
	}
	[c addScheduledHandler:^(id<MTLCommandBuffer> scheduled) {
		calls += [kept retainCount] > 0 ? 10 : 100;
	}];
	expect([kept retainCount] == before + 1, "a handler retains what it uses");
	[c commit];
	usleep(20000);
	expect([c status] == MTLCommandBufferStatusCommitted && calls == 0, "commit does not wait");
	metalsim_pause(0);
	[c waitUntilCompleted];
	expect(calls == 13, "handlers were called before the wait returns");
	metalsim_live("MTLBuffer");
	expect([kept retainCount] == before, "and are released");
}

static void counts(void) {
	metalsim_reset();
	const int64_t before = metalsim_live("MTLBuffer");
	@autoreleasepool {
		id<MTLBuffer> b = [device newBufferWithLength:64 options:MTLResourceStorageModeShared];
		id<MTLCommandBuffer> c = [queue commandBuffer];
		id<MTLComputeCommandEncoder> e = encoder(c, @"few");
		[e setBuffer:b offset:0 atIndex:0];
		[e dispatchThreadgroups:one threadsPerThreadgroup:one];
		[b release];
		expect(metalsim_live("MTLBuffer") == before + 1, "a command buffer retains its buffers");
		finish(c, e);
	}
	expect(metalsim_live("MTLBuffer") == before, "and releases them");
	expect(metalsim_live("MTLCommandBuffer") == 0 && metalsim_live("MTLComputeCommandEncoder") == 0 &&
	           metalsim_live("MTLComputePipelineState") == 0 && metalsim_live("MTLFunction") == 0,
	       "nothing is left");
	expect(metalsim_made("MTLBuffer") == 1 && metalsim_made("MTLCommandBuffer") == 1, "what was made");
	expect(metalsim_committed() == 1 && metalsim_dispatched() == 1, "what ran");
	expect(metalsim_live("MTLTexture") == -1, "no such class");
}

static void *commitLater(void *commands) {
	usleep(20000);
	[(id<MTLCommandBuffer>)commands commit];
	return NULL;
}

static void fullQueue(void) {
	id<MTLCommandQueue> small = [[device newCommandQueueWithMaxCommandBufferCount:2] autorelease];
	id<MTLCommandBuffer> a = [small commandBuffer];
	expect(a != nil && [small commandBuffer] != nil, "two");
	pthread_t thread;
	pthread_create(&thread, NULL, commitLater, a);
	expect([small commandBuffer] != nil, "a third, once one has completed");
	expect([a status] == MTLCommandBufferStatusCompleted, "not before");
	pthread_join(thread, NULL);
}

static void compileError(void) {
	NSError *error = nil;
	expect([device newLibraryWithSource:@"#include <metal_stdlib>\n\nkernel void f(device uint *x [[buffer(0)]]) "
	                                    @"{ x[0] = nothing; }"
	                            options:nil
	                              error:&error] == nil,
	       "no library");
	expect([[error domain] isEqualToString:MTLLibraryErrorDomain] && [error code] == MTLLibraryErrorCompileFailure,
	       "the error");
	printf("%s\n", [[error localizedDescription] UTF8String]);
}

static void source(void) {
	MTLCompileOptions *o = [[[MTLCompileOptions alloc] init] autorelease];
	[o setPreprocessorMacros:[NSDictionary dictionaryWithObject:@"2" forKey:@"VALUE"]];
	NSString *text = @"#include <metal_stdlib>\nkernel void f(device uint *x [[buffer(0)]]) { x[0] += VALUE; }";
	for (int i = 1; i <= 2; i++) { // compiled, and known
		library = [[device newLibraryWithSource:text options:o error:NULL] autorelease];
		run(@"f", 1);
		expect(*(uint32_t *)[words contents] == 64u * i, "every thread added, one after another");
	}
	expect(metalsim_compiled() == 2, "sources are counted");
}

static void loadsMetallib(void) {
	NSError *error = nil;
	expect([library newFunctionWithName:@"reverse"] != nil, "a kernel of another file");
	NSData *bytes = [NSData dataWithContentsOfFile:metallib];
	dispatch_data_t d =
	    dispatch_data_create([bytes bytes], [bytes length], NULL, DISPATCH_DATA_DESTRUCTOR_DEFAULT);
	library = [device newLibraryWithData:d error:&error];
	dispatch_release(d);
	affine();
	expect([device newLibraryWithURL:[NSURL fileURLWithPath:@"/nonexistent"] error:&error] == nil &&
	           [error code] == MTLLibraryErrorFileNotFound,
	       "no file");
	d = dispatch_data_create("MTLB", 4, NULL, DISPATCH_DATA_DESTRUCTOR_DEFAULT);
	expect([device newLibraryWithData:d error:&error] == nil, "no library");
	expect([device newLibraryWithData:d error:NULL] == nil, "no error is asked for");
	printf("%s\n", [[error localizedDescription] UTF8String]);
}

const struct testCase works[] = {
	{"device", describesItself},
	{"arguments", affine},
	{"positions", positions},
	{"threadgroup memory", poison},
	{"barriers", loops},
	{"blits", blits},
	{"memory without copy", pageOfMine},
	{"events", events},
	{"handlers", handlers},
	{"counts", counts},
	{"full queue", fullQueue},
	{"compile error", compileError},
	{"source", source},
	{"metallib", loadsMetallib},
	{NULL, NULL},
};
