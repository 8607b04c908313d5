package stateroot

import "bytes"

// partial is the part of a trie that an update needs: the nodes on the paths of
// the changed keys, and those that these turn into. Nodes have numbers, from 1.
type partial struct {
	nodes   []partialNode
	nibbles []byte // paths of leaves and extensions
	// fetch reads the child of n at slot, which is not read yet, and returns
	// it. Its path is the first depth nibbles of key and, below a branch, slot.
	fetch func(n link, slot int, key []byte, depth int) (link, error)
}

// link leads from a node to a child: its number; or, less than 0, minus the place
// in the parent's enc of a reference to a node that was not read; or 0 for none.
type link int32

type nodeKind uint8

const (
	leafNode nodeKind = iota + 1
	extensionNode
	branchNode
)

type partialNode struct {
	kind  nodeKind
	dirty bool
	path  []byte   // of a leaf or an extension, one nibble to a byte
	value []byte   // of a leaf or a branch; nil for none
	child [16]link // of a branch; of an extension, the first

	// enc is the encoding that the node was read from. One that is new has the
	// enc of the node that it took an unread child from, if it did.
	enc    []byte
	hash   [32]byte // of a hashed node, once it is known
	stored int32    // number of the stored node that this is, from 1; 0 if it is none

	size, height uint32 // of a dirty node, when it is written
}

// entries returns the number of children and values of a branch.
func (n *partialNode) entries() int {
	count := 0
	for _, c := range n.child {
		if c != 0 {
			count++
		}
	}
	if n.value != nil {
		count++
	}
	return count
}

// add adds a node and returns its number.
func (t *partial) add(n partialNode) link {
	t.nodes = append(t.nodes, n)
	return link(len(t.nodes) - 1)
}

// reset leaves the trie empty and refers to nothing of the last one.
func (t *partial) reset() {
	clear(t.nodes)
	t.nodes = append(t.nodes[:0], partialNode{}) // number 0 is none
	t.nibbles = t.nibbles[:0]
}

// concat returns a path of two.
func (t *partial) concat(a, b []byte) []byte {
	from := len(t.nibbles)
	t.nibbles = append(append(t.nibbles, a...), b...)
	return t.nibbles[from:len(t.nibbles):len(t.nibbles)]
}

// newLeaf adds the leaf of key whose path begins at nibble depth.
func (t *partial) newLeaf(key []byte, depth int, value []byte) link {
	from := len(t.nibbles)
	for i := depth; i < 2*len(key); i++ {
		t.nibbles = append(t.nibbles, nibble(key, i))
	}
	path := t.nibbles[from:len(t.nibbles):len(t.nibbles)]
	return t.add(partialNode{kind: leafNode, dirty: true, path: path, value: value})
}

// matching returns how many nibbles of path key has from nibble depth on.
func matching(path, key []byte, depth int) int {
	n := min(len(path), 2*len(key)-depth)
	for i := range n {
		if path[i] != nibble(key, depth+i) {
			return i
		}
	}
	return n
}

// put sets the value of key, not empty, in the trie below n, and returns the node
// in n's place. Nibbles [0, depth) of key lead to n.
func (t *partial) put(n link, key []byte, depth int, value []byte) (link, error) {
	if n == 0 {
		return t.newLeaf(key, depth, value), nil
	}
	node := &t.nodes[n]
	if node.kind == branchNode {
		return n, t.putBranch(n, key, depth, value)
	}
	same := matching(node.path, key, depth)
	if same < len(node.path) {
		return t.split(n, same, key, depth, value), nil
	}
	depth += same
	if node.kind == extensionNode {
		return n, t.putChild(n, 0, key, depth, depth, value)
	}
	if depth < 2*len(key) {
		return t.split(n, same, key, depth-same, value), nil
	}
	if !bytes.Equal(node.value, value) {
		node.value, node.dirty = value, true
	}
	return n, nil
}

func (t *partial) putBranch(n link, key []byte, depth int, value []byte) error {
	if depth < 2*len(key) {
		return t.putChild(n, int(nibble(key, depth)), key, depth, depth+1, value)
	}
	if node := &t.nodes[n]; !bytes.Equal(node.value, value) {
		node.value, node.dirty = value, true
	}
	return nil
}

// putChild puts a value below the child of n at slot, to which nibbles
// [0, below) of key lead.
func (t *partial) putChild(n link, slot int, key []byte, depth, below int, value []byte) error {
	child, err := t.read(n, slot, key, depth)
	if err != nil {
		return err
	}
	if child, err = t.put(child, key, below, value); err != nil {
		return err
	}
	t.setChild(n, slot, child)
	return nil
}

// read returns the child of n at slot, or 0 for none. Its path is the first depth
// nibbles of key and, below a branch, slot.
func (t *partial) read(n link, slot int, key []byte, depth int) (link, error) {
	if child := t.nodes[n].child[slot]; child >= 0 {
		return child, nil
	}
	return t.fetch(n, slot, key, depth)
}

// unread returns the reference to the child of n at slot, which is not read yet.
func (t *partial) unread(n link, slot int) []byte {
	node := &t.nodes[n]
	return referenceAt(node.enc, int(-node.child[slot]))
}

// unreadHash returns the hash of the child of n at slot, which is not read yet,
// or nil if it is embedded.
func (t *partial) unreadHash(n link, slot int) *[32]byte {
	if r := t.unread(n, slot); r[0] == rlpDigest {
		return (*[32]byte)(r[1:])
	}
	return nil
}

// setChild puts a node in the place of the child of n at slot.
func (t *partial) setChild(n link, slot int, child link) {
	node := &t.nodes[n]
	if node.child[slot] != child || t.nodes[child].dirty {
		node.child[slot], node.dirty = child, true
	}
}

// split parts the leaf or extension n after the first same nibbles of its path,
// where key goes another way or ends, or a leaf's ends. It returns the node in
// n's place.
func (t *partial) split(n link, same int, key []byte, depth int, value []byte) link {
	branch := partialNode{kind: branchNode, dirty: true}
	if at := depth + same; at == 2*len(key) {
		branch.value = value
	} else {
		branch.child[nibble(key, at)] = t.newLeaf(key, at+1, value)
	}
	node := &t.nodes[n]
	node.dirty = true
	shared, rest := node.path[:same:same], node.path[same:]
	switch {
	case len(rest) == 0: // a leaf's value
		branch.value = node.value
	case len(rest) == 1 && node.kind == extensionNode: // its child moves up
		branch.child[rest[0]] = node.child[0]
		branch.enc = node.enc
	default:
		node.path = rest[1:]
		branch.child[rest[0]] = n
	}
	top := t.add(branch)
	if same > 0 {
		top = t.add(partialNode{kind: extensionNode, dirty: true, path: shared, child: [16]link{top}})
	}
	return top
}
