package stateroot

import "fmt"

// corrupt returns an error that wraps ErrCorrupt.
func corrupt(reason string) error { return fmt.Errorf("%w: %s", ErrCorrupt, reason) }

// item is an RLP item of an encoding, which begins at begin and has its payload
// at [head, end).
type item struct {
	list             bool
	begin, head, end int
}

func (it *item) empty() bool { return it.head == it.end }

// readItem reads the head of the item that begins at enc[at]. It accepts only the
// shortest form of a length, and only items that end within enc.
func readItem(enc []byte, at int) (item, error) {
	b := enc[at:]
	if len(b) == 0 {
		return item{}, corrupt("an item is missing")
	}
	first := b[0]
	if first < rlpString {
		return item{begin: at, head: at, end: at + 1}, nil
	}
	kind := byte(rlpString)
	if first >= rlpList {
		kind = rlpList
	}
	head, n := 1, uint64(first-kind)
	if n > rlpShort {
		l := int(n - rlpShort) // at most 8
		if l >= len(b) {
			return item{}, corrupt("a length is cut off")
		}
		n = 0
		for _, c := range b[1 : 1+l] {
			n = n<<8 | uint64(c)
		}
		if b[1] == 0 || n <= rlpShort {
			return item{}, corrupt("a length is not in its shortest form")
		}
		head += l
	}
	if n > uint64(len(b)-head) {
		return item{}, corrupt("an item is cut off")
	}
	if kind == rlpString && n == 1 && b[head] < rlpString {
		return item{}, corrupt("a byte is not in its shortest form")
	}
	return item{list: kind == rlpList, begin: at, head: at + head, end: at + head + int(n)}, nil
}

// decode makes n the node that enc is. Its children are left where they are, as
// references in enc; the path of a leaf or an extension is appended to nibbles,
// one to a byte, and what is so appended is returned. Only what a trie can hold is
// accepted: the encoding of an accepted node is enc again.
func (n *partialNode) decode(enc, nibbles []byte) ([]byte, error) {
	n.enc = enc
	list, err := readItem(enc, 0)
	if err != nil {
		return nibbles, err
	}
	if !list.list || list.end != len(enc) {
		return nibbles, corrupt("not one list")
	}
	first, err := readItem(enc, list.head)
	if err != nil {
		return nibbles, err
	}
	second, err := readItem(enc, first.end)
	if err != nil {
		return nibbles, err
	}
	if second.end < len(enc) {
		return nibbles, n.decodeBranch(list.head)
	}
	if first.list {
		return nibbles, corrupt("a path is not a string")
	}
	from := len(nibbles)
	nibbles, leaf, err := appendPath(nibbles, enc[first.head:first.end])
	if err != nil {
		return nibbles, err
	}
	n.path = nibbles[from:len(nibbles):len(nibbles)]
	if leaf {
		n.kind = leafNode
		if second.list || second.empty() {
			return nibbles, corrupt("a leaf has no value")
		}
		n.value = enc[second.head:second.end]
		return nibbles, nil
	}
	n.kind = extensionNode
	if len(n.path) == 0 || second.empty() {
		return nibbles, corrupt("an extension has no path or no child")
	}
	n.child[0], err = childLink(second)
	return nibbles, err
}

// decodeBranch reads 16 children, from enc[at] on, and a value.
func (n *partialNode) decodeBranch(at int) error {
	n.kind = branchNode
	enc := n.enc
	for i := range n.child {
		switch { // what most children are, first
		case at < len(enc) && enc[at] == rlpEmpty:
			at++
			continue
		case at+digestSize < len(enc) && enc[at] == rlpDigest:
			n.child[i] = -link(at)
			at += 1 + digestSize
			continue
		}
		it, err := readItem(enc, at)
		if err != nil {
			return err
		}
		if n.child[i], err = childLink(it); err != nil {
			return err
		}
		at = it.end
	}
	value, err := readItem(enc, at)
	if err != nil {
		return err
	}
	if value.list || value.end != len(enc) {
		return corrupt("a branch is not 16 children and a value")
	}
	if !value.empty() {
		n.value = enc[value.head:value.end]
	}
	if n.entries() < 2 {
		return corrupt("a branch parts nothing")
	}
	return nil
}

// childLink returns the link to a child that is not read yet: 0 for the empty
// string, and otherwise one to a reference by hash or to an embedded node.
func childLink(it item) (link, error) {
	switch n := it.end - it.head; {
	case !it.list && n == 0:
		return 0, nil
	case !it.list && n == digestSize, it.list && it.end-it.begin < digestSize:
		return -link(it.begin), nil
	}
	return 0, corrupt("a child is neither a hash nor an embedded node")
}

// appendPath appends the nibbles of a hex-prefix encoded path, one to a byte,
// and says whether it is a leaf's.
func appendPath(nibbles, hp []byte) (_ []byte, leaf bool, err error) {
	if len(hp) == 0 {
		return nibbles, false, corrupt("a path is empty")
	}
	flag := hp[0] >> 4
	if flag > flagLeaf|flagOdd {
		return nibbles, false, corrupt("a path has unknown flags")
	}
	if flag&flagOdd != 0 {
		nibbles = append(nibbles, hp[0]&15)
	} else if hp[0]&15 != 0 {
		return nibbles, false, corrupt("a path has a stray nibble")
	}
	return appendNibbles(nibbles, hp[1:], 2*(len(hp)-1)), flag&flagLeaf != 0, nil
}

// referenceAt returns the reference that begins at enc[at]: 33 bytes with a hash,
// or an embedded node. enc is one that decode accepted.
func referenceAt(enc []byte, at int) []byte {
	return enc[at : at+referenceSize(enc[at])]
}

// referenceSize returns the length of the reference that begins with first.
func referenceSize(first byte) int {
	if first == rlpDigest {
		return 1 + digestSize
	}
	return 1 + int(first-rlpList)
}
