// Apple's simd.h declares vector types for hosts. gogpu/naga includes it and
// uses nothing of it.
