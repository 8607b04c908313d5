#include "runner.h"

#include <cstdio>
#include <cstring>

namespace metalsim {
namespace {

constexpr size_t stackSize = 64 << 10;

// The codes of MTLCommandBufferError.
enum { errorInternal = 1, errorPageFault = 3, errorStackOverflow = 12 };

thread_local Runner *current __attribute__((tls_model("initial-exec")));

std::string triple(const uint32_t v[3]) {
	char s[64];
	snprintf(s, sizeof s, "(%u, %u, %u)", v[0], v[1], v[2]);
	return s;
}

bool inside(const Region &r, const char *p) {
	return r.map != nullptr && p >= r.map && p < r.map + r.mapped;
}

std::string distance(const char *p, const char *from) { return std::to_string(p - from); }

} // namespace

Runner *Runner::running() { return current; }
void Runner::attach(Runner *r) { current = r; }

void Runner::body(void *thread) {
	Thread *t = static_cast<Thread *>(thread);
	t->runner->dispatch_->kernel->run(&t->runner->group_, &t->place);
	t->state = State::Done;
}

// restart gives a thread a fresh stack. The stacks are of one size, so their tops
// would share a few sets of the cache without the skew.
void Runner::restart(Thread *t, size_t index) {
	t->fibre.create(t->stack, index % 64 * 320, body, t);
	t->state = State::Done;
}

void Runner::grow(size_t threads) {
	while (threads_.size() < threads) {
		Thread *t = new Thread();
		t->runner = this;
		t->stack = mapGuarded(stackSize);
		restart(t, threads_.size());
		threads_.push_back(t);
	}
}

void Runner::prepare(const ms_dispatch *dispatch, void *const *buffers) {
	dispatch_ = dispatch;
	const uint32_t *size = dispatch->size;
	count_ = size_t(size[0]) * size[1] * size[2];
	grow(count_);
	for (uint32_t i = 0; i < count_; i++) {
		threads_[i]->place = {{i % size[0], i / size[0] % size[1], i / size[0] / size[1]}, i};
	}
	for (int i = 0; i < ms_max_bindings; i++) {
		if (dispatch->memory[i] != 0 && regions_[i].start == nullptr) {
			regions_[i] = mapGuarded(ms_max_memory);
		}
		memory_[i] = dispatch->memory[i] == 0 ? nullptr
		                                      : regions_[i].start + regions_[i].size - dispatch->memory[i];
	}
	group_.buffers = buffers;
	group_.memory = memory_;
	memcpy(group_.size, dispatch->size, sizeof group_.size);
	memcpy(group_.grid, dispatch->grid, sizeof group_.grid);
}

Failure Runner::run(const uint32_t position[3]) {
	memcpy(group_.position, position, sizeof group_.position);
	for (int i = 0; i < ms_max_bindings; i++) {
		if (memory_[i] != nullptr) {
			memset(memory_[i], padding, dispatch_->memory[i]);
		}
	}
	shared_.clear();
	for (size_t i = 0; i < count_; i++) {
		threads_[i]->state = State::Ready;
	}
	groups_++;
	Failure f;
	if (sigsetjmp(escape_, 0) == 0) {
		inside_ = true;
		while (phase(&f)) {
		}
		inside_ = false;
	} else {
		f = faulted();
	}
	if (f.code != 0) {
		for (size_t i = 0; i < count_; i++) {
			restart(threads_[i], i);
		}
	}
	return f;
}

// phase runs every thread to its next barrier or its end, and reports whether the
// group goes on. Every second group runs its threads in reverse, so that a missing
// barrier does not hide behind an order.
bool Runner::phase(Failure *f) {
	const Thread *waiting = nullptr, *done = nullptr;
	for (size_t k = 0; k < count_; k++) {
		Thread *t = threads_[groups_ % 2 == 0 ? k : count_ - 1 - k];
		current_ = t;
		t->fibre.resume();
		const bool waits = t->state == State::Waiting;
		if (waits && waiting != nullptr && (t->site != waiting->site || t->flags != waiting->flags)) {
			*f = {errorInternal, "non-uniform barrier: " + where(*waiting) + " and " + where(*t) +
			                         " wait at different ones"};
			return false;
		}
		(waits ? waiting : done) = t;
	}
	if (waiting != nullptr && done != nullptr) {
		*f = {errorInternal, "non-uniform barrier: " + where(*waiting) + " waits where " + where(*done) +
		                         " has returned"};
		return false;
	}
	return waiting != nullptr;
}

void Runner::barrier(void *site, unsigned flags) {
	current_->site = site;
	current_->flags = flags;
	current_->state = State::Waiting;
	current_->fibre.yield();
	current_->state = State::Ready;
}

void Runner::share(void *variable, size_t size) {
	for (const auto &s : shared_) {
		if (s.first == variable) {
			return;
		}
	}
	shared_.push_back({variable, size});
	memset(variable, padding, size);
}

void Runner::caught(const Fault &fault, const sigset_t *mask) {
	if (!inside_) {
		return;
	}
	inside_ = false;
	fault_ = fault;
	pthread_sigmask(SIG_SETMASK, mask, nullptr);
	siglongjmp(escape_, 1);
}

std::string Runner::where(const Thread &t) const {
	return "thread " + triple(t.place.position) + " of group " + triple(group_.position);
}

Failure Runner::faulted() {
	const std::string who = where(*current_);
	if (fault_.signal == SIGFPE) {
		return {errorInternal, "division by zero in " + who};
	}
	if (fault_.signal == SIGILL) {
		return {errorInternal, "trap in " + who};
	}
	if (inside(current_->stack, fault_.address)) {
		return {errorStackOverflow, "stack overflow in " + who};
	}
	return {errorPageFault, std::string(fault_.write ? "write" : "read") + " of " + owner(fault_.address) +
	                            " in " + who};
}

// owner says where an address is, relative to the arguments of the kernel.
std::string Runner::owner(const char *p) const {
	for (size_t i = 0; i < dispatch_->kernel->count; i++) {
		const metalsim_argument &a = dispatch_->kernel->arguments[i];
		const bool memory = a.kind == METALSIM_ARGUMENT_MEMORY;
		const std::string name = std::string(memory ? "threadgroup memory " : "buffer ") +
		                         std::to_string(a.index) + " (" + a.name + ")";
		if (memory && inside(regions_[a.index], p)) {
			return "byte " + distance(p, static_cast<char *>(memory_[a.index])) + " of " + name + ", which has " +
			       std::to_string(dispatch_->memory[a.index]);
		}
		const ms_memory *m = memory ? nullptr : dispatch_->buffers[a.index].memory;
		if (m != nullptr && m->map != nullptr && p >= m->map && p < m->map + m->mapped) {
			return m->freed ? name + ", which was deallocated"
			                : "byte " + distance(p, m->contents) + " of " + name + ", which has " +
			                      std::to_string(m->length);
		}
		// The bytes of setBytes end at a guard page too, one page after their own.
		const char *base = memory ? nullptr : static_cast<char *>(group_.buffers[a.index]);
		if (m == nullptr && base != nullptr && p >= base && p < base + 2 * pageSize()) {
			return "byte " + distance(p, base) + " of " + name + ", bytes of which there are " +
			       std::to_string(dispatch_->buffers[a.index].length);
		}
	}
	return "an address outside of every argument";
}

} // namespace metalsim

void metalsim_barrier(unsigned flags) {
	metalsim::Runner::running()->barrier(__builtin_return_address(0), flags);
}

void metalsim_share(void *variable, size_t size) { metalsim::Runner::running()->share(variable, size); }
