//go:build (darwin || metalsim) && cgo

#if __has_feature(objc_arc)
#error "bridge.m retains and releases by hand; compile it without -fobjc-arc"
#endif

#import <Foundation/Foundation.h>
#import <Metal/Metal.h>

#include <dispatch/dispatch.h>
#include <stdlib.h>
#include <string.h>

#include "bridge.h"

// mtlCompleted is Go's: see completions.go.
extern void mtlCompleted(uint64_t device, uint64_t number, bool failed, int64_t code, char *text);

// words copies a string for the caller to free. UTF8String is of nil, and of what
// has no form in UTF-8, NULL.
static char *words(NSString *s) {
	const char *utf8 = [s UTF8String];
	return strdup(utf8 == NULL ? "" : utf8);
}

// reason is all that Metal says of an error; a compiler's log is in it.
static char *reason(NSError *e) {
	return e == nil ? strdup("Metal gives no reason") : words([e localizedDescription]);
}

size_t mtl_devices(void **devices, size_t max) {
	@autoreleasepool {
		size_t n = 0;
		id<MTLDevice> best = MTLCreateSystemDefaultDevice();
		if (best != nil && n < max) devices[n++] = best;
		NSArray *all = MTLCopyAllDevices();
		for (id<MTLDevice> device in all) {
			if (device != best && n < max) devices[n++] = [device retain];
		}
		[all release];
		return n;
	}
}

char *mtl_name(void *device) {
	@autoreleasepool {
		return words([(id<MTLDevice>)device name]);
	}
}

mtl_limits mtl_device_limits(void *device) {
	id<MTLDevice> d = device;
	MTLSize threads = [d maxThreadsPerThreadgroup];
	return (mtl_limits){
		.buffer_length = [d maxBufferLength],
		.group_memory = [d maxThreadgroupMemoryLength],
		.group_threads = {threads.width, threads.height, threads.depth},
	};
}

void *mtl_queue(void *device, size_t max_command_buffers) {
	@autoreleasepool {
		return [(id<MTLDevice>)device newCommandQueueWithMaxCommandBufferCount:max_command_buffers];
	}
}

void mtl_release(void *object) {
	@autoreleasepool {
		[(id)object release];
	}
}

void *mtl_buffer(void *device, size_t bytes, void **contents) {
	@autoreleasepool {
		id<MTLBuffer> b = [(id<MTLDevice>)device newBufferWithLength:bytes
		                                                     options:MTLResourceStorageModeShared];
		*contents = [b contents];
		return b;
	}
}

void *mtl_library_of_text(void *device, const void *text, size_t bytes, char **why) {
	@autoreleasepool {
		NSString *source = [[[NSString alloc] initWithBytes:text
		                                             length:bytes
		                                           encoding:NSUTF8StringEncoding] autorelease];
		if (source == nil) {
			*why = strdup("the text is not UTF-8");
			return NULL;
		}
		NSError *e = nil;
		id<MTLLibrary> l = [(id<MTLDevice>)device newLibraryWithSource:source options:nil error:&e];
		if (l == nil) *why = reason(e);
		return l;
	}
}

void *mtl_library_of_data(void *device, const void *data, size_t bytes, char **why) {
	@autoreleasepool {
		dispatch_data_t d = dispatch_data_create(data, bytes, NULL, DISPATCH_DATA_DESTRUCTOR_DEFAULT);
		NSError *e = nil;
		id<MTLLibrary> l = [(id<MTLDevice>)device newLibraryWithData:d error:&e];
		dispatch_release(d);
		if (l == nil) *why = reason(e);
		return l;
	}
}

void *mtl_library_of_file(void *device, const char *path, char **why) {
	@autoreleasepool {
		NSString *name = [NSString stringWithUTF8String:path];
		if (name == nil) {
			*why = strdup("its name is not UTF-8");
			return NULL;
		}
		NSError *e = nil;
		id<MTLLibrary> l = [(id<MTLDevice>)device newLibraryWithURL:[NSURL fileURLWithPath:name] error:&e];
		if (l == nil) *why = reason(e);
		return l;
	}
}

void *mtl_pipeline(void *device, void *library, const char *entry,
	size_t *max_threads, size_t *static_memory, char **why) {
	@autoreleasepool {
		NSString *name = [NSString stringWithUTF8String:entry];
		id<MTLFunction> f = name == nil ? nil : [(id<MTLLibrary>)library newFunctionWithName:name];
		if (f == nil) {
			*why = strdup("the library has no such function");
			return NULL;
		}
		NSError *e = nil;
		id<MTLComputePipelineState> p = [(id<MTLDevice>)device newComputePipelineStateWithFunction:f error:&e];
		[f release];
		if (p == nil) {
			*why = reason(e);
			return NULL;
		}
		*max_threads = [p maxTotalThreadsPerThreadgroup];
		*static_memory = [p staticThreadgroupMemoryLength];
		return p;
	}
}

static bool encode_copies(id<MTLCommandBuffer> commands, const mtl_copy *copies, size_t n) {
	if (n == 0) return true;
	id<MTLBlitCommandEncoder> blit = [commands blitCommandEncoder];
	if (blit == nil) return false;
	for (size_t i = 0; i < n; i++) {
		const mtl_copy *c = &copies[i];
		if (c->from == NULL) {
			[blit fillBuffer:c->to range:NSMakeRange(c->to_offset, c->bytes) value:0];
			continue;
		}
		[blit copyFromBuffer:c->from
		        sourceOffset:c->from_offset
		            toBuffer:c->to
		   destinationOffset:c->to_offset
		                size:c->bytes];
	}
	[blit endEncoding];
	return true;
}

// set_binding sets what dispatches of a binding have in common. last is the binding
// of the dispatch before, or NULL.
static void set_binding(id<MTLComputeCommandEncoder> compute, const mtl_binding *b, const mtl_binding *last) {
	const mtl_kernel *k = b->kernel;
	if (last == NULL || last->kernel != k) {
		[compute setComputePipelineState:k->pipeline];
		if (k->constant_bytes > 0) {
			[compute setBytes:k->constants length:k->constant_bytes atIndex:k->buffers + 1];
		}
		if (k->group_memory > 0) {
			[compute setThreadgroupMemoryLength:k->group_memory atIndex:0];
		}
	}
	for (uint32_t i = 0; i < k->buffers; i++) {
		[compute setBuffer:b->buffers[i] offset:0 atIndex:i];
	}
}

// encode_dispatches encodes into one serial encoder, in which a dispatch sees what those
// before it wrote.
static bool encode_dispatches(id<MTLCommandBuffer> commands, const mtl_dispatch *dispatches, size_t n) {
	if (n == 0) return true;
	id<MTLComputeCommandEncoder> compute = [commands computeCommandEncoder];
	if (compute == nil) return false;
	const mtl_binding *last = NULL;
	for (size_t i = 0; i < n; i++) {
		const mtl_dispatch *d = &dispatches[i];
		const mtl_kernel *k = d->binding->kernel;
		if (d->binding != last) set_binding(compute, d->binding, last);
		last = d->binding;
		[compute setBytes:d->params length:sizeof d->params atIndex:k->buffers];
		[compute dispatchThreadgroups:MTLSizeMake(d->groups[0], d->groups[1], d->groups[2])
		        threadsPerThreadgroup:MTLSizeMake(k->group_threads[0], k->group_threads[1], k->group_threads[2])];
	}
	[compute endEncoding];
	return true;
}

bool mtl_submit(void *queue, uint64_t device, uint64_t number,
	const mtl_copy *before, size_t n_before,
	const mtl_dispatch *dispatches, size_t n_dispatches,
	const mtl_copy *after, size_t n_after) {
	@autoreleasepool {
		// What the commands use is kept alive by the Go side until they are done.
		id<MTLCommandBuffer> commands = [(id<MTLCommandQueue>)queue commandBufferWithUnretainedReferences];
		if (commands == nil || !encode_copies(commands, before, n_before) ||
			!encode_dispatches(commands, dispatches, n_dispatches) || !encode_copies(commands, after, n_after)) {
			return false;
		}
		[commands addCompletedHandler:^(id<MTLCommandBuffer> ended) {
			@autoreleasepool {
				NSError *e = [ended error];
				bool failed = e != nil || [ended status] == MTLCommandBufferStatusError;
				mtlCompleted(device, number, failed, [e code], failed ? reason(e) : NULL);
			}
		}];
		[commands commit];
		return true;
	}
}
