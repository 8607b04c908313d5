// Buffers and shared events.

#ifndef METALSIM_MTLRESOURCE_H
#define METALSIM_MTLRESOURCE_H

#import <Metal/MTLTypes.h>

NS_ASSUME_NONNULL_BEGIN

@protocol MTLDevice;

typedef NS_ENUM(NSUInteger, MTLCPUCacheMode) {
	MTLCPUCacheModeDefaultCache = 0,
	MTLCPUCacheModeWriteCombined = 1,
};

typedef NS_ENUM(NSUInteger, MTLStorageMode) {
	MTLStorageModeShared = 0,
	MTLStorageModeManaged = 1,
	MTLStorageModePrivate = 2,
	MTLStorageModeMemoryless = 3,
};

typedef NS_ENUM(NSUInteger, MTLHazardTrackingMode) {
	MTLHazardTrackingModeDefault = 0,
	MTLHazardTrackingModeUntracked = 1,
	MTLHazardTrackingModeTracked = 2,
};

#define MTLResourceCPUCacheModeShift 0
#define MTLResourceStorageModeShift 4
#define MTLResourceHazardTrackingModeShift 8

typedef NS_OPTIONS(NSUInteger, MTLResourceOptions) {
	MTLResourceCPUCacheModeDefaultCache = 0,
	MTLResourceCPUCacheModeWriteCombined = 1 << MTLResourceCPUCacheModeShift,
	MTLResourceStorageModeShared = 0 << MTLResourceStorageModeShift,
	MTLResourceStorageModeManaged = 1 << MTLResourceStorageModeShift,
	MTLResourceStorageModePrivate = 2 << MTLResourceStorageModeShift,
	MTLResourceStorageModeMemoryless = 3 << MTLResourceStorageModeShift,
	MTLResourceHazardTrackingModeDefault = 0 << MTLResourceHazardTrackingModeShift,
	MTLResourceHazardTrackingModeUntracked = 1 << MTLResourceHazardTrackingModeShift,
	MTLResourceHazardTrackingModeTracked = 2 << MTLResourceHazardTrackingModeShift,
};

@protocol MTLResource <NSObject>
@property(nullable, copy, atomic) NSString *label;
@property(readonly) id<MTLDevice> device;
@property(readonly) MTLCPUCacheMode cpuCacheMode;
@property(readonly) MTLStorageMode storageMode;
@property(readonly) MTLHazardTrackingMode hazardTrackingMode;
@property(readonly) MTLResourceOptions resourceOptions;
@property(readonly) NSUInteger allocatedSize;
@end

@protocol MTLBuffer <MTLResource>
@property(readonly) NSUInteger length;
- (void *)contents; // NULL for StorageModePrivate
@end

@protocol MTLEvent <NSObject>
@property(nullable, readonly) id<MTLDevice> device;
@property(nullable, copy, atomic) NSString *label;
@end

@protocol MTLSharedEvent <MTLEvent>
@property(readwrite) uint64_t signaledValue;
@end

NS_ASSUME_NONNULL_END

#endif
