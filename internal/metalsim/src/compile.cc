#include "compile.h"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "process.h"

namespace metalsim {
namespace {

// The languages differ: MSL 3 is C++14, without exceptions or type information.
const std::vector<std::string> language = {"-x", "c++", "-std=c++14", "-fno-exceptions", "-fno-rtti",
                                           "-Wno-unknown-attributes"};

// home is the folder of the simulator, in whose build folder this library lies.
std::string home() {
	Dl_info info;
	if (dladdr(reinterpret_cast<void *>(&home), &info) == 0) {
		return ".";
	}
	char *path = realpath(info.dli_fname, nullptr);
	std::string s = path == nullptr ? info.dli_fname : path;
	free(path);
	for (int up = 0; up < 2; up++) {
		const size_t slash = s.rfind('/');
		s = slash == std::string::npos ? "." : s.substr(0, slash);
	}
	return s;
}

std::string read(const std::string &path) {
	std::ifstream in(path, std::ios::binary);
	std::ostringstream s;
	s << in.rdbuf();
	return s.str();
}

bool exists(const std::string &path) { return access(path.c_str(), R_OK) == 0; }

// write makes a file appear with its whole content or not at all.
bool write(const std::string &path, const std::string &bytes) {
	const std::string part = path + "." + std::to_string(getpid()) + "." + std::to_string(pthread_self());
	{
		std::ofstream out(part, std::ios::binary);
		out << bytes;
		if (!out.flush()) {
			return false;
		}
	}
	return rename(part.c_str(), path.c_str()) == 0;
}

// hash is FNV-1a. What it finds is compared in full before it is used.
std::string hash(const std::string &s) {
	uint64_t h = 0xcbf29ce484222325;
	for (const unsigned char c : s) {
		h = (h ^ c) * 0x100000001b3;
	}
	char hex[17];
	snprintf(hex, sizeof hex, "%016llx", (unsigned long long)h);
	return hex;
}

// cache gives the folder of what was compiled, which must be nobody else's: what
// lies in it is loaded and run.
std::string cache(std::string *error) {
	const std::string dir = home() + "/build/cache";
	struct stat st;
	if (mkdir(dir.c_str(), 0700) != 0 && errno != EEXIST) {
		*error = "simulator: " + dir + ": " + strerror(errno);
	} else if (lstat(dir.c_str(), &st) != 0 || !S_ISDIR(st.st_mode) || st.st_uid != getuid() ||
	           (st.st_mode & 0022) != 0) {
		*error = "simulator: " + dir + " is not this user's alone";
	}
	return dir;
}

std::vector<std::string> clang(const std::vector<std::string> &flags) {
	std::vector<std::string> args = {"clang"};
	args.insert(args.end(), language.begin(), language.end());
	args.push_back("-isystem");
	args.push_back(home() + "/include/msl");
	args.insert(args.end(), flags.begin(), flags.end());
	return args;
}

// build compiles scanned text. Line markers carry the names of the source on.
std::string build(const std::string &text, const std::string &to) {
	const std::string part = to + "." + std::to_string(getpid()) + "." + std::to_string(pthread_self());
	std::vector<std::string> args = clang({"-O2", "-g1", "-fPIC", "-shared", "-fvisibility=hidden",
	                                       "-include", home() + "/include/msl/metalsim_abi.h", "-o", part, "-",
	                                       home() + "/src/exports.cc"});
	const Output o = runProcess(args, text);
	if (o.status != 0) {
		unlink(part.c_str());
		return o.err.empty() ? "simulator: clang failed" : o.err;
	}
	return rename(part.c_str(), to.c_str()) == 0 ? "" : "simulator: cannot write " + to;
}

Scanned scanOutput(const Output &o, Storage storage) {
	Scanned s;
	if (o.status != 0) {
		s.errors.push_back(o.err.empty() ? "simulator: clang did not run; is it installed?" : o.err);
		return s;
	}
	return scan(o.out, storage);
}

std::string join(const std::vector<std::string> &lines) {
	std::string s;
	for (const std::string &l : lines) {
		s += l + "\n";
	}
	return s;
}

} // namespace

Scanned translate(const std::string &file, const std::vector<std::string> &flags, Storage storage) {
	std::vector<std::string> args = clang(flags);
	args.push_back("-E");
	args.push_back(file);
	return scanOutput(runProcess(args, ""), storage);
}

Compiled compileSource(const std::string &text, const std::vector<std::string> &flags) {
	Compiled c;
	const std::string dir = cache(&c.error);
	if (!c.error.empty()) {
		return c;
	}
	std::vector<std::string> args = clang(flags);
	args.push_back("-E");
	args.push_back("-");
	const Scanned s = scanOutput(runProcess(args, "# 1 \"program_source\"\n" + text), Storage::PerWorker);
	if (!s.errors.empty()) {
		c.error = join(s.errors);
		return c;
	}
	const std::string headers =
	    read(home() + "/include/msl/metalsim_launch.h") + read(home() + "/include/msl/metalsim_abi.h");
	const std::string base = dir + "/" + hash(s.text + headers);
	const std::string so = base + ".so", cc = base + ".cc";
	if (!exists(so) || read(cc) != s.text) {
		c.error = build(s.text, so);
		if (!c.error.empty() || !write(cc, s.text)) {
			return c;
		}
	}
	c.path = so;
	return c;
}

Compiled storeLibrary(const std::string &bytes) {
	Compiled c;
	if (bytes.compare(0, 4, "\177ELF") != 0) {
		c.error = "Invalid library file (not made by the simulator's metallib.sh)";
		return c;
	}
	const std::string dir = cache(&c.error);
	if (!c.error.empty()) {
		return c;
	}
	const std::string path = dir + "/" + hash(bytes) + ".metallib";
	if (read(path) != bytes && !write(path, bytes)) {
		c.error = "simulator: cannot write " + path;
		return c;
	}
	c.path = path;
	return c;
}

} // namespace metalsim
