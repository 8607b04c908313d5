// Memory between inaccessible pages.

#pragma once

#include <cstddef>

#include "engine.h"

namespace metalsim {

// What unused bytes hold, and threadgroup memory before a group starts: Metal
// does not zero it.
constexpr char padding = char(0xa5);

size_t pageSize();

// A Region is size bytes at start, whole pages, between two guard pages.
struct Region {
	char *map, *start; // start is null where there was no memory
	size_t size, mapped;
};

Region mapGuarded(size_t size);

// paddingIntact reports whether nothing was written beside the buffer.
bool paddingIntact(const ms_memory *m);

} // namespace metalsim
