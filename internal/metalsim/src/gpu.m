// The thread that plays the GPU. It runs command buffers in the order in which
// they were committed, except that one which waits for an event holds up only what
// is behind it in its own queue.

#import "objects.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

struct entry {
	MetalSimCommandBuffer *buffer; // retained
	struct entry *next;
};

// One lock and one condition for everything that changes: the thread has at most
// a few dozen command buffers, and as many waiters.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;

static struct entry *pending; // in the order of commits
static bool busy;
static pthread_t gpu;
static pthread_once_t once = PTHREAD_ONCE_INIT;

void ms_lock(void) { pthread_mutex_lock(&lock); }
void ms_unlock(void) { pthread_mutex_unlock(&lock); }
void ms_changed(void) { pthread_cond_broadcast(&change); }
void ms_await_change(void) { pthread_cond_wait(&change, &lock); }

// ready gives a command buffer that can run now, or nil. The lock is held.
static MetalSimCommandBuffer *ready(void) {
	for (struct entry *e = ms_paused() ? NULL : pending; e != NULL; e = e->next) {
		bool behind = false;
		for (struct entry *b = pending; b != e; b = b->next) {
			behind |= [b->buffer commandQueue] == [e->buffer commandQueue];
		}
		if (!behind && ![e->buffer blocked]) {
			return e->buffer;
		}
	}
	return nil;
}

// removed takes a command buffer off the list. The lock is held.
static void removed(MetalSimCommandBuffer *buffer) {
	struct entry **e = &pending;
	while ((*e)->buffer != buffer) {
		e = &(*e)->next;
	}
	struct entry *gone = *e;
	*e = gone->next;
	free(gone);
}

static void *play(void *unused) {
	pthread_setname_np(pthread_self(), "metalsim gpu");
	GSRegisterCurrentThread();
	for (;;) {
		MetalSimCommandBuffer *buffer;
		ms_lock();
		busy = false;
		ms_changed();
		while ((buffer = ready()) == nil) {
			ms_await_change();
		}
		busy = true;
		ms_unlock();
		NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init];
		if ([buffer step]) {
			ms_lock();
			removed(buffer);
			ms_unlock();
			[buffer finish];
			[buffer release];
		}
		[pool release];
	}
	return unused;
}

// The signals of the process are for its own threads, but for faults.
static void start(void) {
	sigset_t mask, outer;
	sigfillset(&mask);
	sigdelset(&mask, SIGSEGV);
	sigdelset(&mask, SIGBUS);
	sigdelset(&mask, SIGFPE);
	sigdelset(&mask, SIGILL);
	sigdelset(&mask, SIGABRT);
	pthread_sigmask(SIG_SETMASK, &mask, &outer);
	pthread_create(&gpu, NULL, play, NULL);
	pthread_sigmask(SIG_SETMASK, &outer, NULL);
}

void ms_gpu_submit(MetalSimCommandBuffer *buffer) {
	pthread_once(&once, start);
	struct entry *e = malloc(sizeof *e);
	*e = (struct entry){[buffer retain], NULL};
	ms_lock();
	struct entry **end = &pending;
	while (*end != NULL) {
		end = &(*end)->next;
	}
	*end = e;
	ms_changed();
	ms_unlock();
}

void ms_gpu_wake(void) {
	ms_lock();
	ms_changed();
	ms_unlock();
}

void ms_gpu_settle(void) {
	ms_lock();
	const bool self = busy && pthread_equal(gpu, pthread_self());
	while (!self && (busy || ready() != nil)) {
		ms_await_change();
	}
	ms_unlock();
}
