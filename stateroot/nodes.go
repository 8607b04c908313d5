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
	// is none. The result has to stay as it is until the update that asked for
	// it returns; path is the caller's again when Get returns.
	Get(path []byte) ([]byte, error)
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
