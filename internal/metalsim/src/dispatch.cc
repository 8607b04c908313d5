// Dispatches over the cores of this machine, and the handler of faults.

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

#include "runner.h"

namespace metalsim {
namespace {

const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
struct sigaction before[NSIG];
sigset_t workerMask; // every signal is blocked but faults

bool isWrite(void *context) {
#if defined(__x86_64__)
	return (static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
	(void)context;
	return false;
#endif
}

// onFault takes the signal where a kernel runs on this thread, else hands it to
// the handler that was there before: Go's, which needs its own.
void onFault(int signal, siginfo_t *info, void *context) {
	if (Runner *r = Runner::running()) {
		r->caught({signal, static_cast<char *>(info->si_addr), isWrite(context)}, &workerMask);
	}
	const struct sigaction &old = before[signal];
	if ((old.sa_flags & SA_SIGINFO) != 0) {
		old.sa_sigaction(signal, info, context);
	} else if (old.sa_handler == SIG_DFL || old.sa_handler == SIG_IGN) {
		sigaction(signal, &old, nullptr); // the instruction runs again and ends the process
	} else {
		old.sa_handler(signal);
	}
}

// Pool is the threads that run groups, and the dispatch that they are at.
class Pool {
  public:
	explicit Pool(unsigned workers) {
		sigset_t outer;
		pthread_sigmask(SIG_SETMASK, &workerMask, &outer);
		for (unsigned i = 0; i < workers; i++) {
			std::thread([this] { work(); }).detach();
			workers_++;
		}
		pthread_sigmask(SIG_SETMASK, &outer, nullptr);
	}

	Failure run(const ms_dispatch *d, void *const *buffers) {
		std::unique_lock<std::mutex> hold(lock_);
		dispatch_ = d;
		buffers_ = buffers;
		next_ = 0;
		groups_ = uint64_t(d->grid[0]) * d->grid[1] * d->grid[2];
		failure_ = Failure();
		busy_ = workers_;
		generation_++;
		start_.notify_all();
		done_.wait(hold, [this] { return busy_ == 0; });
		return failure_;
	}

  private:
	void work() {
		pthread_setname_np(pthread_self(), "metalsim group");
		stack_t alternate = {};
		alternate.ss_size = 64 << 10;
		alternate.ss_sp = malloc(alternate.ss_size);
		sigaltstack(&alternate, nullptr);
		Runner runner;
		Runner::attach(&runner);
		for (uint64_t seen = 0;;) {
			{
				std::unique_lock<std::mutex> hold(lock_);
				start_.wait(hold, [this, seen] { return generation_ != seen; });
				seen = generation_;
			}
			runner.prepare(dispatch_, buffers_);
			const Failure f = share(&runner);
			std::lock_guard<std::mutex> hold(lock_);
			if (f.code != 0 && failure_.code == 0) {
				failure_ = f;
			}
			if (--busy_ == 0) {
				done_.notify_one();
			}
		}
	}

	// share runs groups until there are none left.
	Failure share(Runner *runner) {
		const uint32_t *grid = dispatch_->grid;
		for (uint64_t i; (i = next_.fetch_add(1)) < groups_;) {
			const uint32_t position[3] = {uint32_t(i % grid[0]), uint32_t(i / grid[0] % grid[1]),
			                              uint32_t(i / grid[0] / grid[1])};
			const Failure f = runner->run(position);
			if (f.code != 0) {
				next_ = groups_; // the others stop after the group that they are at
				return f;
			}
		}
		return Failure();
	}

	std::mutex lock_;
	std::condition_variable start_, done_;
	uint64_t generation_ = 0;
	unsigned workers_ = 0, busy_ = 0;
	const ms_dispatch *dispatch_ = nullptr;
	void *const *buffers_ = nullptr;
	std::atomic<uint64_t> next_{0};
	uint64_t groups_ = 0;
	Failure failure_;
};

Pool *pool;

void install() {
	struct sigaction action = {};
	action.sa_sigaction = onFault;
	action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
	sigfillset(&action.sa_mask);
	sigfillset(&workerMask);
	for (const int s : faults) {
		sigdelset(&workerMask, s);
		sigaction(s, &action, &before[s]);
	}
	const unsigned cores = std::thread::hardware_concurrency();
	pool = new Pool(cores == 0 ? 1 : cores);
}

// place puts the bytes of setBytes where reading past them faults, as far as
// alignment to 16 bytes allows.
void *place(int index, const ms_binding &b) {
	static Region slots[ms_max_bindings];
	Region &slot = slots[index];
	if (slot.start == nullptr) {
		slot = mapGuarded(ms_max_bytes);
	}
	char *to = slot.start + slot.size - (b.length + 15) / 16 * 16;
	memset(slot.start, padding, slot.size);
	memcpy(to, b.bytes, b.length);
	return to;
}

Failure beside(const ms_dispatch *d) {
	for (size_t i = 0; i < d->kernel->count; i++) {
		const metalsim_argument &a = d->kernel->arguments[i];
		const ms_memory *m = a.kind == METALSIM_ARGUMENT_BUFFER ? d->buffers[a.index].memory : nullptr;
		if (m != nullptr && m->map != nullptr && !m->freed && !paddingIntact(m)) {
			return {3, "write beside buffer " + std::to_string(a.index) + " (" + a.name + "), which has " +
			               std::to_string(m->length) + " bytes"};
		}
	}
	return Failure();
}

} // namespace
} // namespace metalsim

using namespace metalsim;

void ms_start(void) {
	static std::once_flag once;
	std::call_once(once, install);
}

int ms_run(const ms_dispatch *d, char message[ms_message_size]) {
	ms_start();
	void *buffers[ms_max_bindings];
	for (int i = 0; i < ms_max_bindings; i++) {
		const ms_binding &b = d->buffers[i];
		buffers[i] = b.bytes != nullptr    ? place(i, b)
		             : b.memory != nullptr ? b.memory->contents + b.offset
		                                   : nullptr;
	}
	Failure f = pool->run(d, buffers);
	if (f.code == 0) {
		f = beside(d);
	}
	if (f.code != 0) {
		snprintf(message, ms_message_size, "kernel %s: %s", d->kernel->name, f.message.c_str());
	}
	return f.code;
}
