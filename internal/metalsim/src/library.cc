// Libraries: compiled, or made by metallib.sh.

#include <dlfcn.h>

#include <cstring>
#include <map>
#include <mutex>

#include "compile.h"
#include "engine.h"

struct ms_library {
	const metalsim_library *exports;
};

namespace metalsim {
namespace {

ms_library *fail(const std::string &why, char **error) {
	*error = strdup(why.c_str());
	return nullptr;
}

// load maps a shared object. It is never unmapped: command buffers that do not
// retain what they use may be running its kernels.
ms_library *load(const Compiled &c, char **error) {
	if (!c.error.empty()) {
		return fail(c.error, error);
	}
	void *object = dlopen(c.path.c_str(), RTLD_NOW | RTLD_LOCAL);
	if (object == nullptr) {
		return fail(std::string("simulator: ") + dlerror(), error);
	}
	const auto *exports = static_cast<const metalsim_library *>(dlsym(object, "metalsim_exports"));
	if (exports == nullptr || exports->abi != METALSIM_ABI) {
		return fail("Invalid library file (not made by this simulator's metallib.sh)", error);
	}
	return new ms_library{exports};
}

} // namespace
} // namespace metalsim

using namespace metalsim;

ms_library *ms_library_compile(const char *text, const char *const *flags, char **error) {
	static std::mutex lock;
	static std::map<std::string, ms_library *> known;
	std::vector<std::string> list;
	std::string key;
	for (; flags != nullptr && *flags != nullptr; flags++) {
		list.push_back(*flags);
		key += list.back() + '\0';
	}
	key += text;
	std::lock_guard<std::mutex> hold(lock);
	ms_library *&l = known[key];
	if (l == nullptr) {
		l = load(compileSource(text, list), error);
	}
	return l;
}

ms_library *ms_library_load(const void *bytes, size_t length, char **error) {
	return load(storeLibrary(std::string(static_cast<const char *>(bytes), length)), error);
}

size_t ms_library_count(const ms_library *l) { return l->exports->kernels_end - l->exports->kernels; }

const metalsim_kernel *ms_library_kernel(const ms_library *l, size_t i) { return l->exports->kernels[i]; }

size_t ms_library_static(const ms_library *l, const metalsim_kernel *k) {
	size_t bytes = 0;
	for (const metalsim_variable *const *v = l->exports->variables; v != l->exports->variables_end; v++) {
		if (strcmp((*v)->kernel, k->name) == 0) {
			bytes += (*v)->size;
		}
	}
	return bytes;
}
