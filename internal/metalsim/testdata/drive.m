// drive KERNELS.metallib CASE runs one case against the simulator. It prints what
// the simulator raised or answered, or "ok".

#import "drive.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

NSString *metallib;
id<MTLDevice> device;
id<MTLLibrary> library;
id<MTLCommandQueue> queue;
id<MTLBuffer> words;

void expect(BOOL holds, const char *what) {
	if (!holds) {
		printf("FAILED: %s\n", what);
		exit(1);
	}
}

id<MTLComputePipelineState> pipeline(NSString *name) {
	id<MTLFunction> f = [[library newFunctionWithName:name] autorelease];
	expect(f != nil, "the kernel is there");
	NSError *error = nil;
	id<MTLComputePipelineState> p = [[device newComputePipelineStateWithFunction:f error:&error] autorelease];
	if (p == nil) {
		printf("error: %s\n", [[error localizedDescription] UTF8String]);
		exit(0);
	}
	return p;
}

id<MTLBuffer> buffer(NSUInteger length) {
	return [[device newBufferWithLength:length options:MTLResourceStorageModeShared] autorelease];
}

id<MTLComputeCommandEncoder> encoder(id<MTLCommandBuffer> commands, NSString *name) {
	id<MTLComputeCommandEncoder> e = [commands computeCommandEncoder];
	[e setComputePipelineState:pipeline(name)];
	[e setBuffer:words offset:0 atIndex:0];
	return e;
}

void finish(id<MTLCommandBuffer> commands, id<MTLComputeCommandEncoder> e) {
	[e endEncoding];
	[commands commit];
	[commands waitUntilCompleted];
	if ([commands error] != nil) {
		expect([commands status] == MTLCommandBufferStatusError, "status of an error");
		expect([[[commands error] domain] isEqualToString:MTLCommandBufferErrorDomain], "domain of an error");
		printf("error %d: %s\n", (int)[[commands error] code],
		       [[[commands error] localizedDescription] UTF8String]);
	} else {
		expect([commands status] == MTLCommandBufferStatusCompleted, "status");
	}
}

void run(NSString *name, NSUInteger groups) {
	id<MTLCommandBuffer> commands = [queue commandBuffer];
	id<MTLComputeCommandEncoder> e = encoder(commands, name);
	[e dispatchThreadgroups:MTLSizeMake(groups, 1, 1) threadsPerThreadgroup:MTLSizeMake(32, 1, 1)];
	finish(commands, e);
}

static void setUp(const char *kernels) {
	metallib = [[NSString alloc] initWithUTF8String:kernels];
	device = MTLCreateSystemDefaultDevice();
	NSError *error = nil;
	library = [device newLibraryWithURL:[NSURL fileURLWithPath:metallib] error:&error];
	if (library == nil) {
		printf("%s\n", [[error localizedDescription] UTF8String]);
		exit(1);
	}
	queue = [device newCommandQueue];
	words = [device newBufferWithLength:256 options:MTLResourceStorageModeShared];
}

int main(int argc, char **argv) {
	if (argc != 3) {
		return 2;
	}
	NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init];
	setUp(argv[1]);
	const struct testCase *const tables[] = {works, refusals, faults};
	for (int t = 0; t < 3; t++) {
		for (const struct testCase *c = tables[t]; c->name != NULL; c++) {
			if (strcmp(c->name, argv[2]) != 0) {
				continue;
			}
			@try {
				c->body();
				printf("ok\n");
			} @catch (NSException *e) {
				printf("refused: %s\n", [[e reason] UTF8String]);
				fflush(stdout);
				_Exit(0); // an encoder may be open
			}
			[pool release];
			return 0;
		}
	}
	printf("no case %s\n", argv[2]);
	return 2;
}
