#import "objects.h"
#include <Block.h>
#include <stdatomic.h>

static atomic_llong allocated;

@implementation MetalSimBuffer
@dynamic device, label; // MetalSimObject has them

+ (enum ms_class)counted {
	return ms_class_buffer;
}

+ (NSUInteger)allocated {
	return allocated;
}

- (id)initWithDevice:(id<MTLDevice>)device
              memory:(struct ms_memory *)memory
             options:(MTLResourceOptions)options
         deallocator:(void (^)(void *, NSUInteger))deallocator {
	self = [super initWithDevice:device];
	if (self != nil) {
		_memory = memory;
		_options = options;
		_deallocator = deallocator == NULL ? NULL : Block_copy(deallocator);
		allocated += [self allocatedSize];
	}
	return self;
}

- (void)dealloc {
	allocated -= [self allocatedSize];
	if (_deallocator != NULL) {
		_deallocator(_memory->contents, _memory->length);
		Block_release(_deallocator);
	}
	ms_memory_free(_memory);
	[super dealloc];
}

- (struct ms_memory *)memory {
	return _memory;
}

- (NSUInteger)length {
	return _memory->length;
}

- (void *)contents {
	return [self storageMode] == MTLStorageModePrivate ? NULL : _memory->contents;
}

- (NSUInteger)allocatedSize {
	return _memory->map != NULL ? _memory->mapped : _memory->length;
}

- (MTLResourceOptions)resourceOptions {
	return _options;
}

- (MTLCPUCacheMode)cpuCacheMode {
	return _options & 15;
}

- (MTLStorageMode)storageMode {
	return (_options >> MTLResourceStorageModeShift) & 15;
}

- (MTLHazardTrackingMode)hazardTrackingMode {
	return (_options >> MTLResourceHazardTrackingModeShift) & 3;
}

@end

@implementation MetalSimEvent
@dynamic device, label; // MetalSimObject has them

+ (enum ms_class)counted {
	return ms_class_event;
}

- (uint64_t)value {
	return _value;
}

- (uint64_t)signaledValue {
	ms_lock();
	const uint64_t value = _value;
	ms_unlock();
	return value;
}

- (void)setSignaledValue:(uint64_t)value {
	ms_lock();
	_value = value;
	ms_changed();
	ms_unlock();
}

@end
