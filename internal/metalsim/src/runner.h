// A Runner runs whole threadgroups, one after another, on one thread.

#pragma once

#include <csetjmp>
#include <csignal>
#include <string>
#include <utility>
#include <vector>

#include "engine.h"
#include "fibre.h"
#include "memory.h"

namespace metalsim {

// A Fault is a signal that a kernel caused.
struct Fault {
	int signal; // or 0
	char *address;
	bool write;
};

// Failure is an MTLCommandBufferError and what happened; the code 0 is none.
struct Failure {
	int code = 0;
	std::string message;
};

class Runner {
  public:
	// prepare gets ready for the groups of a dispatch, whose buffers are at buffers.
	void prepare(const ms_dispatch *dispatch, void *const *buffers);

	// run runs the group at a position of the grid. After a failure the dispatch is
	// over.
	Failure run(const uint32_t position[3]);

	// barrier is called by the fibre that runs.
	void barrier(void *site, unsigned flags);

	// share poisons a variable in threadgroup memory, once per group.
	void share(void *variable, size_t size);

	// caught is called by the handler of signals; it returns only where no kernel
	// runs.
	void caught(const Fault &fault, const sigset_t *mask);

	// running is the Runner of this thread, or null.
	static Runner *running();
	static void attach(Runner *r);

  private:
	enum class State { Ready, Waiting, Done };

	struct Thread {
		Runner *runner;
		Fibre fibre;
		Region stack;
		metalsim_thread place;
		State state;
		void *site; // of the barrier
		unsigned flags;
	};

	static void body(void *thread);
	void grow(size_t threads);
	void restart(Thread *t, size_t index);
	bool phase(Failure *f);
	Failure faulted();
	std::string owner(const char *address) const;
	std::string where(const Thread &t) const;

	const ms_dispatch *dispatch_ = nullptr;
	metalsim_group group_;
	void *memory_[ms_max_bindings];
	Region regions_[ms_max_bindings] = {};
	std::vector<Thread *> threads_;
	size_t count_ = 0; // threads of a group
	Thread *current_ = nullptr;
	unsigned long groups_ = 0;
	std::vector<std::pair<void *, size_t>> shared_; // poisoned in this group
	volatile bool inside_ = false;
	sigjmp_buf escape_;
	Fault fault_ = {0, nullptr, false};
};

} // namespace metalsim
