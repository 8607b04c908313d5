package stateroot

// recent keeps nodes near the root that an Updater wrote, so that its next update
// neither reads them nor checks their hashes again. A node is found by its path
// and taken only if it has the hash that is asked for, so that it is right whatever
// became of what was written.
type recent struct {
	nodes []recentNode // by nearPath
}

type recentNode struct {
	hash [32]byte
	enc  []byte
}

// recentBytes is the longest encoding that is kept: a branch with 16 hashed
// children and no value, which is what there is near the root of a large trie.
const recentBytes = 532

// recentDepth is the length of the longest path that is kept, in nibbles: 4,369
// nodes at most, of 2.3 MB. Of the 1,495 nodes on the paths of 500 of 50,000
// accounts 707 are so near the root, and they take two thirds of the time.
const recentDepth = 3

// find returns the encoding of the node with this path and hash, or nil.
func (r *recent) find(path []byte, hash *[32]byte) []byte {
	if r.nodes == nil || len(path) > recentDepth {
		return nil
	}
	n, _ := nearPath(path)
	if node := &r.nodes[n]; node.enc != nil && node.hash == *hash {
		return node.enc
	}
	return nil
}

// put keeps a copy of a node, unless it is long.
func (r *recent) put(path, enc []byte, hash *[32]byte) {
	if len(path) > recentDepth || len(enc) > recentBytes {
		return
	}
	if r.nodes == nil {
		r.nodes = make([]recentNode, 2<<(4*recentDepth))
	}
	n, _ := nearPath(path)
	node := &r.nodes[n]
	node.hash, node.enc = *hash, append(node.enc[:0], enc...)
}
