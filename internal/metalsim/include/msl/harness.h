// Kernels under a sanitizer: a driver in C++ includes this, calls launch, and is
// built and run by sanitize.sh, which says how.
//
// The threads of a group are threads of the host here, and a barrier is a
// std::barrier, so that ThreadSanitizer sees which accesses a barrier orders and
// which none does. Groups run one after another. Memory is the caller's as it is:
// reading past a std::vector is for AddressSanitizer to find.

#ifndef METALSIM_HARNESS_H
#define METALSIM_HARNESS_H

#include <barrier>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <metalsim_abi.h>

extern "C" {
extern const metalsim_kernel *const __start_metalsim_kernels[];
extern const metalsim_kernel *const __stop_metalsim_kernels[];
}

namespace metalsim {

struct Size {
	uint32_t x = 1, y = 1, z = 1;
};

// What one buffer argument points to.
struct Buffer {
	void *data;
	size_t bytes;

	template <class T>
	Buffer(std::vector<T> &v) : data(v.data()), bytes(v.size() * sizeof(T)) {}
	Buffer(void *p, size_t n) : data(p), bytes(n) {}
};

namespace harness {

[[noreturn]] inline void die(const std::string &why) {
	fprintf(stderr, "metalsim harness: %s\n", why.c_str());
	exit(2);
}

struct Check {
	void operator()() noexcept;
};

// One launch at a time.
struct Launch {
	const metalsim_kernel *kernel;
	std::unique_ptr<std::barrier<Check>> barrier;
	std::vector<void *> sites; // by thread, of the barrier that it waits at
};

inline Launch current;
inline thread_local uint32_t self;

// Check runs when all threads have come to a barrier.
inline void Check::operator()() noexcept {
	for (void *site : current.sites) {
		if (site != current.sites[0]) {
			die(std::string("kernel ") + current.kernel->name + ": non-uniform barrier");
		}
	}
}

inline void wait(void *site) {
	current.sites[self] = site;
	current.barrier->arrive_and_wait();
}

inline const metalsim_kernel *find(const char *name) {
	for (auto k = __start_metalsim_kernels; k != __stop_metalsim_kernels; k++) {
		if (strcmp((*k)->name, name) == 0) {
			return *k;
		}
	}
	die(std::string("no kernel ") + name);
}

inline void check(const metalsim_kernel *k, size_t threads, const std::vector<Buffer> &buffers,
                  const std::vector<size_t> &memory) {
	const std::string name = std::string("kernel ") + k->name + ": ";
	if (threads == 0 || threads > 1024 || (k->max_threads != 0 && threads > k->max_threads)) {
		die(name + "a group of " + std::to_string(threads) + " threads");
	}
	for (size_t i = 0; i < k->count; i++) {
		const metalsim_argument &a = k->arguments[i];
		if (a.kind == METALSIM_ARGUMENT_MEMORY ? a.index >= memory.size()
		                                       : a.index >= buffers.size() || buffers[a.index].bytes < a.size) {
			die(name + "argument " + a.name + " is missing or short");
		}
	}
}

} // namespace harness

// launch runs a kernel over a grid of groups to its end. buffers are its buffer
// arguments by index, memory the bytes of its threadgroup arguments by index.
inline void launch(const char *name, Size grid, Size group, const std::vector<Buffer> &buffers,
                   const std::vector<size_t> &memory = {}) {
	const metalsim_kernel *k = harness::find(name);
	const size_t count = size_t(group.x) * group.y * group.z;
	harness::check(k, count, buffers, memory);
	std::vector<void *> pointers, shared;
	std::vector<std::vector<uint64_t>> blocks;
	for (const Buffer &b : buffers) {
		pointers.push_back(b.data);
	}
	for (const size_t bytes : memory) {
		blocks.emplace_back((bytes + 7) / 8);
	}
	for (auto &b : blocks) {
		shared.push_back(b.data());
	}
	harness::current.kernel = k;
	harness::current.sites.assign(count, nullptr);
	harness::current.barrier = std::make_unique<std::barrier<harness::Check>>(count);
	auto run = [&](uint32_t index) {
		harness::self = index;
		const metalsim_thread t = {{index % group.x, index / group.x % group.y, index / group.x / group.y},
		                           index};
		metalsim_group g = {pointers.data(), shared.data(), {}, {group.x, group.y, group.z}, {grid.x, grid.y, grid.z}};
		for (g.position[2] = 0; g.position[2] < grid.z; g.position[2]++) {
			for (g.position[1] = 0; g.position[1] < grid.y; g.position[1]++) {
				for (g.position[0] = 0; g.position[0] < grid.x; g.position[0]++) {
					for (auto &b : blocks) {
						if (index == 0) {
							memset(b.data(), 0xa5, b.size() * 8);
						}
					}
					harness::wait(nullptr);
					k->run(&g, &t);
					harness::wait(nullptr);
				}
			}
		}
	};
	std::vector<std::thread> threads;
	for (uint32_t i = 0; i < count; i++) {
		threads.emplace_back(run, i);
	}
	for (auto &t : threads) {
		t.join();
	}
}

} // namespace metalsim

// What kernels call.
extern "C" inline __attribute__((used, noinline)) void metalsim_barrier(unsigned) {
	metalsim::harness::wait(__builtin_return_address(0));
}
extern "C" inline __attribute__((used)) void metalsim_share(void *, size_t) {}

#endif
