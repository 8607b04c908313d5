// Blocks of the simulator; src/blocks.c says why they are its own.

#ifndef METALSIM_BLOCK_H
#define METALSIM_BLOCK_H

#if defined(__cplusplus)
extern "C" {
#endif

void *_Block_copy(const void *block);
void _Block_release(const void *block);
void _Block_object_assign(void *destination, const void *object, const int flags);
void _Block_object_dispose(const void *object, const int flags);

#if defined(__cplusplus)
}
#endif

#define Block_copy(...) ((__typeof(__VA_ARGS__))_Block_copy((const void *)(__VA_ARGS__)))
#define Block_release(...) _Block_release((const void *)(__VA_ARGS__))

#endif
