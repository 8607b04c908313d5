// The classes behind the protocols. Debian builds GNUstep with GCC's runtime, for
// which clang wants instance variables in the interface.

#import <Metal/Metal.h>

#include "engine.h"
#include "hooks.h"

// refuse raises what Metal's validation layer ends the process for. Nothing but a
// test of the simulator catches it.
void ms_refuse(NSString *format, ...) NS_FORMAT_FUNCTION(1, 2) __attribute__((noreturn));
extern NSString *const MetalSimRefusal;

NSError *ms_error(NSString *domain, NSInteger code, NSString *text);

// What every object has: a device, a label, and a place in the counts.
@interface MetalSimObject : NSObject {
	id<MTLDevice> _device;
	NSString *_label;
}
+ (enum ms_class)counted;
- (id)initWithDevice:(id<MTLDevice>)device;
- (id<MTLDevice>)device;
- (NSString *)label;
- (void)setLabel:(NSString *)label;
@end

@interface MetalSimDevice : MetalSimObject <MTLDevice>
@end

@interface MetalSimBuffer : MetalSimObject <MTLBuffer> {
	struct ms_memory *_memory;
	MTLResourceOptions _options;
	void (^_deallocator)(void *, NSUInteger);
}
- (id)initWithDevice:(id<MTLDevice>)device
              memory:(struct ms_memory *)memory
             options:(MTLResourceOptions)options
         deallocator:(void (^)(void *, NSUInteger))deallocator;
- (struct ms_memory *)memory;
+ (NSUInteger)allocated; // bytes, of all
@end

@interface MetalSimEvent : MetalSimObject <MTLSharedEvent> {
	uint64_t _value;
}
- (uint64_t)value; // with the lock held
@end

@interface MetalSimLibrary : MetalSimObject <MTLLibrary> {
	struct ms_library *_library;
}
- (id)initWithDevice:(id<MTLDevice>)device library:(struct ms_library *)library;
- (struct ms_library *)library;
@end

@interface MetalSimFunction : MetalSimObject <MTLFunction> {
	MetalSimLibrary *_library;
	const struct metalsim_kernel *_kernel;
}
- (id)initWithLibrary:(MetalSimLibrary *)library kernel:(const struct metalsim_kernel *)kernel;
- (const struct metalsim_kernel *)kernel;
- (NSUInteger)staticLength;
@end

@interface MetalSimPipeline : MetalSimObject <MTLComputePipelineState> {
	MetalSimFunction *_function;
	NSUInteger _threads;
}
- (id)initWithFunction:(MetalSimFunction *)function threads:(NSUInteger)threads;
- (const struct metalsim_kernel *)kernel;
@end

@interface MetalSimQueue : MetalSimObject <MTLCommandQueue> {
	NSUInteger _free; // command buffers that may yet be made
}
- (id)initWithDevice:(id<MTLDevice>)device count:(NSUInteger)count;
- (void)giveBack; // the place of a command buffer
@end

enum ms_command_kind { ms_dispatch_command, ms_fill, ms_copy, ms_signal, ms_wait };

// A command owns a share of the memory it names, and the bytes of a dispatch.
struct ms_command {
	enum ms_command_kind kind;
	struct ms_dispatch *dispatch;
	struct ms_memory *from, *to;
	size_t fromOffset, toOffset, size;
	uint8_t byte;
	MetalSimEvent *event; // retained
	uint64_t value;
};

@interface MetalSimCommandBuffer : MetalSimObject <MTLCommandBuffer> {
	MetalSimQueue *_queue;
	BOOL _retains, _committed, _holdsPlace;
	id _encoder; // that is open; not retained
	NSMutableArray *_references;
	struct ms_command *_commands;
	NSUInteger _count, _capacity, _next;
	MTLCommandBufferHandler *_handlers[2]; // scheduled, completed
	NSUInteger _handlerCounts[2];
	MTLCommandBufferStatus _status;
	NSError *_error;
	BOOL _finished; // its handlers have returned
	CFTimeInterval _start, _end;
}
- (id)initWithQueue:(MetalSimQueue *)queue retains:(BOOL)retains;
- (void)add:(struct ms_command)command;
- (void)keep:(id)object; // until it completed, where it retains references
- (void)closed:(id)encoder;
- (void)check:(const char *)method; // that it still takes commands

// The thread that plays the GPU calls these.
- (BOOL)blocked; // at a wait for an event; with the lock held
- (BOOL)step; // runs until a wait or the end, and reports whether it ended
- (void)finish;
@end

@interface MetalSimEncoder : MetalSimObject {
	MetalSimCommandBuffer *_buffer;
	BOOL _ended;
}
- (id)initWithCommandBuffer:(MetalSimCommandBuffer *)buffer;
- (void)check:(const char *)method;
- (void)endEncoding;
@end

@interface MetalSimComputeEncoder : MetalSimEncoder <MTLComputeCommandEncoder> {
	MTLDispatchType _type;
	MetalSimPipeline *_pipeline;
	struct ms_dispatch _state;
	id _bound[ms_max_bindings]; // the buffers
}
- (id)initWithCommandBuffer:(MetalSimCommandBuffer *)buffer type:(MTLDispatchType)type;
@end

@interface MetalSimBlitEncoder : MetalSimEncoder <MTLBlitCommandEncoder>
@end

// ms_gpu_submit hands a committed command buffer to the thread that plays the GPU,
// which retains it until it is done.
void ms_gpu_submit(MetalSimCommandBuffer *buffer);

// ms_lock guards the status of command buffers and the values of events;
// ms_changed tells of a change of either.
void ms_lock(void);
void ms_unlock(void);
void ms_changed(void);
void ms_await_change(void);
