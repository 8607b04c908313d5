// The runtime of blocks, which clang calls for -fblocks.
//
// Debian's GNUstep carries a part of one that leaves a block which captures
// only plain values on the stack, so a completion handler would read a frame
// that is gone. This one follows the Block Implementation Specification of
// LLVM for blocks that are passed to Metal or copied with Block_copy. A block
// is no Objective-C object here: it takes no message.

#include <Block.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *_NSConcreteGlobalBlock[32];
void *_NSConcreteStackBlock[32];
static void *mallocBlock[32];

enum {
	blockCountMask = 0xffff, // in steps of blockOne
	blockOne = 2,
	blockNeedsFree = 1 << 24,
	blockHasCopyDispose = 1 << 25,
	blockIsGlobal = 1 << 28,
};

// What a captured variable is, in the flags of _Block_object_assign.
enum {
	fieldIsObject = 3,
	fieldIsBlock = 7,
	fieldIsByref = 8,
	fieldIsWeak = 16,
	byrefCaller = 128,
};

struct descriptor {
	unsigned long reserved, size;
	void (*copy)(void *, const void *);
	void (*dispose)(const void *);
};

struct block {
	void *isa;
	_Atomic int flags;
	int reserved;
	void (*invoke)(void *, ...);
	struct descriptor *descriptor;
};

struct byref {
	void *isa;
	struct byref *forwarding;
	_Atomic int flags;
	int size;
	void (*keep)(void *, void *); // these two only with blockHasCopyDispose
	void (*destroy)(void *);
};

typedef void *(*method)(void *, void *);
extern method objc_msg_lookup(void *receiver, void *selector);
extern void *sel_registerName(const char *name);

static void *send(const void *object, const char *selector) {
	if (object == NULL) {
		return NULL;
	}
	void *sel = sel_registerName(selector);
	return objc_msg_lookup((void *)object, sel)((void *)object, sel);
}

// released counts one owner out and reports whether it was the last.
static int released(_Atomic int *flags) {
	return (atomic_fetch_sub(flags, blockOne) & blockCountMask) == blockOne;
}

void *_Block_copy(const void *source) {
	struct block *from = (struct block *)source;
	if (from == NULL || (from->flags & blockIsGlobal)) {
		return from;
	}
	if (from->flags & blockNeedsFree) {
		atomic_fetch_add(&from->flags, blockOne);
		return from;
	}
	struct block *to = malloc(from->descriptor->size);
	if (to == NULL) {
		return NULL;
	}
	memcpy(to, from, from->descriptor->size);
	to->isa = mallocBlock;
	to->flags = (from->flags & ~blockCountMask) | blockNeedsFree | blockOne;
	if (to->flags & blockHasCopyDispose) {
		to->descriptor->copy(to, from);
	}
	return to;
}

void _Block_release(const void *block) {
	struct block *b = (struct block *)block;
	if (b == NULL || (b->flags & blockIsGlobal) || !(b->flags & blockNeedsFree) ||
	    !released(&b->flags)) {
		return;
	}
	if (b->flags & blockHasCopyDispose) {
		b->descriptor->dispose(b);
	}
	free(b);
}

// byrefCopy moves a __block variable to the heap on its first copy: one owner
// is the block, the other the frame, whose exit disposes of it too.
static struct byref *byrefCopy(struct byref *from) {
	struct byref *to = from->forwarding;
	if (to->flags & blockNeedsFree) {
		atomic_fetch_add(&to->flags, blockOne);
		return to;
	}
	to = malloc(from->size);
	if (to == NULL) {
		abort();
	}
	memcpy(to, from, from->size);
	to->flags = (from->flags & ~blockCountMask) | blockNeedsFree | 2 * blockOne;
	to->forwarding = from->forwarding = to;
	if (to->flags & blockHasCopyDispose) {
		from->keep(to, from);
	}
	return to;
}

static void byrefRelease(struct byref *b) {
	b = b->forwarding;
	if (!(b->flags & blockNeedsFree) || !released(&b->flags)) {
		return;
	}
	if (b->flags & blockHasCopyDispose) {
		b->destroy(b);
	}
	free(b);
}

void _Block_object_assign(void *destination, const void *object, const int flags) {
	const void **to = destination;
	if (flags & byrefCaller) {
		*to = object; // a __block variable does not retain what it holds
	} else if (flags & fieldIsByref) {
		*to = byrefCopy((struct byref *)object);
	} else if ((flags & fieldIsBlock) == fieldIsBlock) {
		*to = _Block_copy(object);
	} else {
		*to = (flags & fieldIsWeak) ? object : send(object, "retain");
	}
}

void _Block_object_dispose(const void *object, const int flags) {
	if (flags & byrefCaller) {
		return;
	}
	if (flags & fieldIsByref) {
		byrefRelease((struct byref *)object);
	} else if ((flags & fieldIsBlock) == fieldIsBlock) {
		_Block_release(object);
	} else if (!(flags & fieldIsWeak)) {
		send(object, "release");
	}
}
