// From the text of .metal files to shared objects, by clang.

#pragma once

#include <string>
#include <vector>

#include "scanner.h"

namespace metalsim {

struct Compiled {
	std::string path;  // of the shared object, or empty
	std::string error; // clang's text, or the scanner's
};

// compileSource compiles one translation unit, or finds it in build/cache by its
// content.
Compiled compileSource(const std::string &text, const std::vector<std::string> &flags);

// storeLibrary puts the bytes of a library where the loader takes it from.
Compiled storeLibrary(const std::string &bytes);

// The steps, for metalscan: preprocessed and scanned text.
Scanned translate(const std::string &file, const std::vector<std::string> &flags, Storage storage);

} // namespace metalsim
