package stateroot

import "fmt"

// Node is a hashed node of a trie. Embedded nodes are part of their parent.
type Node struct {
	Path []byte // nibbles from the root, one to a byte; of the root, none
	Enc  []byte // its RLP; nil where the trie has no hashed node at Path any more
}

// Nodes is where the hashed nodes of a trie are, by path.
type Nodes interface {
	// Get returns the encoding of the node at path, nibbles from the root with
	// one to a byte. It returns nil, or an error that wraps ErrMissing, if there
	// is none. The caller neither keeps path's nor changes the result's bytes;
	// it has done with them before its next call.
	Get(path []byte) ([]byte, error)
}

// MemNodes are nodes in memory: encodings by path. It is not safe for concurrent
// use. Its Put method can be a Builder's Options.Emit.
type MemNodes map[string][]byte

var _ Nodes = MemNodes(nil)

// Get returns the encoding of the node at path, or nil.
func (m MemNodes) Get(path []byte) ([]byte, error) { return m[string(path)], nil }

// Put keeps a copy of a node. It returns no error.
func (m MemNodes) Put(path, enc []byte) error {
	m[string(path)] = append([]byte(nil), enc...)
	return nil
}

// Apply writes and deletes what an Updater returned.
func (m MemNodes) Apply(written []Node) {
	for _, n := range written {
		if n.Enc == nil {
			delete(m, string(n.Path))
		} else {
			m[string(n.Path)] = n.Enc
		}
	}
}

// nodeError returns a *NodeError with a copy of path.
func nodeError(path []byte, err error) error {
	return &NodeError{Path: append([]byte{}, path...), Err: err}
}

// get reads the node at path from a store.
func get(nodes Nodes, path []byte) ([]byte, error) {
	enc, err := nodes.Get(path)
	switch {
	case err != nil:
		return nil, nodeError(path, err)
	case enc == nil:
		return nil, nodeError(path, ErrMissing)
	case len(enc) > maxNode:
		return nil, nodeError(path, fmt.Errorf("%w: %d bytes", ErrCorrupt, len(enc)))
	}
	return enc, nil
}

// maxNode is the length of the longest node: a path and a value of MaxBytes, or
// 16 children and a value, and their heads.
const maxNode = 2*MaxBytes + 1024
