// Libraries, functions and compute pipelines.

#ifndef METALSIM_MTLLIBRARY_H
#define METALSIM_MTLLIBRARY_H

#import <Metal/MTLTypes.h>

NS_ASSUME_NONNULL_BEGIN

@protocol MTLDevice;

typedef NS_ENUM(NSUInteger, MTLFunctionType) {
	MTLFunctionTypeVertex = 1,
	MTLFunctionTypeFragment = 2,
	MTLFunctionTypeKernel = 3,
};

typedef NS_ENUM(NSUInteger, MTLLanguageVersion) {
	MTLLanguageVersion1_1 = (1 << 16) + 1,
	MTLLanguageVersion1_2 = (1 << 16) + 2,
	MTLLanguageVersion2_0 = (2 << 16),
	MTLLanguageVersion2_1 = (2 << 16) + 1,
	MTLLanguageVersion2_2 = (2 << 16) + 2,
	MTLLanguageVersion2_3 = (2 << 16) + 3,
	MTLLanguageVersion2_4 = (2 << 16) + 4,
	MTLLanguageVersion3_0 = (3 << 16),
	MTLLanguageVersion3_1 = (3 << 16) + 1,
	MTLLanguageVersion3_2 = (3 << 16) + 2,
};

MTL_EXTERN NSString *const MTLLibraryErrorDomain;

typedef NS_ENUM(NSUInteger, MTLLibraryError) {
	MTLLibraryErrorUnsupported = 1,
	MTLLibraryErrorInternal = 2,
	MTLLibraryErrorCompileFailure = 3,
	MTLLibraryErrorCompileWarning = 4,
	MTLLibraryErrorFunctionNotFound = 5,
	MTLLibraryErrorFileNotFound = 6,
};

@interface MTLCompileOptions : NSObject <NSCopying> {
	NSDictionary *_macros;
	MTLLanguageVersion _version;
	BOOL _fast;
}
@property(nullable, readwrite, copy, nonatomic) NSDictionary *preprocessorMacros;
@property(readwrite, nonatomic) BOOL fastMathEnabled;
@property(readwrite, nonatomic) MTLLanguageVersion languageVersion;
@end

@protocol MTLFunction <NSObject>
@property(nullable, copy, atomic) NSString *label;
@property(readonly) id<MTLDevice> device;
@property(readonly) MTLFunctionType functionType;
@property(readonly) NSString *name;
@end

@protocol MTLLibrary <NSObject>
@property(nullable, copy, atomic) NSString *label;
@property(readonly) id<MTLDevice> device;
@property(readonly) NSArray *functionNames; // of NSString
- (nullable id<MTLFunction>)newFunctionWithName:(NSString *)functionName;
@end

@protocol MTLComputePipelineState <NSObject>
@property(nullable, readonly) NSString *label;
@property(readonly) id<MTLDevice> device;
@property(readonly) NSUInteger maxTotalThreadsPerThreadgroup;
@property(readonly) NSUInteger threadExecutionWidth;
@property(readonly) NSUInteger staticThreadgroupMemoryLength; // bytes
@end

NS_ASSUME_NONNULL_END

#endif
