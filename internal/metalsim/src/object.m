#import "objects.h"

NSString *const MetalSimRefusal = @"MetalSimulatorRefusal";
NSString *const MTLLibraryErrorDomain = @"MTLLibraryErrorDomain";
NSString *const MTLCommandBufferErrorDomain = @"MTLCommandBufferErrorDomain";

void ms_refuse(NSString *format, ...) {
	va_list arguments;
	va_start(arguments, format);
	NSString *text = [[[NSString alloc] initWithFormat:format arguments:arguments] autorelease];
	va_end(arguments);
	[NSException raise:MetalSimRefusal format:@"Metal simulator: %@", text];
	abort();
}

NSError *ms_error(NSString *domain, NSInteger code, NSString *text) {
	return [NSError errorWithDomain:domain
	                           code:code
	                       userInfo:[NSDictionary dictionaryWithObject:text
	                                                            forKey:NSLocalizedDescriptionKey]];
}

@implementation MetalSimObject

+ (enum ms_class)counted {
	abort(); // each class has its own
}

- (id)initWithDevice:(id<MTLDevice>)device {
	self = [super init];
	if (self != nil) {
		ms_made([[self class] counted]);
		_device = [device retain];
	}
	return self;
}

- (void)dealloc {
	ms_gone([[self class] counted]);
	[_label release];
	[_device release];
	[super dealloc];
}

- (id<MTLDevice>)device {
	return _device;
}

- (NSString *)label {
	@synchronized(self) {
		return [[_label retain] autorelease];
	}
}

- (void)setLabel:(NSString *)label {
	@synchronized(self) {
		NSString *old = _label;
		_label = [label copy];
		[old release];
	}
}

@end
