// The driver of reverse.metal: reverse KERNEL SHIFT WORDS.

#include <harness.h>

int main(int argc, char **argv) {
	if (argc != 4) {
		return 2;
	}
	const uint32_t threads = 64, groups = 3;
	std::vector<uint32_t> shift = {uint32_t(atoi(argv[2]))};
	std::vector<uint64_t> data(atoi(argv[3]));
	for (size_t i = 0; i < data.size(); i++) {
		data[i] = i;
	}
	metalsim::launch(argv[1], {groups}, {threads}, {data, shift}, {threads * sizeof(uint64_t)});
	for (size_t i = 0; i < data.size(); i++) {
		if (data[i] != i / threads * threads + threads - 1 - i % threads + (1u << shift[0])) {
			fprintf(stderr, "word %zu is wrong\n", i);
			return 1;
		}
	}
	return 0;
}
