#include "scanner.h"

#include <map>
#include <set>

#include "tokens.h"

namespace metalsim {
namespace {

const char kernelMarker[] = "__metalsim_kernel";
const char groupMarker[] = "__metalsim_group";

// What an attribute of a parameter is given by the launcher, whose own parameters
// have names that no kernel has.
const std::map<std::string, std::string> builtins = {
    {"thread_position_in_grid", "metalsim::in_grid(metalsim_g, metalsim_t)"},
    {"threads_per_grid", "metalsim::product(metalsim_g->grid, metalsim_g->size)"},
    {"threadgroup_position_in_grid", "metalsim::position(metalsim_g->position)"},
    {"threadgroups_per_grid", "metalsim::position(metalsim_g->grid)"},
    {"thread_position_in_threadgroup", "metalsim::position(metalsim_t->position)"},
    {"threads_per_threadgroup", "metalsim::position(metalsim_g->size)"},
    {"dispatch_threads_per_threadgroup", "metalsim::position(metalsim_g->size)"},
    {"thread_index_in_threadgroup", "metalsim::Index{metalsim_t->index}"},
};

// The name and the argument of an attribute: buffer and 3 of buffer(3).
struct Attribute {
	std::string name, argument;
};

struct Parameter {
	std::string name;
	Attribute attribute;
	bool pointer, reference;
};

struct Kernel {
	std::string name, maxThreads = "0";
	std::vector<Parameter> parameters;
};

class Scanner {
  public:
	Scanner(const std::string &text, Storage storage) : tokens_(tokenise(text)), storage_(storage) {}

	Scanned run() {
		for (at_ = 0; at_ < tokens_.size();) {
			if (is(at_, kernelMarker)) {
				kernel();
			} else {
				copy();
			}
		}
		if (out_.names.empty() && out_.errors.empty()) {
			fail("no kernel in the source");
		}
		out_.text += "\n#include <metalsim_launch.h>\n" + launchers_;
		return out_;
	}

  private:
	bool is(size_t i, const char *text) const { return i < tokens_.size() && tokens_[i].text == text; }

	void fail(const std::string &what) { out_.errors.push_back("error: " + what); }

	// copy passes one token on. The marker for threadgroup goes, except in an
	// attribute, where it is a name that clang does not know.
	void copy() {
		const Token &t = tokens_[at_++];
		out_.text += t.space;
		if (t.text != groupMarker || (at_ >= 3 && is(at_ - 2, "[") && is(at_ - 3, "["))) {
			out_.text += t.text;
		}
	}

	// close returns the place after the bracket that closes the one at i.
	size_t close(size_t i) const {
		int depth = 0;
		for (; i < tokens_.size(); i++) {
			const std::string &t = tokens_[i].text;
			if (t == "(" || t == "[" || t == "{") {
				depth++;
			} else if (t == ")" || t == "]" || t == "}") {
				if (--depth == 0) {
					return i + 1;
				}
			}
		}
		return tokens_.size();
	}

	std::string join(size_t from, size_t to) const {
		std::string s;
		for (size_t i = from; i < to; i++) {
			s += tokens_[i].space + tokens_[i].text;
		}
		return s;
	}

	// attributes reads those of [[a, b(c)]] at i, if there is one.
	std::vector<Attribute> attributes(size_t i, size_t *after) const {
		std::vector<Attribute> list;
		*after = i;
		if (!is(i, "[") || !is(i + 1, "[")) {
			return list;
		}
		*after = close(i);
		for (size_t j = i + 2; j + 2 < *after; j++) {
			Attribute a = {tokens_[j].text, ""};
			if (is(j + 1, "(")) {
				const size_t end = close(j + 1);
				a.argument = join(j + 2, end - 1);
				j = end - 1;
			}
			if (a.name != ",") {
				list.push_back(a);
			}
		}
		return list;
	}

	void limit(Kernel *k, const std::vector<Attribute> &list) {
		for (const Attribute &a : list) {
			if (a.name == "max_total_threads_per_threadgroup") {
				k->maxThreads = a.argument;
			} else {
				fail("kernel with attribute " + a.name + ", which is not simulated");
			}
		}
	}

	// before reads the attributes that stand in front of the token at i.
	void before(Kernel *k, size_t i) {
		while (i >= 2 && is(i - 1, "]") && is(i - 2, "]")) {
			size_t open = i - 2;
			while (open > 0 && !(is(open, "[") && is(open - 1, "["))) {
				open--;
			}
			size_t after;
			limit(k, attributes(open == 0 ? 0 : open - 1, &after));
			i = open == 0 ? 0 : open - 1;
		}
		if (i >= 1 && is(i - 1, ">")) {
			fail("a kernel that is a template is not simulated");
		}
	}

	// kernel reads [kernel] void name(parameters) { body }.
	void kernel() {
		Kernel k;
		if (at_ > 0 && is(at_ - 1, "[")) {
			fail("[[kernel]] is not simulated: write kernel void name(...)");
			at_++;
			return;
		}
		before(&k, at_);
		out_.text += tokens_[at_].space;
		size_t i = at_ + 1, after;
		while (is(i, "[")) {
			limit(&k, attributes(i, &after));
			i = after;
		}
		const bool isVoid = is(i, "void");
		if (!isVoid || !is(i + 2, "(")) {
			fail("kernel is not followed by void and a name");
			at_++;
			return;
		}
		k.name = tokens_[i + 1].text;
		const size_t open = i + 2, end = close(open);
		for (size_t from = open + 1; from < end - 1;) {
			size_t to = from;
			for (int angle = 0; to < end - 1 && (angle > 0 || !is(to, ",")); to++) {
				if (is(to, "(") || is(to, "[") || is(to, "{")) {
					to = close(to) - 1;
				} else if (is(to, "<")) {
					angle++;
				} else if (is(to, ">")) {
					angle--;
				}
			}
			parameter(&k, from, to);
			from = to + 1;
		}
		at_++;
		while (at_ < end) {
			copy();
		}
		body(k.name);
		out_.names.push_back(k.name);
		launcher(k, out_.names.size() - 1);
	}

	void parameter(Kernel *k, size_t from, size_t to) {
		Parameter p = {"", {"", ""}, false, false};
		for (size_t i = from; i < to; i++) {
			if (is(i, "[") && is(i + 1, "[")) {
				size_t after;
				const std::vector<Attribute> list = attributes(i, &after);
				if (!list.empty()) {
					p.attribute = list[0];
				}
				i = after - 1;
			} else if (is(i, "[")) {
				p.pointer = true; // an array
				i = close(i) - 1;
			} else if (is(i, "*")) {
				p.pointer = true;
			} else if (is(i, "&")) {
				p.reference = true;
			} else if (tokens_[i].word) {
				p.name = tokens_[i].text;
			}
		}
		if (p.attribute.name.empty()) {
			fail("kernel " + k->name + ": parameter " + p.name + " has no attribute such as [[buffer(0)]]");
		} else if (bindable(p) && !p.pointer && !p.reference) {
			fail("kernel " + k->name + ": parameter " + p.name + " is neither a pointer nor a reference");
		} else if (!bindable(p) && builtins.count(p.attribute.name) == 0) {
			fail("kernel " + k->name + ": attribute " + p.attribute.name + " is not simulated");
		}
		k->parameters.push_back(p);
	}

	static bool bindable(const Parameter &p) {
		return p.attribute.name == "buffer" || p.attribute.name == groupMarker;
	}

	// body passes the body of a kernel on, and gives what it declares in
	// threadgroup memory a storage that the group shares.
	void body(const std::string &kernel) {
		if (!is(at_, "{")) {
			return; // a declaration
		}
		const size_t end = close(at_);
		while (at_ < end) {
			const bool start = is(at_ - 1, ";") || is(at_ - 1, "{") || is(at_ - 1, "}");
			if (is(at_, groupMarker) && start) {
				variable(kernel);
			} else {
				copy();
			}
		}
	}

	void variable(const std::string &kernel) {
		size_t end = at_, name = 0;
		std::string registered;
		for (; end < tokens_.size() && !is(end, ";"); end++) {
			if (is(end, "*") || is(end, "&")) {
				copy(); // a pointer to threadgroup memory, itself the thread's own
				return;
			}
			if (is(end, "=")) {
				fail("kernel " + kernel + ": a variable in threadgroup memory has an initialiser");
				break;
			}
			if (is(end, "[") || is(end, "(") || is(end, "<")) {
				end = is(end, "<") ? end : close(end) - 1;
			} else if (is(end, ",")) {
				registered += share(kernel, tokens_[name].text);
			} else if (tokens_[end].word) {
				name = end;
			}
		}
		registered += share(kernel, tokens_[name].text);
		out_.text += tokens_[at_].space;
		out_.text += storage_ == Storage::PerWorker ? "static thread_local" : "static";
		at_++;
		while (at_ <= end && at_ < tokens_.size()) {
			copy();
		}
		out_.text += registered;
	}

	std::string share(const std::string &kernel, const std::string &name) {
		const std::string id = "metalsim_" + kernel + "_" + name;
		return " static const metalsim_variable " + id + " = {\"" + kernel + "\", sizeof " + name + "};"
		       " static const metalsim_variable *const " + id +
		       "_entry __attribute__((section(\"metalsim_variables\"), used)) = &" + id + ";"
		       " metalsim_share(&" + name + ", sizeof " + name + ");";
	}

	void launcher(const Kernel &k, size_t number) {
		if (!seen_.insert(k.name).second) {
			fail("kernel " + k.name + " is defined twice");
		}
		const std::string id = std::to_string(number);
		std::string call, table;
		size_t place = 0, count = 0;
		for (const Parameter &p : k.parameters) {
			call += place == 0 ? "" : ", ";
			if (bindable(p)) {
				const bool memory = p.attribute.name == groupMarker;
				call += std::string(p.reference ? "metalsim::Reference{metalsim_g->"
				                        : "metalsim::Pointer{metalsim_g->") +
				        (memory ? "memory[" : "buffers[") + p.attribute.argument + "]}";
				const std::string types = "<" + std::to_string(place) + ">(&" + k.name + ")";
				table += "\t{\"" + p.name + "\", " +
				         (memory ? "METALSIM_ARGUMENT_MEMORY" : "METALSIM_ARGUMENT_BUFFER") + ", " +
				         p.attribute.argument + ", metalsim::size_of" + types + ", metalsim::align_of" +
				         types + "},\n";
				count++;
			} else {
				const auto b = builtins.find(p.attribute.name);
				call += b == builtins.end() ? "0" : b->second;
			}
			place++;
		}
		launchers_ += "static void metalsim_run_" + id +
		              "(const metalsim_group *metalsim_g, const metalsim_thread *metalsim_t) {\n"
		              "\t(void)metalsim_g, (void)metalsim_t;\n\t" + k.name + "(" + call + ");\n}\n" + "static const metalsim_argument metalsim_arguments_" +
		              id + "[] = {\n" + table + "\t{},\n};\n" + "static const metalsim_kernel metalsim_kernel_" +
		              id + " = {\"" + k.name + "\", metalsim_arguments_" + id + ", " +
		              std::to_string(count) + ", " + k.maxThreads + ", metalsim_run_" + id + "};\n" +
		              "static const metalsim_kernel *const metalsim_entry_" + id +
		              " __attribute__((section(\"metalsim_kernels\"), used)) = &metalsim_kernel_" + id +
		              ";\n";
	}

	std::vector<Token> tokens_;
	Storage storage_;
	size_t at_ = 0;
	Scanned out_;
	std::string launchers_;
	std::set<std::string> seen_;
};

} // namespace

Scanned scan(const std::string &preprocessed, Storage storage) {
	return Scanner(preprocessed, storage).run();
}

} // namespace metalsim
