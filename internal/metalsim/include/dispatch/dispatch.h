// The part of libdispatch in which Metal takes the bytes of a library. Only the
// copying form of dispatch_data_create is simulated: its destructor must be
// DISPATCH_DATA_DESTRUCTOR_DEFAULT.

#ifndef METALSIM_DISPATCH_H
#define METALSIM_DISPATCH_H

#import <Foundation/Foundation.h>

#include <stddef.h>

typedef NSObject *dispatch_object_t;
typedef NSObject *dispatch_queue_t;
typedef NSData *dispatch_data_t;
typedef void (^dispatch_block_t)(void);

#define DISPATCH_DATA_DESTRUCTOR_DEFAULT ((dispatch_block_t)0)

#if defined(__cplusplus)
extern "C"
#else
extern
#endif
    dispatch_data_t
    dispatch_data_create(const void *buffer, size_t size, dispatch_queue_t queue,
                         dispatch_block_t destructor);

#define dispatch_release(object) [(object) release]
#define dispatch_retain(object) ((void)[(object) retain])

#endif
