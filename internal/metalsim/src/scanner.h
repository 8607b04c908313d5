// From the preprocessed text of a .metal file to C++ that the simulator can call.
//
// In C++ the attributes of a kernel's parameters are lost and threadgroup is no
// storage class, so both are read from the text. metal_stdlib leaves two markers
// in it for kernel and threadgroup. The scanner removes them, makes a variable
// that a kernel declares in threadgroup memory one that the threads of a group
// share, and appends a launcher for each kernel.

#pragma once

#include <string>
#include <vector>

namespace metalsim {

// Storage says how the threads of a group are run, and with it which storage they
// share and others do not.
enum class Storage {
	PerWorker, // as fibres of one thread, of which there are several
	Global,    // as threads, one group at a time
};

struct Scanned {
	std::string text;               // C++
	std::vector<std::string> names; // of the kernels
	std::vector<std::string> errors;
};

Scanned scan(const std::string &preprocessed, Storage storage);

} // namespace metalsim
