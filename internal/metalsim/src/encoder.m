#import "objects.h"
#include <stdlib.h>
#include <string.h>

@implementation MetalSimEncoder

- (id)initWithCommandBuffer:(MetalSimCommandBuffer *)buffer {
	self = [super initWithDevice:[buffer device]];
	if (self != nil) {
		_buffer = [buffer retain];
	}
	return self;
}

- (void)dealloc {
	if (!_ended) {
		// Metal asserts, and an exception cannot leave a dealloc.
		NSLog(@"Metal simulator: a command encoder was released without endEncoding");
		abort();
	}
	[_buffer release];
	[super dealloc];
}

- (void)check:(const char *)method {
	if (_ended) {
		ms_refuse(@"%s on an encoder that has ended", method);
	}
}

- (void)endEncoding {
	[self check:"endEncoding"];
	_ended = YES;
	[_buffer closed:self];
}

@end

static void checkIndex(NSUInteger index) {
	if (index >= ms_max_bindings) {
		ms_refuse(@"index %lu of an argument is not below %d", (unsigned long)index, ms_max_bindings);
	}
}

@implementation MetalSimComputeEncoder
@dynamic device, label; // MetalSimObject has them

+ (enum ms_class)counted {
	return ms_class_compute_encoder;
}

- (id)initWithCommandBuffer:(MetalSimCommandBuffer *)buffer type:(MTLDispatchType)type {
	self = [super initWithCommandBuffer:buffer];
	if (self != nil) {
		_type = type;
	}
	return self;
}

- (void)unset:(NSUInteger)index {
	struct ms_binding *b = &_state.buffers[index];
	ms_memory_release(b->memory);
	free(b->bytes);
	*b = (struct ms_binding){0};
	[_bound[index] release];
	_bound[index] = nil;
}

- (void)dealloc {
	for (NSUInteger i = 0; i < ms_max_bindings; i++) {
		[self unset:i];
	}
	[_pipeline release];
	[super dealloc];
}

- (MTLDispatchType)dispatchType {
	return _type;
}

- (void)setComputePipelineState:(id<MTLComputePipelineState>)state {
	[self check:"setComputePipelineState"];
	if (state == nil) {
		ms_refuse(@"setComputePipelineState: nil");
	}
	[(id)state retain];
	[_pipeline release];
	_pipeline = (MetalSimPipeline *)state;
}

- (void)setBytes:(const void *)bytes length:(NSUInteger)length atIndex:(NSUInteger)index {
	[self check:"setBytes"];
	checkIndex(index);
	if (bytes == NULL || length == 0 || length > ms_max_bytes) {
		ms_refuse(@"setBytes takes 1 to %d bytes, not %lu", ms_max_bytes, (unsigned long)length);
	}
	void *copy = malloc(length);
	memcpy(copy, bytes, length);
	[self unset:index];
	_state.buffers[index] = (struct ms_binding){.bytes = copy, .length = length};
}

- (void)setBuffer:(id<MTLBuffer>)buffer offset:(NSUInteger)offset atIndex:(NSUInteger)index {
	[self check:"setBuffer"];
	checkIndex(index);
	if (buffer != nil && offset >= [buffer length]) {
		ms_refuse(@"offset %lu of a buffer of %lu bytes", (unsigned long)offset,
		          (unsigned long)[buffer length]);
	}
	MetalSimBuffer *b = [(MetalSimBuffer *)buffer retain];
	[self unset:index];
	if (b != nil) {
		ms_memory_retain([b memory]);
		_state.buffers[index] = (struct ms_binding){.memory = [b memory], .offset = offset};
		_bound[index] = b;
	}
}

- (void)setBufferOffset:(NSUInteger)offset atIndex:(NSUInteger)index {
	checkIndex(index);
	if (_bound[index] == nil) {
		ms_refuse(@"setBufferOffset: no buffer at index %lu", (unsigned long)index);
	}
	[self setBuffer:[[_bound[index] retain] autorelease] offset:offset atIndex:index];
}

- (void)setThreadgroupMemoryLength:(NSUInteger)length atIndex:(NSUInteger)index {
	[self check:"setThreadgroupMemoryLength"];
	checkIndex(index);
	if (length % ms_memory_alignment != 0) {
		ms_refuse(@"threadgroup memory of %lu bytes, not a multiple of %d", (unsigned long)length,
		          ms_memory_alignment);
	}
	if (length > ms_max_memory) {
		ms_refuse(@"threadgroup memory of %lu bytes, over %d", (unsigned long)length, ms_max_memory);
	}
	_state.memory[index] = length;
}

// checkArguments refuses a kernel whose arguments are not all there.
- (void)checkArguments {
	const struct metalsim_kernel *k = [_pipeline kernel];
	NSUInteger memory = [_pipeline staticThreadgroupMemoryLength];
	for (size_t i = 0; i < k->count; i++) {
		const struct metalsim_argument *a = &k->arguments[i];
		if (a->kind == METALSIM_ARGUMENT_MEMORY) {
			if (_state.memory[a->index] == 0) {
				ms_refuse(@"kernel %s: no length of threadgroup memory %u (%s)", k->name, a->index, a->name);
			}
			memory += _state.memory[a->index];
			continue;
		}
		const struct ms_binding *b = &_state.buffers[a->index];
		if (b->memory == NULL && b->bytes == NULL) {
			ms_refuse(@"kernel %s: nothing is bound to buffer %u (%s)", k->name, a->index, a->name);
		}
		const size_t size = b->memory != NULL ? b->memory->length - b->offset : b->length;
		if (size < a->size) {
			ms_refuse(@"kernel %s: buffer %u (%s) has %zu bytes and needs %zu", k->name, a->index, a->name,
			          size, a->size);
		}
		if (b->offset % a->align != 0) {
			ms_refuse(@"kernel %s: offset %zu of buffer %u (%s) is not a multiple of %zu", k->name, b->offset,
			          a->index, a->name, a->align);
		}
	}
	if (memory > ms_max_memory) {
		ms_refuse(@"kernel %s: threadgroup memory of %lu bytes, over %d", k->name, (unsigned long)memory,
		          ms_max_memory);
	}
}

- (void)checkGrid:(MTLSize)grid group:(MTLSize)group {
	const NSUInteger most = [_pipeline maxTotalThreadsPerThreadgroup];
	const NSUInteger sizes[] = {grid.width, grid.height, grid.depth, group.width, group.height, group.depth};
	for (int i = 0; i < 6; i++) {
		if (sizes[i] == 0 || sizes[i] > UINT32_MAX) {
			ms_refuse(@"dispatchThreadgroups: a dimension of %lu", (unsigned long)sizes[i]);
		}
	}
	if (group.width > most || group.height > most || group.depth > most ||
	    group.width * group.height * group.depth > most) {
		ms_refuse(@"kernel %s: a group of %lu x %lu x %lu threads, over %lu", [_pipeline kernel]->name,
		          (unsigned long)group.width, (unsigned long)group.height, (unsigned long)group.depth,
		          (unsigned long)most);
	}
}

- (void)dispatchThreadgroups:(MTLSize)grid threadsPerThreadgroup:(MTLSize)group {
	[self check:"dispatchThreadgroups"];
	if (_pipeline == nil) {
		ms_refuse(@"dispatchThreadgroups without a pipeline");
	}
	[self checkGrid:grid group:group];
	[self checkArguments];
	struct ms_dispatch *d = malloc(sizeof *d);
	*d = _state;
	d->kernel = [_pipeline kernel];
	const uint32_t g[3] = {grid.width, grid.height, grid.depth};
	const uint32_t s[3] = {group.width, group.height, group.depth};
	memcpy(d->grid, g, sizeof g);
	memcpy(d->size, s, sizeof s);
	for (NSUInteger i = 0; i < ms_max_bindings; i++) {
		struct ms_binding *b = &d->buffers[i];
		if (b->memory != NULL) {
			ms_memory_retain(b->memory);
			[_buffer keep:_bound[i]];
		}
		if (b->bytes != NULL) {
			b->bytes = memcpy(malloc(b->length), b->bytes, b->length);
		}
	}
	[_buffer keep:_pipeline];
	[_buffer add:(struct ms_command){.kind = ms_dispatch_command, .dispatch = d}];
}

// Dispatches run one after another here, also those of a concurrent encoder.
- (void)memoryBarrierWithScope:(MTLBarrierScope)scope {
	[self check:"memoryBarrierWithScope"];
	if ((scope & MTLBarrierScopeRenderTargets) != 0) {
		ms_refuse(@"memoryBarrierWithScope: render targets in a compute encoder");
	}
}

@end

@implementation MetalSimBlitEncoder
@dynamic device, label; // MetalSimObject has them

+ (enum ms_class)counted {
	return ms_class_blit_encoder;
}

static void checkRange(const char *what, id<MTLBuffer> buffer, NSUInteger offset, NSUInteger size) {
	if (buffer == nil || size == 0 || offset > [buffer length] || size > [buffer length] - offset) {
		ms_refuse(@"%s: bytes %lu to %lu of a buffer of %lu", what, (unsigned long)offset,
		          (unsigned long)(offset + size), (unsigned long)[buffer length]);
	}
}

- (struct ms_memory *)use:(id<MTLBuffer>)buffer {
	[_buffer keep:buffer];
	struct ms_memory *m = [(MetalSimBuffer *)buffer memory];
	ms_memory_retain(m);
	return m;
}

- (void)fillBuffer:(id<MTLBuffer>)buffer range:(NSRange)range value:(uint8_t)value {
	[self check:"fillBuffer"];
	checkRange("fillBuffer", buffer, range.location, range.length);
	[_buffer add:(struct ms_command){.kind = ms_fill,
	                                 .to = [self use:buffer],
	                                 .toOffset = range.location,
	                                 .size = range.length,
	                                 .byte = value}];
}

- (void)copyFromBuffer:(id<MTLBuffer>)source
          sourceOffset:(NSUInteger)sourceOffset
              toBuffer:(id<MTLBuffer>)destination
     destinationOffset:(NSUInteger)destinationOffset
                  size:(NSUInteger)size {
	[self check:"copyFromBuffer"];
	checkRange("copyFromBuffer", source, sourceOffset, size);
	checkRange("copyFromBuffer", destination, destinationOffset, size);
	[_buffer add:(struct ms_command){.kind = ms_copy,
	                                 .from = [self use:source],
	                                 .to = [self use:destination],
	                                 .fromOffset = sourceOffset,
	                                 .toOffset = destinationOffset,
	                                 .size = size}];
}

@end
