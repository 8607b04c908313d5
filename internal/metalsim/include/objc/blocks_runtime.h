// GNUstep's Foundation.h includes this where blocks are on; GCC's Objective-C
// runtime, which Debian builds it with, has no such header.

#include <Block.h>
