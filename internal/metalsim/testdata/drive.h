// What the cases of the driver share. Every case starts from a metallib of
// kernels.metal, a queue, and a buffer of 64 words.

#import <Metal/Metal.h>
#include <metalsim.h>

extern NSString *metallib; // its path
extern id<MTLDevice> device;
extern id<MTLLibrary> library;
extern id<MTLCommandQueue> queue;
extern id<MTLBuffer> words; // 64 of 4 bytes

id<MTLComputePipelineState> pipeline(NSString *name);
id<MTLBuffer> buffer(NSUInteger length);

// encoder starts a compute encoder with a kernel and words at index 0.
id<MTLComputeCommandEncoder> encoder(id<MTLCommandBuffer> commands, NSString *name);

// finish ends, commits and waits, and prints the error, if there is one.
void finish(id<MTLCommandBuffer> commands, id<MTLComputeCommandEncoder> encoder);

// run dispatches groups of 32 threads of a kernel over words.
void run(NSString *name, NSUInteger groups);

void expect(BOOL holds, const char *what);

struct testCase {
	const char *name;
	void (*body)(void);
};

extern const struct testCase works[], refusals[], faults[]; // up to a NULL name
