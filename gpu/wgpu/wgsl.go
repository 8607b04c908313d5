package wgpu

import (
	"fmt"
	"strconv"
	"strings"
)

// checkEntry looks for the compute entry point of that name in WGSL text and
// compares its workgroup size, where that is written in numbers. Neither is
// left to the driver: some crash on an entry point that isn't there.
func checkEntry(text, name string, size [3]uint32) error {
	text = withoutComments(text)
	rest, begin := text, 0
	for {
		before, after, ok := strings.Cut(rest, "fn ")
		if !ok {
			return fmt.Errorf("there is no compute entry point %q", name)
		}
		head := text[begin : begin+len(before)]
		begin += len(before) + len("fn ")
		rest = after
		after, ok = strings.CutPrefix(strings.TrimSpace(after), name)
		if !ok || name == "" || !strings.HasPrefix(strings.TrimSpace(after), "(") {
			continue
		}
		// The attributes are what stands since the declaration before.
		attributes := head[strings.LastIndexAny(head, ";}")+1:]
		if !strings.Contains(attributes, "@compute") {
			return fmt.Errorf("function %q is no compute entry point", name)
		}
		return checkSize(attributes, size)
	}
}

// checkSize compares the numbers of a @workgroup_size. Missing ones are 1.
func checkSize(attributes string, size [3]uint32) error {
	_, after, ok := strings.Cut(attributes, "@workgroup_size(")
	if !ok {
		return fmt.Errorf("there is no @workgroup_size")
	}
	list, _, _ := strings.Cut(after, ")")
	declared := [3]uint32{1, 1, 1}
	for i, word := range strings.Split(strings.TrimSuffix(strings.TrimSpace(list), ","), ",") {
		n, err := strconv.ParseUint(strings.TrimRight(strings.TrimSpace(word), "iu"), 0, 32)
		if err != nil || i >= len(declared) {
			return nil // a constant, or the compiler's to refuse
		}
		declared[i] = uint32(n)
	}
	if declared != size {
		return fmt.Errorf("the program declares groups of %v, the source of %v", declared, size)
	}
	return nil
}

// withoutComments replaces comments by blanks. Block comments nest in WGSL.
func withoutComments(text string) string {
	var b strings.Builder
	for depth := 0; text != ""; {
		line := strings.HasPrefix(text, "//")
		switch {
		case strings.HasPrefix(text, "/*"):
			depth++
			text = text[2:]
		case depth > 0 && strings.HasPrefix(text, "*/"):
			depth--
			text = text[2:]
			b.WriteByte(' ')
		case depth > 0:
			text = text[1:]
		case line:
			end := strings.IndexByte(text, '\n')
			if end < 0 {
				end = len(text)
			}
			text = text[end:]
		default:
			b.WriteByte(text[0])
			text = text[1:]
		}
	}
	return b.String()
}
