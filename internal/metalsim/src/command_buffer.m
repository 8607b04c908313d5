#import "objects.h"
#include <Block.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { scheduled, completed };

static CFTimeInterval now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

// What Metal says of each MTLCommandBufferError.
static NSString *describe(int code) {
	switch (code) {
	case MTLCommandBufferErrorTimeout:
		return @"Caused GPU Timeout Error";
	case MTLCommandBufferErrorPageFault:
		return @"Caused GPU Address Fault Error";
	case MTLCommandBufferErrorAccessRevoked:
		return @"Ignored (for causing prior/excessive GPU errors)";
	case MTLCommandBufferErrorNotPermitted:
		return @"Insufficient Permission (to submit GPU work from background)";
	case MTLCommandBufferErrorOutOfMemory:
		return @"Insufficient Memory";
	case MTLCommandBufferErrorInvalidResource:
		return @"Invalid Resource";
	case MTLCommandBufferErrorDeviceRemoved:
		return @"Device Removed";
	case MTLCommandBufferErrorStackOverflow:
		return @"Stack Overflow";
	default:
		return @"Internal Error";
	}
}

static void drop(struct ms_command *c) {
	if (c->dispatch != NULL) {
		for (int i = 0; i < ms_max_bindings; i++) {
			ms_memory_release(c->dispatch->buffers[i].memory);
			free(c->dispatch->buffers[i].bytes);
		}
		free(c->dispatch);
	}
	ms_memory_release(c->from);
	ms_memory_release(c->to);
	[c->event release];
}

@implementation MetalSimCommandBuffer
@dynamic device, label; // MetalSimObject has them

+ (enum ms_class)counted {
	return ms_class_command_buffer;
}

- (id)initWithQueue:(MetalSimQueue *)queue retains:(BOOL)retains {
	self = [super initWithDevice:[queue device]];
	if (self != nil) {
		_queue = [queue retain];
		_retains = retains;
		_holdsPlace = YES;
		_references = [[NSMutableArray alloc] init];
	}
	return self;
}

// letGo drops what only the execution needs.
- (void)letGo {
	for (NSUInteger i = 0; i < _count; i++) {
		drop(&_commands[i]);
	}
	free(_commands);
	_commands = NULL;
	_count = 0;
	for (int kind = scheduled; kind <= completed; kind++) {
		for (NSUInteger i = 0; i < _handlerCounts[kind]; i++) {
			Block_release(_handlers[kind][i]);
		}
		free(_handlers[kind]);
		_handlers[kind] = NULL;
		_handlerCounts[kind] = 0;
	}
	[_references release];
	_references = nil;
	if (_holdsPlace) {
		_holdsPlace = NO;
		[_queue giveBack];
	}
}

- (void)dealloc {
	[self letGo];
	[_error release];
	[_queue release];
	[super dealloc];
}

- (id<MTLCommandQueue>)commandQueue {
	return _queue;
}

- (BOOL)retainedReferences {
	return _retains;
}

- (MTLCommandBufferStatus)status {
	ms_lock();
	const MTLCommandBufferStatus s = _status;
	ms_unlock();
	return s;
}

- (NSError *)error {
	ms_lock();
	NSError *e = [[_error retain] autorelease];
	ms_unlock();
	return e;
}

- (CFTimeInterval)GPUStartTime {
	return _start;
}

- (CFTimeInterval)GPUEndTime {
	return _end;
}

- (void)check:(const char *)method {
	if (_committed) {
		ms_refuse(@"%s on a command buffer that was committed", method);
	}
	if (_encoder != nil) {
		ms_refuse(@"%s while an encoder of the command buffer has not ended", method);
	}
}

- (void)add:(struct ms_command)command {
	if (_count == _capacity) {
		_capacity = _capacity == 0 ? 8 : 2 * _capacity;
		_commands = realloc(_commands, _capacity * sizeof *_commands);
	}
	_commands[_count++] = command;
}

- (void)keep:(id)object {
	if (_retains && object != nil) {
		[_references addObject:object];
	}
}

- (void)closed:(id)encoder {
	if (_encoder == encoder) {
		_encoder = nil;
	}
}

- (void)commit {
	[self check:"commit"];
	_committed = YES;
	ms_counted(ms_count_committed);
	ms_lock();
	_status = MTLCommandBufferStatusCommitted;
	ms_unlock();
	ms_gpu_submit(self);
}

- (void)handler:(MTLCommandBufferHandler)block kind:(int)kind {
	if (_committed) {
		ms_refuse(@"a handler is added to a command buffer that was committed");
	}
	const NSUInteger n = _handlerCounts[kind]++;
	_handlers[kind] = realloc(_handlers[kind], (n + 1) * sizeof *_handlers[kind]);
	_handlers[kind][n] = Block_copy(block);
}

- (void)addScheduledHandler:(MTLCommandBufferHandler)block {
	[self handler:block kind:scheduled];
}

- (void)addCompletedHandler:(MTLCommandBufferHandler)block {
	[self handler:block kind:completed];
}

- (void)wait:(MTLCommandBufferStatus)status {
	if (!_committed) {
		ms_refuse(@"a wait for a command buffer that was not committed");
	}
	ms_lock();
	while (status == MTLCommandBufferStatusCompleted ? !_finished : _status < status) {
		ms_await_change();
	}
	ms_unlock();
}

- (void)waitUntilScheduled {
	[self wait:MTLCommandBufferStatusScheduled];
}

- (void)waitUntilCompleted {
	[self wait:MTLCommandBufferStatusCompleted];
}

- (id<MTLBlitCommandEncoder>)blitCommandEncoder {
	[self check:"blitCommandEncoder"];
	if (ms_fails_encoder()) {
		return nil;
	}
	_encoder = [[[MetalSimBlitEncoder alloc] initWithCommandBuffer:self] autorelease];
	return _encoder;
}

- (id<MTLComputeCommandEncoder>)computeCommandEncoder {
	return [self computeCommandEncoderWithDispatchType:MTLDispatchTypeSerial];
}

- (id<MTLComputeCommandEncoder>)computeCommandEncoderWithDispatchType:(MTLDispatchType)type {
	[self check:"computeCommandEncoder"];
	if (ms_fails_encoder()) {
		return nil;
	}
	_encoder = [[[MetalSimComputeEncoder alloc] initWithCommandBuffer:self type:type] autorelease];
	return _encoder;
}

- (void)encodeWaitForEvent:(id<MTLEvent>)event value:(uint64_t)value {
	[self check:"encodeWaitForEvent"];
	[self add:(struct ms_command){.kind = ms_wait, .event = [(MetalSimEvent *)event retain], .value = value}];
}

- (void)encodeSignalEvent:(id<MTLEvent>)event value:(uint64_t)value {
	[self check:"encodeSignalEvent"];
	[self add:(struct ms_command){.kind = ms_signal, .event = [(MetalSimEvent *)event retain], .value = value}];
}

// The rest is called by the thread that plays the GPU.

- (BOOL)blocked {
	return _next < _count && _commands[_next].kind == ms_wait &&
	       [_commands[_next].event value] < _commands[_next].value;
}

// fail ends the execution.
- (void)fail:(int)code because:(const char *)reason {
	NSString *text = [NSString stringWithFormat:@"%@ (simulator: %s)", describe(code), reason];
	ms_lock();
	_error = [ms_error(MTLCommandBufferErrorDomain, code, text) retain];
	ms_unlock();
}

- (void)execute:(struct ms_command *)c {
	char message[ms_message_size];
	int code;
	switch (c->kind) {
	case ms_dispatch_command:
		ms_counted(ms_count_dispatched);
		code = ms_run(c->dispatch, message);
		if (code != 0) {
			[self fail:code because:message];
		}
		break;
	case ms_fill:
	case ms_copy:
		if (c->to->freed || (c->from != NULL && c->from->freed)) {
			[self fail:MTLCommandBufferErrorPageFault because:"a blit uses a buffer that was deallocated"];
		} else if (c->kind == ms_fill) {
			memset(c->to->contents + c->toOffset, c->byte, c->size);
		} else {
			memmove(c->to->contents + c->toOffset, c->from->contents + c->fromOffset, c->size);
		}
		break;
	case ms_signal:
		[c->event setSignaledValue:c->value];
		break;
	case ms_wait:
		break;
	}
}

- (void)call:(int)kind {
	for (NSUInteger i = 0; i < _handlerCounts[kind]; i++) {
		_handlers[kind][i](self);
	}
}

- (void)begin {
	_start = now();
	ms_lock();
	_status = MTLCommandBufferStatusScheduled;
	ms_changed();
	ms_unlock();
	[self call:scheduled];
	const int code = ms_fails_command_buffer();
	if (code != 0) {
		[self fail:code because:"a fault that a test asked for"];
	}
}

- (BOOL)step {
	if (_start == 0) {
		[self begin];
	}
	for (; _error == nil && _next < _count; _next++) {
		ms_lock();
		const BOOL blocked = [self blocked];
		ms_unlock();
		if (blocked) {
			return NO;
		}
		[self execute:&_commands[_next]];
	}
	return YES;
}

- (void)finish {
	_end = now();
	ms_lock();
	_status = _error == nil ? MTLCommandBufferStatusCompleted : MTLCommandBufferStatusError;
	ms_changed();
	ms_unlock();
	[self call:completed];
	[self letGo];
	ms_lock();
	_finished = YES;
	ms_changed();
	ms_unlock();
}

@end
