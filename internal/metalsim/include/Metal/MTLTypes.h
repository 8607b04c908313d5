// Sizes, constants and names that several headers use.

#ifndef METALSIM_MTLTYPES_H
#define METALSIM_MTLTYPES_H

#import <Foundation/Foundation.h>

#ifndef NS_ASSUME_NONNULL_BEGIN
#define NS_ASSUME_NONNULL_BEGIN _Pragma("clang assume_nonnull begin")
#define NS_ASSUME_NONNULL_END _Pragma("clang assume_nonnull end")
#endif

#ifndef NS_RETURNS_RETAINED
#define NS_RETURNS_RETAINED __attribute__((ns_returns_retained))
#endif

#if defined(__cplusplus)
#define MTL_EXTERN extern "C"
#else
#define MTL_EXTERN extern
#endif

#if __has_feature(objc_arc)
#error "the simulator's bridge uses manual retain and release"
#endif

typedef double CFTimeInterval; // seconds

typedef struct {
	NSUInteger x, y, z;
} MTLOrigin;

// MTLSize counts threads or threadgroups.
typedef struct {
	NSUInteger width, height, depth;
} MTLSize;

static inline MTLSize MTLSizeMake(NSUInteger width, NSUInteger height, NSUInteger depth) {
	MTLSize s = {width, height, depth};
	return s;
}

typedef NS_ENUM(NSInteger, MTLGPUFamily) {
	MTLGPUFamilyApple1 = 1001,
	MTLGPUFamilyApple2 = 1002,
	MTLGPUFamilyApple3 = 1003,
	MTLGPUFamilyApple4 = 1004,
	MTLGPUFamilyApple5 = 1005,
	MTLGPUFamilyApple6 = 1006,
	MTLGPUFamilyApple7 = 1007,
	MTLGPUFamilyApple8 = 1008,
	MTLGPUFamilyApple9 = 1009,
	MTLGPUFamilyMac1 = 2001,
	MTLGPUFamilyMac2 = 2002,
	MTLGPUFamilyCommon1 = 3001,
	MTLGPUFamilyCommon2 = 3002,
	MTLGPUFamilyCommon3 = 3003,
	MTLGPUFamilyMetal3 = 5001,
};

typedef NS_ENUM(NSUInteger, MTLDispatchType) {
	MTLDispatchTypeSerial,
	MTLDispatchTypeConcurrent,
};

typedef NS_OPTIONS(NSUInteger, MTLBarrierScope) {
	MTLBarrierScopeBuffers = 1 << 0,
	MTLBarrierScopeTextures = 1 << 1,
	MTLBarrierScopeRenderTargets = 1 << 2,
};

#endif
