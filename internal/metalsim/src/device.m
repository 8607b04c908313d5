#import "objects.h"
#include <metalsim.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const uint64_t bufferMax = 1ull << 30;

@implementation MetalSimDevice

+ (enum ms_class)counted {
	return ms_class_device;
}

- (id<MTLDevice>)device {
	return self;
}

- (NSString *)name {
	return @"Metal simulator (CPU)";
}

- (uint64_t)registryID {
	return 0x51;
}

- (MTLSize)maxThreadsPerThreadgroup {
	return MTLSizeMake(ms_max_threads, ms_max_threads, ms_max_threads);
}

- (BOOL)isLowPower {
	return NO;
}

- (BOOL)isHeadless {
	return YES;
}

- (BOOL)isRemovable {
	return NO;
}

- (BOOL)hasUnifiedMemory {
	return YES;
}

- (uint64_t)recommendedMaxWorkingSetSize {
	return (uint64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE) / 2;
}

- (NSUInteger)maxThreadgroupMemoryLength {
	return ms_max_memory;
}

- (NSUInteger)maxBufferLength {
	const uint64_t limit = ms_limit_buffer();
	return limit != 0 ? limit : bufferMax;
}

- (NSUInteger)currentAllocatedSize {
	return [MetalSimBuffer allocated];
}

- (BOOL)supportsFamily:(MTLGPUFamily)family {
	return (family >= MTLGPUFamilyApple1 && family <= MTLGPUFamilyApple7) ||
	       (family >= MTLGPUFamilyCommon1 && family <= MTLGPUFamilyCommon3) ||
	       family == MTLGPUFamilyMac2 || family == MTLGPUFamilyMetal3;
}

- (id<MTLCommandQueue>)newCommandQueue {
	return [self newCommandQueueWithMaxCommandBufferCount:64];
}

- (id<MTLCommandQueue>)newCommandQueueWithMaxCommandBufferCount:(NSUInteger)count {
	if (count == 0) {
		ms_refuse(@"a queue of no command buffers");
	}
	return ms_fails_queue() ? nil : [[MetalSimQueue alloc] initWithDevice:self count:count];
}

- (id<MTLBuffer>)newBufferWithLength:(NSUInteger)length options:(MTLResourceOptions)options {
	const MTLStorageMode mode = (options >> MTLResourceStorageModeShift) & 15;
	if (length == 0) {
		ms_refuse(@"a buffer of no bytes");
	}
	if (mode != MTLStorageModeShared && mode != MTLStorageModePrivate) {
		ms_refuse(@"storage mode %d of a buffer: Apple's GPUs have shared and private", (int)mode);
	}
	if (ms_fails_buffer() || length > [self maxBufferLength]) {
		return nil;
	}
	struct ms_memory *memory = ms_memory_new(length);
	if (memory == NULL) {
		return nil;
	}
	return [[MetalSimBuffer alloc] initWithDevice:self memory:memory options:options deallocator:NULL];
}

- (id<MTLBuffer>)newBufferWithBytes:(const void *)pointer
                             length:(NSUInteger)length
                            options:(MTLResourceOptions)options {
	MetalSimBuffer *b = (MetalSimBuffer *)[self newBufferWithLength:length options:options];
	if (b != nil) {
		memcpy([b memory]->contents, pointer, length);
	}
	return b;
}

- (id<MTLBuffer>)newBufferWithBytesNoCopy:(void *)pointer
                                   length:(NSUInteger)length
                                  options:(MTLResourceOptions)options
                              deallocator:(void (^)(void *, NSUInteger))deallocator {
	const NSUInteger page = sysconf(_SC_PAGESIZE);
	if (pointer == NULL || (uintptr_t)pointer % page != 0 || length == 0 || length % page != 0) {
		ms_refuse(@"newBufferWithBytesNoCopy takes whole pages, not %lu bytes at %p", (unsigned long)length,
		          pointer);
	}
	if (((options >> MTLResourceStorageModeShift) & 15) != MTLStorageModeShared) {
		ms_refuse(@"newBufferWithBytesNoCopy: the storage mode is not shared");
	}
	if (ms_fails_buffer() || length > [self maxBufferLength]) {
		return nil;
	}
	return [[MetalSimBuffer alloc] initWithDevice:self
	                                       memory:ms_memory_wrap(pointer, length)
	                                      options:options
	                                  deallocator:deallocator];
}

// library takes what the engine made, or turns its reason into an error.
- (id<MTLLibrary>)newLibrary:(struct ms_library *)library
                      reason:(char *)reason
                        code:(NSInteger)code
                       error:(NSError **)error {
	if (library != NULL) {
		return [[MetalSimLibrary alloc] initWithDevice:self library:library];
	}
	if (error != NULL) {
		*error = ms_error(MTLLibraryErrorDomain, code, [NSString stringWithUTF8String:reason]);
	}
	free(reason);
	return nil;
}

- (id<MTLLibrary>)newLibraryWithSource:(NSString *)source
                               options:(MTLCompileOptions *)options
                                 error:(NSError **)error {
	NSDictionary *macros = [options preprocessorMacros];
	const char *flags[[macros count] + 1];
	NSUInteger n = 0;
	for (NSString *name in macros) {
		flags[n++] = [[NSString stringWithFormat:@"-D%@=%@", name, [macros objectForKey:name]] UTF8String];
	}
	flags[n] = NULL;
	ms_counted(ms_count_compiled);
	char *reason = NULL;
	struct ms_library *library = ms_library_compile([source UTF8String], flags, &reason);
	return [self newLibrary:library reason:reason code:MTLLibraryErrorCompileFailure error:error];
}

- (id<MTLLibrary>)newLibraryWithURL:(NSURL *)url error:(NSError **)error {
	NSData *data = [url isFileURL] ? [NSData dataWithContentsOfFile:[url path]] : nil;
	if (data == nil) {
		if (error != NULL) {
			*error = ms_error(MTLLibraryErrorDomain, MTLLibraryErrorFileNotFound,
			                  [NSString stringWithFormat:@"library not found: %@", [url path]]);
		}
		return nil;
	}
	return [self newLibraryWithData:data error:error];
}

- (id<MTLLibrary>)newLibraryWithData:(dispatch_data_t)data error:(NSError **)error {
	char *reason = NULL;
	struct ms_library *library = ms_library_load([data bytes], [data length], &reason);
	return [self newLibrary:library reason:reason code:MTLLibraryErrorUnsupported error:error];
}

- (id<MTLComputePipelineState>)newComputePipelineStateWithFunction:(id<MTLFunction>)function
                                                             error:(NSError **)error {
	if (function == nil) {
		ms_refuse(@"newComputePipelineStateWithFunction: the function is nil");
	}
	MetalSimFunction *f = (MetalSimFunction *)function;
	if ([f staticLength] > ms_max_memory) {
		if (error != NULL) {
			*error = ms_error(@"MetalSimulator", 3,
			                  [NSString stringWithFormat:@"Threadgroup memory size (%lu) exceeds the maximum "
			                                             @"threadgroup memory allowed (%d)",
			                                             (unsigned long)[f staticLength], ms_max_memory]);
		}
		return nil;
	}
	NSUInteger threads = [f kernel]->max_threads;
	if (threads == 0 || threads > ms_max_threads) {
		threads = ms_max_threads;
	}
	if (ms_limit_threads() != 0 && threads > ms_limit_threads()) {
		threads = ms_limit_threads();
	}
	return [[MetalSimPipeline alloc] initWithFunction:f threads:threads];
}

- (id<MTLSharedEvent>)newSharedEvent {
	return [[MetalSimEvent alloc] initWithDevice:self];
}

@end

id<MTLDevice> MTLCreateSystemDefaultDevice(void) {
	if (ms_hidden()) {
		return nil;
	}
	ms_start();
	return [[MetalSimDevice alloc] initWithDevice:nil];
}

NSArray *MTLCopyAllDevices(void) {
	id<MTLDevice> device = MTLCreateSystemDefaultDevice();
	NSArray *all = device == nil ? [[NSArray alloc] init] : [[NSArray alloc] initWithObjects:device, nil];
	[device release];
	return all;
}

dispatch_data_t dispatch_data_create(const void *buffer, size_t size, dispatch_queue_t queue,
                                     dispatch_block_t destructor) {
	if (destructor != DISPATCH_DATA_DESTRUCTOR_DEFAULT) {
		ms_refuse(@"dispatch_data_create is simulated with DISPATCH_DATA_DESTRUCTOR_DEFAULT alone");
	}
	return [[NSData alloc] initWithBytes:buffer length:size];
}
