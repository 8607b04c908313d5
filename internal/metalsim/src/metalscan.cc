// metalscan prints the C++ that the simulator makes of a .metal file.
//
//	metalscan [-threads] FILE.metal [clang's -D and -I]

#include <cstring>
#include <iostream>

#include "compile.h"

int main(int argc, char **argv) {
	using namespace metalsim;
	int first = 1;
	Storage storage = Storage::PerWorker;
	if (argc > 1 && strcmp(argv[1], "-threads") == 0) {
		storage = Storage::Global;
		first++;
	}
	if (argc <= first) {
		std::cerr << "usage: metalscan [-threads] FILE.metal [-D... -I...]\n";
		return 2;
	}
	const Scanned s = translate(argv[first], std::vector<std::string>(argv + first + 1, argv + argc), storage);
	for (const std::string &e : s.errors) {
		std::cerr << argv[first] << ": " << e << "\n";
	}
	std::cout << s.text;
	return s.errors.empty() ? 0 : 1;
}
