#import "objects.h"

@implementation MetalSimQueue
@dynamic device, label; // MetalSimObject has them

+ (enum ms_class)counted {
	return ms_class_queue;
}

- (id)initWithDevice:(id<MTLDevice>)device count:(NSUInteger)count {
	self = [super initWithDevice:device];
	if (self != nil) {
		_free = count;
	}
	return self;
}

// A queue has so many command buffers that did not complete; one more has to wait,
// for ever if nothing was committed, as with Metal.
- (id<MTLCommandBuffer>)make:(BOOL)retains {
	if (ms_fails_encoder()) {
		return nil;
	}
	ms_lock();
	while (_free == 0) {
		ms_await_change();
	}
	_free--;
	ms_unlock();
	return [[[MetalSimCommandBuffer alloc] initWithQueue:self retains:retains] autorelease];
}

- (void)giveBack {
	ms_lock();
	_free++;
	ms_changed();
	ms_unlock();
}

- (id<MTLCommandBuffer>)commandBuffer {
	return [self make:YES];
}

- (id<MTLCommandBuffer>)commandBufferWithUnretainedReferences {
	return [self make:NO];
}

@end
