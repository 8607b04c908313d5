package stateroot

import (
	"slices"

	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// loader reads the nodes on the paths of the changed keys level by level, so that
// those of a level are checked against their hashes in one batch.
type loader struct {
	wanted, next []want
	single       [1]want
	stored       []stored
	paths        []byte // of what is wanted, then stored

	encs    [][]byte
	data    []byte // encodings as they were read
	off     []uint32
	digests [][32]byte
}

// want is a hashed node to be read: the child of parent at slot, or the root for
// parent 0. Changes [lo, hi) lead to it.
type want struct {
	parent link
	slot   int
	path   []byte
	lo, hi int
}

// stored is a node that was read.
type stored struct {
	path []byte
	live bool // whether there is still a hashed node at path
}

func (l *loader) reset() {
	l.next, l.stored = l.next[:0], l.stored[:0]
	l.data, l.paths = l.data[:0], l.paths[:0]
}

// load reads the nodes on the paths of the changes and returns the root node.
func (u *Updater) load(root [32]byte) (link, error) {
	l := &u.loader
	if root == emptyRoot {
		return 0, nil
	}
	l.next = append(l.next, want{hi: len(u.changes)})
	for level := 0; len(l.next) > 0; level++ {
		l.wanted, l.next = l.next, l.wanted[:0]
		rest := l.wanted[:0]
		for _, w := range l.wanted {
			hash := u.hashOf(&w, &root)
			if enc := u.recent.find(w.path, hash); enc == nil {
				rest = append(rest, w)
			} else if err := u.take(&w, enc, hash); err != nil {
				return 0, err
			}
		}
		for len(rest) > 0 {
			n, err := u.loadBatch(rest, &root, level)
			if err != nil {
				return 0, err
			}
			rest = rest[n:]
		}
	}
	return 1, nil // the root was the first to be added
}

// loadBatch reads as many of the wanted nodes as fit a batch, one at least, and
// returns how many.
func (u *Updater) loadBatch(wanted []want, root *[32]byte, level int) (int, error) {
	l := &u.loader
	l.encs = l.encs[:0]
	n, size := 0, 0
	for n < len(wanted) && (n == 0 || size <= u.maxBatch) {
		enc, err := get(u.nodes, wanted[n].path)
		if err != nil {
			return 0, err
		}
		l.encs = append(l.encs, enc)
		size += len(enc)
		n++
	}
	// They are copied in a loop of their own: where they are in no cache, the
	// processor waits for several of them at once.
	begin := len(l.data)
	l.data = slices.Grow(l.data, size)
	l.off = append(l.off[:0], 0)
	for _, enc := range l.encs {
		l.data = append(l.data, enc...)
		l.off = append(l.off, uint32(len(l.data)-begin))
	}
	clear(l.encs)
	u.trie.nodes = slices.Grow(u.trie.nodes, n)
	l.digests = grow(l.digests, n)
	m := keccak.Messages{Data: l.data[begin:], Off: l.off}
	if err := u.sum256(u.ctx, l.digests, m); err != nil {
		return 0, &HashError{What: "read", Level: level, Err: err}
	}
	for i := range wanted[:n] {
		w := &wanted[i]
		if l.digests[i] != *u.hashOf(w, root) {
			return 0, nodeError(w.path, corrupt("not the bytes of its hash"))
		}
		if err := u.take(w, m.At(i), &l.digests[i]); err != nil {
			return 0, err
		}
	}
	return n, nil
}

// hashOf returns the hash that a wanted node must have.
func (u *Updater) hashOf(w *want, root *[32]byte) *[32]byte {
	if w.parent == 0 {
		return root
	}
	return u.trie.unreadHash(w.parent, w.slot)
}

// take adds a wanted node with the right hash, and asks for its children.
func (u *Updater) take(w *want, enc []byte, hash *[32]byte) error {
	l := &u.loader
	l.stored = append(l.stored, stored{path: w.path})
	n, err := u.add(w.parent, w.slot, w.path, enc)
	if err != nil {
		return err
	}
	node := &u.trie.nodes[n]
	node.hash, node.stored = *hash, int32(len(l.stored))
	return u.descend(n, len(w.path), w.lo, w.hi)
}

// add makes enc, the encoding of the node at path, the child of parent at slot,
// or the root for parent 0.
func (u *Updater) add(parent link, slot int, path, enc []byte) (link, error) {
	t := &u.trie
	n := t.add(partialNode{})
	node := &t.nodes[n]
	var err error
	t.nibbles, err = node.decode(enc, t.nibbles)
	if err == nil && parent != 0 {
		above := &t.nodes[parent]
		if above.kind == extensionNode && node.kind != branchNode {
			err = corrupt("the child of an extension is no branch")
		}
		above.child[slot] = n
	}
	if err != nil {
		return 0, nodeError(path, err)
	}
	return n, nil
}

// descend asks for the children of a node that changes [lo, hi) lead to. Their
// first depth nibbles lead to the node.
func (u *Updater) descend(n link, depth, lo, hi int) error {
	node := &u.trie.nodes[n]
	switch node.kind {
	case extensionNode:
		below := depth + len(node.path)
		for lo < hi && matching(node.path, u.changes[lo].Key, depth) < len(node.path) {
			lo++
		}
		end := lo
		for end < hi && matching(node.path, u.changes[end].Key, depth) == len(node.path) {
			end++
		}
		return u.ask(n, 0, below, lo, end)
	case branchNode:
		if lo < hi && 2*len(u.changes[lo].Key) == depth {
			lo++ // the value of the branch
		}
		for lo < hi {
			slot := nibble(u.changes[lo].Key, depth)
			end := lo + 1
			for end < hi && nibble(u.changes[end].Key, depth) == slot {
				end++
			}
			if err := u.ask(n, int(slot), depth+1, lo, end); err != nil {
				return err
			}
			lo = end
		}
	}
	return nil
}

// ask asks for the child of n at slot, if there is one and changes [lo, hi) lead
// to it: a hashed one is read with the next level, an embedded one at once.
func (u *Updater) ask(n link, slot, depth, lo, hi int) error {
	t := &u.trie
	if lo == hi || t.nodes[n].child[slot] == 0 {
		return nil
	}
	path := u.loader.path(u.changes[lo].Key, depth)
	if t.unreadHash(n, slot) != nil {
		u.loader.next = append(u.loader.next, want{n, slot, path, lo, hi})
		return nil
	}
	child, err := u.add(n, slot, path, t.unread(n, slot))
	if err != nil {
		return err
	}
	return u.descend(child, depth, lo, hi)
}

// path returns the first depth nibbles of key and then more.
func (l *loader) path(key []byte, depth int, more ...byte) []byte {
	at := len(l.paths)
	l.paths = append(appendNibbles(l.paths, key, depth), more...)
	return l.paths[at:len(l.paths):len(l.paths)]
}

// fetch reads one node, for the trie: the last that a branch keeps when another
// is deleted. Its own children are not needed.
func (u *Updater) fetch(n link, slot int, key []byte, depth int) (link, error) {
	l, t := &u.loader, &u.trie
	var path []byte
	if t.nodes[n].kind == branchNode {
		path = l.path(key, depth, byte(slot))
	} else {
		path = l.path(key, depth)
	}
	if t.unreadHash(n, slot) == nil {
		return u.add(n, slot, path, t.unread(n, slot))
	}
	l.single[0] = want{parent: n, slot: slot, path: path}
	if _, err := u.loadBatch(l.single[:], nil, -1); err != nil {
		return 0, err
	}
	return t.nodes[n].child[slot], nil
}
