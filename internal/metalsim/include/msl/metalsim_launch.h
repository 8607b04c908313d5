// How a generated launcher passes arguments of any type to a kernel. The scanner
// puts this after the preprocessed text of a .metal file.

#ifndef METALSIM_LAUNCH_H
#define METALSIM_LAUNCH_H

#include <metalsim_abi.h>

namespace metalsim {

// Pointer and Reference become what the parameter's type asks for.
struct Pointer {
	void *to;
	template <class T>
	operator T *() const {
		return static_cast<T *>(to);
	}
};

struct Reference {
	void *to;
	template <class T>
	operator T &() const {
		return *static_cast<T *>(to);
	}
};

// A position in up to three dimensions. MSL takes uint and ushort, alone or as a
// vector of two or three, and nothing else.
struct Position {
	uint32_t x, y, z;

	operator uint() const { return x; }
	operator ushort() const { return ushort(x); }
	operator metal::uint2() const { return metal::uint2{x, y}; }
	operator metal::uint3() const { return metal::uint3{x, y, z}; }
	operator metal::ushort2() const { return metal::ushort2{ushort(x), ushort(y)}; }
	operator metal::ushort3() const { return metal::ushort3{ushort(x), ushort(y), ushort(z)}; }
	template <class T>
	operator T() const = delete;
};

struct Index {
	uint32_t index;

	operator uint() const { return index; }
	operator ushort() const { return ushort(index); }
	template <class T>
	operator T() const = delete;
};

inline Position position(const uint32_t *v) { return Position{v[0], v[1], v[2]}; }
inline Position product(const uint32_t *a, const uint32_t *b) {
	return Position{a[0] * b[0], a[1] * b[1], a[2] * b[2]};
}
inline Position in_grid(const metalsim_group *g, const metalsim_thread *t) {
	return Position{g->position[0] * g->size[0] + t->position[0],
	                g->position[1] * g->size[1] + t->position[1],
	                g->position[2] * g->size[2] + t->position[2]};
}

// Pointee<i>(&kernel) is the type that parameter i points or refers to.
template <class T>
struct Target {};
template <class T>
struct Target<T *> {
	typedef T type;
};
template <class T>
struct Target<T &> {
	typedef T type;
};

template <unsigned i, class First, class... Rest>
struct Nth : Nth<i - 1, Rest...> {};
template <class First, class... Rest>
struct Nth<0, First, Rest...> {
	typedef First type;
};

template <unsigned i, class... Parameters>
constexpr size_t size_of(void (*)(Parameters...)) {
	return sizeof(typename Target<typename Nth<i, Parameters...>::type>::type);
}
template <unsigned i, class... Parameters>
constexpr size_t align_of(void (*)(Parameters...)) {
	return alignof(typename Target<typename Nth<i, Parameters...>::type>::type);
}

} // namespace metalsim

#endif
