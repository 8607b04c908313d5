package stateroot

// ref names a node of a trie that is being built: the leaf of key number i as
// leafBit|i, or the branch or extension with that number.
type ref uint32

const leafBit ref = 1 << 31

// leaf is the leaf of the key with its number. Its path is the nibbles of that
// key from from on.
type leaf struct {
	from uint32
	size uint32 // length of its encoding; 0 if the value is a branch's
	slot uint32 // number of its digest, if it is hashed
}

// node is a branch or an extension. The nibbles that it covers are [from, to) of
// any key below it, of which key is the first: for a branch there are none.
type node struct {
	key    uint32
	from   uint32
	to     uint32
	child  uint32 // where its children begin in shape.children, one for each bit of mask
	size   uint32 // length of its encoding
	height uint32 // the level it is hashed in, if it is
	slot   uint32 // number of its digest, if it is hashed
	mask   uint16 // which nibbles of a branch have a child; 0 for an extension
	value  bool   // whether the value of key ends in this branch
}

func (n *node) branch() bool { return n.mask != 0 }

// hashable says whether a node of this length is referred to by its hash. One
// that is shorter is embedded in its parent.
func hashable(size uint32) bool { return size >= digestSize }

// refSize returns the length of a reference to a node of this length.
func refSize(size uint32) uint32 {
	if hashable(size) {
		return 1 + digestSize
	}
	return size
}

// leafSize returns the length of the encoding of a leaf with a path of n nibbles.
func leafSize(n int, value []byte) int { return listSize(pathSize(n) + stringSize(value)) }

// shape is a trie over sorted keys: all of it but hashes. Sizes come without
// hashing, because a reference by hash is 33 bytes long whatever the hash.
type shape struct {
	keys   []byte   // the keys one after another
	keyOff []uint64 // key i is keys[keyOff[i]:keyOff[i+1]]
	values [][]byte

	leaves   []leaf
	nodes    []node
	children []ref
	spans    []span
	top      span // the nodes above all spans
	root     ref

	touched byte   // what touchKeys read
	minSpan uint32 // keys of a span; tries too small for it are not cut
}

func (s *shape) len() int { return len(s.values) }

func (s *shape) key(i uint32) []byte {
	return s.keys[s.keyOff[i]:s.keyOff[i+1]]
}

// size returns the length of the encoding of a node.
func (s *shape) size(r ref) uint32 {
	if r&leafBit != 0 {
		return s.leaves[r&^leafBit].size
	}
	return s.nodes[r].size
}

// hashed says whether a node is hashed: the root always is.
func (s *shape) hashed(r ref, size uint32) bool {
	return hashable(size) || r == s.root
}

// appendPath appends the path of a node: the nibbles above it.
func (s *shape) appendPath(path []byte, r ref) []byte {
	if i := uint32(r &^ leafBit); r&leafBit != 0 {
		return appendNibbles(path, s.key(i), int(s.leaves[i].from))
	}
	n := &s.nodes[r]
	return appendNibbles(path, s.key(n.key), int(n.from))
}
