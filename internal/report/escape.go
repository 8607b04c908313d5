package report

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// markdownSpecial are the ASCII characters that mean something anywhere inside a
// line of Markdown; a backslash takes the meaning away.
const markdownSpecial = "\\`*<>|"

// escapeMarkdown makes s stand for itself in a paragraph, a list or a table.
// What means something only in certain company, such as an underscore at the
// edge of a word, is left alone elsewhere: the source is read in terminals too.
func escapeMarkdown(s string) string {
	text := []rune(oneLine(s))
	var b strings.Builder
	for i, c := range text {
		special := strings.ContainsRune(markdownSpecial, c)
		switch c {
		case '_':
			special = !wordAt(text, i-1) || !wordAt(text, i+1)
		case ']':
			special = i+1 < len(text) && strings.ContainsRune("([:", text[i+1])
		case '&':
			special = i+1 < len(text) && (text[i+1] == '#' || wordAt(text, i+1))
		case '~', '$':
			special = strings.Count(s, string(c)) > 1
		}
		if special {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}

func wordAt(text []rune, i int) bool {
	return i >= 0 && i < len(text) && (unicode.IsLetter(text[i]) || unicode.IsDigit(text[i]))
}

// codeSpan quotes s as code, with a fence longer than any in s.
func codeSpan(s string) string {
	s = oneLine(s)
	fence, run := 0, 0
	for _, c := range s {
		if c == '`' {
			run++
			fence = max(fence, run)
		} else {
			run = 0
		}
	}
	mark := strings.Repeat("`", fence+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return mark + s + mark
}

// latexSpecial maps what plain LaTeX cannot take as it is; nothing else beyond
// ASCII survives, since the default fonts may lack it.
var latexSpecial = map[rune]string{
	'\\': `\textbackslash{}`, '{': `\{`, '}': `\}`, '$': `\$`, '&': `\&`, '#': `\#`, '%': `\%`, '_': `\_`,
	'^': `\textasciicircum{}`, '~': `\textasciitilde{}`, '<': `\textless{}`, '>': `\textgreater{}`, '|': `\textbar{}`,
	'`': `\textasciigrave{}`, '[': `{[}`, ']': `{]}`,
	'µ': `\textmu{}`, '×': `\ensuremath{\times}`, '±': `\ensuremath{\pm}`, '≈': `\ensuremath{\approx}`, 'τ': `\ensuremath{\tau}`, '·': `\ensuremath{\cdot}`,
	'®': `\textregistered{}`, '™': `\texttrademark{}`, '©': `\textcopyright{}`,
}

// escapeLaTeX makes s stand for itself in the text of a LaTeX document.
func escapeLaTeX(s string) string {
	// Two hyphens in a row would join into a dash.
	s = strings.ReplaceAll(strings.ReplaceAll(oneLine(s), "--", "-\x00-"), "--", "-\x00-")
	var b strings.Builder
	for _, c := range s {
		switch r, ok := latexSpecial[c]; {
		case c == 0:
			b.WriteString("{}")
		case ok:
			b.WriteString(r)
		case c < utf8.RuneSelf:
			b.WriteRune(c)
		default:
			b.WriteByte('?')
		}
	}
	return b.String()
}

// nameValue makes s fit for a value in a Go benchmark name, which is parted at
// slashes and ends at a space.
func nameValue(s string) string {
	s = strings.Map(func(c rune) rune {
		if c == '/' || c == '=' || unicode.IsSpace(c) || !unicode.IsGraphic(c) {
			return '_'
		}
		return c
	}, s)
	if s == "" {
		return "_"
	}
	return s
}

// capital puts the first letter of a sentence in upper case.
func capital(s string) string {
	c, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(c)) + s[size:]
}

// plural counts things: "1 core", "2 cores".
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}
