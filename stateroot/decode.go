package stateroot

import "fmt"

// corrupt returns an error that wraps ErrCorrupt.
func corrupt(reason string) error { return fmt.Errorf("%w: %s", ErrCorrupt, reason) }

// item is one RLP item at the start of a slice: its payload is [head, end).
type item struct {
	list      bool
	head, end int
}

// readItem reads the head of the item that b begins with. It accepts only the
// shortest form of a length, and only items that end within b.
func readItem(b []byte) (item, error) {
	if len(b) == 0 {
		return item{}, corrupt("an item is missing")
	}
	first := b[0]
	if first < rlpString {
		return item{end: 1}, nil
	}
	it := item{list: first >= rlpList, head: 1}
	kind := byte(rlpString)
	if it.list {
		kind = rlpList
	}
	n := uint64(first - kind)
	if n > rlpShort {
		l := int(n - rlpShort)
		if l >= len(b) {
			return item{}, corrupt("a length is cut off")
		}
		n = 0
		for _, c := range b[1 : 1+l] {
			n = n<<8 | uint64(c) // l <= 8
		}
		if b[1] == 0 || n <= rlpShort {
			return item{}, corrupt("a length is not in its shortest form")
		}
		it.head = 1 + l
	}
	if n > uint64(len(b)-it.head) {
		return item{}, corrupt("an item is cut off")
	}
	it.end = it.head + int(n)
	if !it.list && n == 1 && b[it.head] < rlpString {
		return item{}, corrupt("a byte is not in its shortest form")
	}
	return it, nil
}

// reader takes the items of a list one after another.
type reader struct {
	b  []byte
	at int
}

// next returns where the next item begins, and the item with positions in b.
func (r *reader) next() (begin int, it item, err error) {
	begin = r.at
	it, err = readItem(r.b[begin:])
	if err != nil {
		return 0, item{}, err
	}
	it.head += begin
	it.end += begin
	r.at = it.end
	return begin, it, nil
}

// openList returns a reader of the items of the list that enc is, all of it.
func openList(enc []byte) (reader, error) {
	it, err := readItem(enc)
	if err != nil {
		return reader{}, err
	}
	if !it.list || it.end != len(enc) {
		return reader{}, corrupt("not one list")
	}
	return reader{b: enc, at: it.head}, nil
}

// decodeNode reads a node. Its children are left where they are, as references
// in enc; paths of leaves and extensions are appended to nibbles, one to a byte.
// Only what a trie can hold is accepted: the encoding of each accepted node is
// enc again.
func decodeNode(enc []byte, nibbles []byte) (partialNode, []byte, error) {
	n := partialNode{enc: enc}
	r, err := openList(enc)
	if err != nil {
		return n, nibbles, err
	}
	_, first, err := r.next()
	if err != nil {
		return n, nibbles, err
	}
	second, it, err := r.next()
	if err != nil {
		return n, nibbles, err
	}
	if r.at != len(enc) {
		r, _ = openList(enc)
		return n, nibbles, decodeBranch(&n, &r)
	}
	if first.list {
		return n, nibbles, corrupt("a path is not a string")
	}
	from := len(nibbles)
	nibbles, leaf, err := appendPath(nibbles, enc[first.head:first.end])
	if err != nil {
		return n, nibbles, err
	}
	n.path = nibbles[from:len(nibbles):len(nibbles)]
	if leaf {
		n.kind = leafNode
		if it.list || it.head == it.end {
			return n, nibbles, corrupt("a leaf has no value")
		}
		n.value = enc[it.head:it.end]
		return n, nibbles, nil
	}
	n.kind = extensionNode
	if len(n.path) == 0 {
		return n, nibbles, corrupt("an extension has no path")
	}
	if n.child[0], err = childLink(second, it); err == nil && n.child[0] == 0 {
		err = corrupt("an extension has no child")
	}
	return n, nibbles, err
}

// decodeBranch reads a branch whose list r has begun.
func decodeBranch(n *partialNode, r *reader) error {
	n.kind = branchNode
	for i := range n.child {
		begin, it, err := r.next()
		if err != nil {
			return err
		}
		if n.child[i], err = childLink(begin, it); err != nil {
			return err
		}
	}
	_, it, err := r.next()
	if err != nil {
		return err
	}
	if it.list || r.at != len(r.b) {
		return corrupt("not 17 items with a value")
	}
	if it.head < it.end {
		n.value = n.enc[it.head:it.end]
	}
	if n.entries() < 2 {
		return corrupt("a branch parts nothing")
	}
	return nil
}

// childLink returns the link to a child that is not read yet: 0 for the empty
// string, and otherwise one to a reference by hash or to an embedded node.
func childLink(begin int, it item) (link, error) {
	switch n := it.end - it.head; {
	case !it.list && n == 0:
		return 0, nil
	case !it.list && n == digestSize, it.list && it.end-begin < digestSize:
		return -link(begin), nil
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

// referenceAt returns the reference that begins at enc[begin]: 33 bytes with a
// hash, or an embedded node. enc was accepted by decodeNode.
func referenceAt(enc []byte, begin int) []byte {
	if enc[begin] == rlpDigest {
		return enc[begin : begin+1+digestSize]
	}
	return enc[begin : begin+1+int(enc[begin]-rlpList)]
}
