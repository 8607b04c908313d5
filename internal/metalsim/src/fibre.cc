#include "fibre.h"

#include <cstdint>
#include <cstdlib>

// Elsewhere, or with METALSIM_UCONTEXT to try it, libc switches, which calls the kernel for it.
#if !defined(__x86_64__) || defined(METALSIM_UCONTEXT)
#define UCONTEXT 1
#include <ucontext.h>
#endif

namespace metalsim {

// The fibre that is being started for the first time, for entry.
static thread_local Fibre *starting __attribute__((tls_model("initial-exec")));

#if !defined(UCONTEXT)

// metalsim_switch saves what a call must preserve on the stack, and the stack
// pointer in *from, and goes on with what is saved at to.
extern "C" void metalsim_switch(void **from, void *to);
asm(R"(
.text
.globl metalsim_switch
.hidden metalsim_switch
.type metalsim_switch, @function
metalsim_switch:
	pushq %rbp
	pushq %rbx
	pushq %r12
	pushq %r13
	pushq %r14
	pushq %r15
	movq %rsp, (%rdi)
	movq %rsi, %rsp
	popq %r15
	popq %r14
	popq %r13
	popq %r12
	popq %rbx
	popq %rbp
	ret
.size metalsim_switch, .-metalsim_switch
)");

void Fibre::create(const Region &stack, size_t skew, void (*body)(void *), void *argument) {
	body_ = body;
	argument_ = argument;
	// As a call would leave it: the return address is 8 bytes off a multiple of 16.
	uintptr_t *top = reinterpret_cast<uintptr_t *>(stack.start + stack.size - (skew + 15) / 16 * 16);
	*--top = 0;
	*--top = reinterpret_cast<uintptr_t>(&Fibre::entry);
	for (int saved = 0; saved < 6; saved++) {
		*--top = 0;
	}
	self_ = top;
}

void Fibre::resume() {
	starting = this;
	metalsim_switch(&caller_, self_);
}

void Fibre::yield() { metalsim_switch(&self_, caller_); }

#else

void Fibre::create(const Region &stack, size_t skew, void (*body)(void *), void *argument) {
	body_ = body;
	argument_ = argument;
	if (self_ == nullptr) {
		self_ = malloc(sizeof(ucontext_t));
		caller_ = malloc(sizeof(ucontext_t));
	}
	ucontext_t *c = static_cast<ucontext_t *>(self_);
	getcontext(c);
	c->uc_stack.ss_sp = stack.start;
	c->uc_stack.ss_size = stack.size - (skew + 15) / 16 * 16;
	c->uc_link = nullptr;
	makecontext(c, &Fibre::entry, 0);
}

void Fibre::resume() {
	starting = this;
	swapcontext(static_cast<ucontext_t *>(caller_), static_cast<ucontext_t *>(self_));
}

void Fibre::yield() {
	swapcontext(static_cast<ucontext_t *>(self_), static_cast<ucontext_t *>(caller_));
}

#endif

void Fibre::entry() {
	Fibre *f = starting;
	for (;;) {
		f->body_(f->argument_);
		f->yield();
	}
}

} // namespace metalsim
