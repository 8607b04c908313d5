#import "objects.h"

@implementation MTLCompileOptions

- (id)init {
	self = [super init];
	if (self != nil) {
		ms_made(ms_class_options);
		_fast = YES;
		_version = MTLLanguageVersion3_0;
	}
	return self;
}

- (void)dealloc {
	ms_gone(ms_class_options);
	[_macros release];
	[super dealloc];
}

- (id)copyWithZone:(NSZone *)zone {
	MTLCompileOptions *c = [[MTLCompileOptions allocWithZone:zone] init];
	[c setPreprocessorMacros:_macros];
	[c setFastMathEnabled:_fast];
	[c setLanguageVersion:_version];
	return c;
}

- (NSDictionary *)preprocessorMacros {
	return _macros;
}

- (void)setPreprocessorMacros:(NSDictionary *)macros {
	NSDictionary *old = _macros;
	_macros = [macros copy];
	[old release];
}

- (BOOL)fastMathEnabled {
	return _fast;
}

- (void)setFastMathEnabled:(BOOL)fast {
	_fast = fast;
}

- (MTLLanguageVersion)languageVersion {
	return _version;
}

- (void)setLanguageVersion:(MTLLanguageVersion)version {
	_version = version;
}

@end

@implementation MetalSimLibrary
@dynamic device, label; // MetalSimObject has them

+ (enum ms_class)counted {
	return ms_class_library;
}

- (id)initWithDevice:(id<MTLDevice>)device library:(struct ms_library *)library {
	self = [super initWithDevice:device];
	if (self != nil) {
		_library = library;
	}
	return self;
}

- (struct ms_library *)library {
	return _library;
}

- (NSArray *)functionNames {
	NSMutableArray *names = [NSMutableArray array];
	for (size_t i = 0; i < ms_library_count(_library); i++) {
		[names addObject:[NSString stringWithUTF8String:ms_library_kernel(_library, i)->name]];
	}
	return names;
}

- (id<MTLFunction>)newFunctionWithName:(NSString *)name {
	for (size_t i = 0; i < ms_library_count(_library); i++) {
		const struct metalsim_kernel *k = ms_library_kernel(_library, i);
		if ([name isEqualToString:[NSString stringWithUTF8String:k->name]]) {
			return [[MetalSimFunction alloc] initWithLibrary:self kernel:k];
		}
	}
	return nil;
}

@end

@implementation MetalSimFunction
@dynamic device, label; // MetalSimObject has them

+ (enum ms_class)counted {
	return ms_class_function;
}

- (id)initWithLibrary:(MetalSimLibrary *)library kernel:(const struct metalsim_kernel *)kernel {
	self = [super initWithDevice:[library device]];
	if (self != nil) {
		_library = [library retain];
		_kernel = kernel;
	}
	return self;
}

- (void)dealloc {
	[_library release];
	[super dealloc];
}

- (const struct metalsim_kernel *)kernel {
	return _kernel;
}

- (NSUInteger)staticLength {
	return ms_library_static([_library library], _kernel);
}

- (MTLFunctionType)functionType {
	return MTLFunctionTypeKernel;
}

- (NSString *)name {
	return [NSString stringWithUTF8String:_kernel->name];
}

@end

@implementation MetalSimPipeline
@dynamic device, label; // MetalSimObject has them

+ (enum ms_class)counted {
	return ms_class_pipeline;
}

- (id)initWithFunction:(MetalSimFunction *)function threads:(NSUInteger)threads {
	self = [super initWithDevice:[function device]];
	if (self != nil) {
		_function = [function retain];
		_threads = threads;
	}
	return self;
}

- (void)dealloc {
	[_function release];
	[super dealloc];
}

- (const struct metalsim_kernel *)kernel {
	return [_function kernel];
}

- (NSUInteger)maxTotalThreadsPerThreadgroup {
	return _threads;
}

- (NSUInteger)threadExecutionWidth {
	return ms_execution_width;
}

- (NSUInteger)staticThreadgroupMemoryLength {
	return [_function staticLength];
}

@end
