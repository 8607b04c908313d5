// Runs the launches that a file describes, and compares what buffer 0 then holds:
// driver JOBS. The file is a sequence of launches, each
//
//	the length of a name, the name, the grid's width and height, the threads of a
//	group, the bytes of its memory, the number of buffers, for each its length and
//	its bytes, and so the bytes that buffer 0 must hold
//
// with lengths and numbers as 32 bits, little-endian.

#include <harness.h>

static FILE *jobs;

static std::vector<uint8_t> bytes(size_t n) {
	std::vector<uint8_t> v(n);
	if (n != 0 && fread(v.data(), 1, n, jobs) != n) {
		metalsim::harness::die("the jobs end early");
	}
	return v;
}

static uint32_t number() {
	uint32_t x;
	memcpy(&x, bytes(4).data(), 4);
	return x;
}

int main(int argc, char **argv) {
	if (argc != 2 || (jobs = fopen(argv[1], "rb")) == nullptr) {
		return 2;
	}
	for (int c; (c = fgetc(jobs)) != EOF;) {
		ungetc(c, jobs);
		const std::vector<uint8_t> text = bytes(number());
		const std::string name(text.begin(), text.end());
		const uint32_t width = number(), height = number(), threads = number(), memory = number();
		std::vector<std::vector<uint8_t>> data(number());
		for (auto &d : data) {
			d = bytes(number());
		}
		std::vector<metalsim::Buffer> buffers(data.begin(), data.end());
		metalsim::launch(name.c_str(), {width, height}, {threads}, buffers,
		                 memory == 0 ? std::vector<size_t>() : std::vector<size_t>{memory});
		if (data[0] != bytes(number())) {
			fprintf(stderr, "%s: a wrong result\n", name.c_str());
			return 1;
		}
	}
	return 0;
}
