package stateroot

import (
	"bytes"
	"slices"

	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// writer encodes and hashes the nodes of a partial trie that changed, level by
// level, leaves first.
type writer struct {
	path    []byte  // of the node at hand
	paths   []byte  // of what is written
	nodes   []link  // that are written, in ascending order of path
	at      []int   // where the path of each begins in paths
	levels  [][]int // which of nodes are in each level
	moved   []int   // which of nodes are not where a stored node was
	encs    [][]byte
	data    []byte // what encs are in
	out     []Node
	off     []uint32
	digests [][32]byte
}

func (w *writer) reset() {
	w.path, w.paths, w.out = w.path[:0], w.paths[:0], w.out[:0]
	w.nodes, w.at, w.moved = w.nodes[:0], w.at[:0], w.moved[:0]
	for h := range w.levels {
		w.levels[h] = w.levels[h][:0]
	}
}

// write returns the root of the trie below top and the nodes that changed.
func (u *Updater) write(top link) ([32]byte, []Node, error) {
	w := &u.writer
	w.reset()
	root := emptyRoot
	if top != 0 {
		u.measure(top, true)
		if err := u.hashChanged(); err != nil {
			return [32]byte{}, nil, err
		}
		root = u.trie.nodes[top].hash
	}
	w.at = append(w.at, len(w.paths))
	for k, n := range w.nodes {
		w.out = append(w.out, Node{Path: w.pathOf(k), Enc: w.encs[k]})
		u.recent.put(w.pathOf(k), w.encs[k], &u.trie.nodes[n].hash)
	}
	if gone := u.gone(); len(gone) > 0 {
		w.out = append(w.out, gone...)
		slices.SortFunc(w.out, func(a, b Node) int { return bytes.Compare(a.Path, b.Path) })
	}
	return root, w.out, nil
}

// pathOf returns the path of written node k; at holds the end of the last.
func (w *writer) pathOf(k int) []byte {
	return w.paths[w.at[k]:w.at[k+1]:w.at[k+1]]
}

// gone returns a deletion for each node that was read and is at its path no more.
func (u *Updater) gone() []Node {
	w := &u.writer
	var gone []Node
	for i := range u.loader.stored {
		if s := &u.loader.stored[i]; !s.live {
			gone = append(gone, Node{Path: s.path})
		}
	}
	if len(gone) == 0 {
		return nil
	}
	taken := make(map[string]bool, len(w.moved)) // by another node
	for _, k := range w.moved {
		taken[string(w.pathOf(k))] = true
	}
	return slices.DeleteFunc(gone, func(n Node) bool { return taken[string(n.Path)] })
}

// measure finds the length and the level of each changed node from n down, lists
// those to be written, and notes which stored nodes are where they were. The path
// of n is writer.path.
func (u *Updater) measure(n link, root bool) {
	w, node := &u.writer, &u.trie.nodes[n]
	if !node.dirty {
		if node.stored != 0 {
			u.loader.stored[node.stored-1].live = true
		}
		u.measureChildren(node)
		return
	}
	k := len(w.nodes) // above its children in order of path
	w.nodes = append(w.nodes, n)
	w.at = append(w.at, len(w.paths))
	w.paths = append(w.paths, w.path...)
	payload, height := u.measureChildren(node)
	switch node.kind {
	case leafNode:
		payload = pathSize(len(node.path)) + stringSize(node.value)
	case extensionNode:
		payload += pathSize(len(node.path))
	case branchNode:
		payload += stringSize(node.value)
	}
	node.size, node.height = uint32(listSize(payload)), height
	if !root && !hashable(node.size) { // embedded, and so is all below it
		w.paths = w.paths[:w.at[k]]
		w.nodes, w.at = w.nodes[:k], w.at[:k]
		return
	}
	for len(w.levels) <= int(height) {
		w.levels = append(w.levels, nil)
	}
	w.levels[height] = append(w.levels[height], k)
	if s := node.stored; s != 0 && bytes.Equal(u.loader.stored[s-1].path, w.path) {
		u.loader.stored[s-1].live = true
	} else {
		w.moved = append(w.moved, k)
	}
}

// measureChildren measures the children of a node and returns the length of the
// references to them, and the first level the node can be hashed in.
func (u *Updater) measureChildren(node *partialNode) (payload int, height uint32) {
	w, depth := &u.writer, len(u.writer.path)
	for slot, c := range node.child {
		switch {
		case c == 0 && node.kind == branchNode:
			payload++
		case c < 0:
			payload += referenceSize(node.enc[-c])
		case c > 0:
			if node.kind == branchNode {
				w.path = append(w.path, byte(slot))
			} else {
				w.path = append(w.path, node.path...)
			}
			u.measure(c, false)
			w.path = w.path[:depth]
			child := &u.trie.nodes[c]
			payload += int(refSize(child.length()))
			if child.dirty {
				height = max(height, levelAbove(child.size, child.height))
			}
		}
	}
	return payload, height
}

// length returns that of the encoding of a node that was measured.
func (n *partialNode) length() uint32 {
	if n.dirty {
		return n.size
	}
	return uint32(len(n.enc))
}

// hashChanged encodes the nodes that are written and hashes them.
func (u *Updater) hashChanged() error {
	w := &u.writer
	total := 0
	for _, n := range w.nodes {
		total += int(u.trie.nodes[n].size)
	}
	w.data = grow(w.data, total)
	w.encs = grow(w.encs, len(w.nodes))
	rest := w.data
	for h, level := range w.levels {
		for len(level) > 0 {
			n, size := u.placeBatch(level, rest)
			if err := u.hashBatch(level[:n], rest[:size]); err != nil {
				return &HashError{What: "update", Level: h, Err: err}
			}
			level, rest = level[n:], rest[size:]
		}
	}
	return nil
}

// placeBatch gives nodes of a level their places in data, one at least and then
// as many as fit a batch, and returns how many these are and how long.
func (u *Updater) placeBatch(level []int, data []byte) (n, size int) {
	w := &u.writer
	w.off = append(w.off[:0], 0)
	for n < len(level) && (n == 0 || size <= u.maxBatch) {
		k := level[n]
		end := size + int(u.trie.nodes[w.nodes[k]].size)
		w.encs[k] = data[size:end:end]
		w.off = append(w.off, uint32(end))
		size = end
		n++
	}
	return n, size
}

// hashBatch encodes and hashes nodes that have their places in data.
func (u *Updater) hashBatch(batch []int, data []byte) error {
	w, t := &u.writer, &u.trie
	parallel(u.workers, len(batch), 64, func(_, from, to int) {
		for _, k := range batch[from:to] {
			t.encode(w.encs[k], &t.nodes[w.nodes[k]])
		}
	})
	w.digests = grow(w.digests, len(batch))
	if err := u.sum256(u.ctx, w.digests, keccak.Messages{Data: data, Off: w.off}); err != nil {
		return err
	}
	for i, k := range batch {
		t.nodes[w.nodes[k]].hash = w.digests[i]
	}
	return nil
}
