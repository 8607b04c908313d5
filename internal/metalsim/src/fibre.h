// Fibres: the threads of a group, of which one thread of this machine runs one at
// a time until it ends or comes to a barrier.

#pragma once

#include <cstddef>

#include "memory.h"

namespace metalsim {

// A Fibre runs its body again and again, once per resume after it ended.
class Fibre {
  public:
	// body is called with argument on a stack of the fibre's own.
	void create(const Region &stack, size_t skew, void (*body)(void *), void *argument);

	// resume runs the fibre until it yields.
	void resume();

	// yield goes back to where resume was called; the fibre's own thread calls it.
	void yield();

  private:
	static void entry();

	void *self_ = nullptr, *caller_ = nullptr; // stack pointers, or contexts
	void (*body_)(void *) = nullptr;
	void *argument_ = nullptr;
};

} // namespace metalsim
