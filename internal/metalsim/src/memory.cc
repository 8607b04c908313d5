// The memory of buffers.

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>

#include "memory.h"

namespace metalsim {
namespace {

size_t roundUp(size_t n, size_t to) { return (n + to - 1) / to * to; }

// A buffer that was freed keeps its addresses, inaccessible, until this many later
// ones were freed too: a kernel or a host that still uses it faults.
constexpr size_t quarantined = 256;

std::mutex quarantineLock;
std::deque<std::pair<char *, size_t>> quarantine;

void retire(char *map, size_t size) {
	mmap(map, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
	std::lock_guard<std::mutex> hold(quarantineLock);
	quarantine.push_back({map, size});
	if (quarantine.size() > quarantined) {
		munmap(quarantine.front().first, quarantine.front().second);
		quarantine.pop_front();
	}
}

} // namespace

size_t pageSize() {
	static const size_t size = sysconf(_SC_PAGESIZE);
	return size;
}

Region mapGuarded(size_t size) {
	const size_t page = pageSize();
	Region r = {nullptr, nullptr, roundUp(size, page), roundUp(size, page) + 2 * page};
	void *map = mmap(nullptr, r.mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (map == MAP_FAILED) {
		return r;
	}
	r.map = static_cast<char *>(map);
	if (mprotect(r.map + page, r.size, PROT_READ | PROT_WRITE) != 0) {
		munmap(map, r.mapped);
		return {nullptr, nullptr, 0, 0};
	}
	r.start = r.map + page;
	return r;
}

// The bytes of the pages that are not the buffer's: those before its contents,
// and fewer than 16 after.
bool paddingIntact(const ms_memory *m) {
	const size_t page = pageSize();
	for (const char *p = m->map + page; p < m->contents; p++) {
		if (*p != padding) {
			return false;
		}
	}
	for (const char *p = m->contents + m->length; p < m->map + m->mapped - page; p++) {
		if (*p != padding) {
			return false;
		}
	}
	return true;
}

} // namespace metalsim

using namespace metalsim;

ms_memory *ms_memory_new(size_t length) {
	const Region r = mapGuarded(length);
	if (r.start == nullptr) {
		return nullptr;
	}
	ms_memory *m = static_cast<ms_memory *>(calloc(1, sizeof *m));
	m->owners = 1;
	m->map = r.map;
	m->mapped = r.mapped;
	m->length = length;
	m->contents = r.start + r.size - roundUp(length, 16);
	memset(r.start, padding, m->contents - r.start);
	memset(m->contents + length, padding, r.start + r.size - m->contents - length);
	return m;
}

ms_memory *ms_memory_wrap(void *contents, size_t length) {
	ms_memory *m = static_cast<ms_memory *>(calloc(1, sizeof *m));
	m->owners = 1;
	m->contents = static_cast<char *>(contents);
	m->length = length;
	return m;
}

void ms_memory_retain(ms_memory *m) { __atomic_fetch_add(&m->owners, 1, __ATOMIC_RELAXED); }

void ms_memory_release(ms_memory *m) {
	if (m != nullptr && __atomic_fetch_sub(&m->owners, 1, __ATOMIC_ACQ_REL) == 1) {
		free(m);
	}
}

void ms_memory_free(ms_memory *m) {
	if (m->map != nullptr) {
		__atomic_store_n(&m->freed, true, __ATOMIC_RELEASE);
		retire(m->map, m->mapped);
	}
	ms_memory_release(m);
}
