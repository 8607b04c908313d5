package stateroot

// encoder writes the nodes of a trie whose levels below are hashed.
type encoder struct {
	shape   *shape
	digests [][32]byte // by slot
}

// encode writes the RLP of a node to dst and returns its length. Nodes that are
// embedded in it are written in place; as they are shorter than 32 bytes, they do
// not nest deeper than that.
func (e *encoder) encode(dst []byte, r ref) int {
	if r&leafBit != 0 {
		return e.leaf(dst, uint32(r&^leafBit))
	}
	n := &e.shape.nodes[r]
	if n.branch() {
		return e.branch(dst, n)
	}
	return e.extension(dst, n)
}

// leaf writes [path, value].
func (e *encoder) leaf(dst []byte, i uint32) int {
	key, value := e.shape.key(i), e.shape.values[i]
	from, to := int(e.shape.leaves[i].from), 2*len(key)
	p := putHead(dst, rlpList, pathSize(to-from)+stringSize(value))
	p += putPath(dst[p:], key, from, to, flagLeaf)
	return p + putString(dst[p:], value)
}

// extension writes [path, child].
func (e *encoder) extension(dst []byte, n *node) int {
	from, to := int(n.from), int(n.to)
	child := e.shape.children[n.child]
	p := putHead(dst, rlpList, pathSize(to-from)+int(refSize(e.shape.size(child))))
	p += putPath(dst[p:], e.shape.key(n.key), from, to, 0)
	return p + e.reference(dst[p:], child)
}

// branch writes the 16 children and the value.
func (e *encoder) branch(dst []byte, n *node) int {
	p := putHead(dst, rlpList, payloadSize(int(n.size)))
	c := n.child
	for mask := uint32(n.mask) | 1<<16; mask != 1; mask >>= 1 {
		if mask&1 == 0 {
			dst[p] = rlpEmpty
			p++
			continue
		}
		p += e.reference(dst[p:], e.shape.children[c])
		c++
	}
	if n.value {
		return p + putString(dst[p:], e.shape.values[n.key])
	}
	dst[p] = rlpEmpty
	return p + 1
}

// reference writes how a parent refers to a node: by hash or, if it is short, by
// the node itself.
func (e *encoder) reference(dst []byte, r ref) int {
	var size, slot uint32
	if r&leafBit != 0 {
		l := &e.shape.leaves[r&^leafBit]
		size, slot = l.size, l.slot
	} else {
		n := &e.shape.nodes[r]
		size, slot = n.size, n.slot
	}
	if !hashable(size) {
		return e.encode(dst, r)
	}
	return putDigest(dst, &e.digests[slot])
}

// putDigest writes a reference by hash.
func putDigest(dst []byte, digest *[32]byte) int {
	dst[0] = rlpDigest
	*(*[32]byte)(dst[1:]) = *digest
	return 1 + digestSize
}
