// Preprocessed C++ cut into tokens, as far as the scanner needs them: the text of
// all tokens with the space before each is the text again.

#pragma once

#include <cctype>
#include <string>
#include <vector>

namespace metalsim {

struct Token {
	std::string space, text;
	bool word; // an identifier or keyword
};

inline std::vector<Token> tokenise(const std::string &s) {
	std::vector<Token> tokens;
	size_t i = 0;
	bool lineStart = true;
	while (i < s.size()) {
		Token t = {"", "", false};
		// Space, and the lines of the preprocessor, which start with #.
		while (i < s.size() && (isspace((unsigned char)s[i]) || (lineStart && s[i] == '#'))) {
			if (s[i] == '#') {
				const size_t end = s.find('\n', i);
				const size_t to = end == std::string::npos ? s.size() : end;
				t.space += s.substr(i, to - i);
				i = to;
				continue;
			}
			lineStart = s[i] == '\n' || (lineStart && s[i] != '\n');
			t.space += s[i++];
		}
		lineStart = false;
		const size_t from = i;
		if (i < s.size()) {
			const char c = s[i++];
			if (isalpha((unsigned char)c) || c == '_') {
				t.word = true;
				while (i < s.size() && (isalnum((unsigned char)s[i]) || s[i] == '_')) {
					i++;
				}
			} else if (isdigit((unsigned char)c)) {
				while (i < s.size() && (isalnum((unsigned char)s[i]) || s[i] == '.' || s[i] == '\'')) {
					i++;
				}
			} else if (c == '"' || c == '\'') {
				while (i < s.size() && s[i] != c) {
					i += s[i] == '\\' ? 2 : 1;
				}
				i++;
			}
		}
		t.text = s.substr(from, i - from);
		tokens.push_back(t);
	}
	return tokens;
}

} // namespace metalsim
