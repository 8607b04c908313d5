// Runs a program with a text as its input.

#pragma once

#include <string>
#include <vector>

namespace metalsim {

struct Output {
	int status; // of exit, or -1 where the program did not run or was killed
	std::string out, err;
};

Output runProcess(const std::vector<std::string> &args, const std::string &input);

} // namespace metalsim
