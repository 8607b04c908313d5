#include "hooks.h"

#include <metalsim.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

static const char *const names[ms_classes] = {
	"MTLDevice",           "MTLBuffer",
	"MTLLibrary",          "MTLFunction",
	"MTLComputePipelineState", "MTLCommandQueue",
	"MTLCommandBuffer",    "MTLComputeCommandEncoder",
	"MTLBlitCommandEncoder", "MTLSharedEvent",
	"MTLCompileOptions",
};

static atomic_llong live[ms_classes], made[ms_classes], counts[ms_counts];

void ms_made(enum ms_class c) {
	live[c]++;
	made[c]++;
}

void ms_gone(enum ms_class c) { live[c]--; }

void ms_counted(enum ms_count c) { counts[c]++; }

static int find(const char *name) {
	for (int c = 0; c < ms_classes; c++) {
		if (strcmp(names[c], name) == 0) {
			return c;
		}
	}
	return -1;
}

int64_t metalsim_live(const char *cls) {
	ms_gpu_settle();
	const int c = find(cls);
	return c < 0 ? -1 : live[c];
}

int64_t metalsim_made(const char *cls) {
	const int c = find(cls);
	return c < 0 ? -1 : made[c];
}

int64_t metalsim_committed(void) { return counts[ms_count_committed]; }
int64_t metalsim_dispatched(void) { return counts[ms_count_dispatched]; }
int64_t metalsim_compiled(void) { return counts[ms_count_compiled]; }

// A fault strikes once, when skip calls have passed.
struct fault {
	bool armed;
	int skip, code;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct fault bufferFault, queueFault, encoderFault, commandFault;
static int lost; // the code with which every command buffer fails

static void arm(struct fault *f, int skip, int code) {
	pthread_mutex_lock(&lock);
	*f = (struct fault){true, skip, code};
	pthread_mutex_unlock(&lock);
}

static int strike(struct fault *f) {
	pthread_mutex_lock(&lock);
	int code = 0;
	if (f->armed && f->skip-- == 0) {
		f->armed = false;
		code = f->code;
	}
	pthread_mutex_unlock(&lock);
	return code;
}

void metalsim_fail_buffer(int skip) { arm(&bufferFault, skip, 1); }
void metalsim_fail_queue(int skip) { arm(&queueFault, skip, 1); }
void metalsim_fail_encoder(int skip) { arm(&encoderFault, skip, 1); }
void metalsim_fail_command_buffer(int skip, int code) { arm(&commandFault, skip, code); }

bool ms_fails_buffer(void) { return strike(&bufferFault) != 0; }
bool ms_fails_queue(void) { return strike(&queueFault) != 0; }
bool ms_fails_encoder(void) { return strike(&encoderFault) != 0; }

int ms_fails_command_buffer(void) {
	enum { accessRevoked = 4, deviceRemoved = 11 };
	const int code = strike(&commandFault);
	pthread_mutex_lock(&lock);
	if (code == accessRevoked || code == deviceRemoved) {
		lost = code;
	}
	const int result = code != 0 ? code : lost;
	pthread_mutex_unlock(&lock);
	return result;
}

static atomic_bool hidden, paused;
static atomic_uint threadLimit;
static atomic_ullong bufferLimit;

void metalsim_hide_device(int h) { hidden = h != 0; }
bool ms_hidden(void) { return hidden; }

void metalsim_pause(int p) {
	paused = p != 0;
	ms_gpu_wake();
}
bool ms_paused(void) { return paused; }

void metalsim_limit_threads(int threads) { threadLimit = threads < 0 ? 0 : threads; }
unsigned ms_limit_threads(void) { return threadLimit; }

void metalsim_limit_buffer(int64_t bytes) { bufferLimit = bytes < 0 ? 0 : bytes; }
uint64_t ms_limit_buffer(void) { return bufferLimit; }

void metalsim_reset(void) {
	for (int c = 0; c < ms_classes; c++) {
		made[c] = 0;
	}
	for (int c = 0; c < ms_counts; c++) {
		counts[c] = 0;
	}
	pthread_mutex_lock(&lock);
	lost = 0;
	bufferFault.armed = queueFault.armed = encoderFault.armed = commandFault.armed = false;
	pthread_mutex_unlock(&lock);
}
