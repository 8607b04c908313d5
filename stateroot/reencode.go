package stateroot

// encode writes the RLP of a changed node to dst and returns its length. All
// hashed nodes below it have their hash.
func (t *partial) encode(dst []byte, n *partialNode) int {
	p := putHead(dst, rlpList, payloadSize(int(n.size)))
	switch n.kind {
	case leafNode:
		p += putNibbles(dst[p:], n.path, flagLeaf)
		p += putString(dst[p:], n.value)
	case extensionNode:
		p += putNibbles(dst[p:], n.path, 0)
		p += t.reference(dst[p:], n, 0)
	case branchNode:
		p += t.encodeBranch(dst, p, n)
	}
	return p
}

// encodeBranch writes the children and the value of a branch to dst[p:] and
// returns their length.
func (t *partial) encodeBranch(dst []byte, p int, n *partialNode) int {
	from := p
	// Mostly a few hashes are all that changes, so begin with what was read.
	same := len(n.enc) == int(n.size)
	if same {
		copy(dst, n.enc)
	}
	for slot, c := range n.child {
		if same && int(-c) == p {
			p += referenceSize(n.enc[p])
		} else {
			p += t.reference(dst[p:], n, slot)
		}
	}
	return p - from + putString(dst[p:], n.value)
}

// reference writes how n refers to its child at slot.
func (t *partial) reference(dst []byte, n *partialNode, slot int) int {
	c := n.child[slot]
	if c < 0 {
		return copy(dst, referenceAt(n.enc, int(-c)))
	}
	if c == 0 {
		dst[0] = rlpEmpty
		return 1
	}
	child := &t.nodes[c]
	switch {
	case hashable(child.length()):
		return putDigest(dst, &child.hash)
	case child.dirty:
		return t.encode(dst, child)
	}
	return copy(dst, child.enc)
}

// putNibbles is putPath of a path with one nibble to a byte.
func putNibbles(dst, path []byte, flag byte) int {
	p := 0
	if l := len(path)/2 + 1; l > 1 {
		p = putHead(dst, rlpString, l)
	}
	if len(path)&1 != 0 {
		dst[p] = (flag|flagOdd)<<4 | path[0]
		path = path[1:]
	} else {
		dst[p] = flag << 4
	}
	p++
	for ; len(path) > 0; path = path[2:] {
		dst[p] = path[0]<<4 | path[1]
		p++
	}
	return p
}
