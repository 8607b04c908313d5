// Package stateroot commits to a state: a list of keys and values. It has three
// commitments, and each gives the same root whatever Hasher computed it:
//
//	Flat    Keccak-256 over key ‖ value in ascending key order
//	Merkle  a binary tree of the shape of RFC 6962
//	MPT     Ethereum's Merkle-Patricia trie (yellow paper, appendix D)
//
// The goals of the package are, in order: equal bytes, clarity, speed.
//
// A Builder computes a root from nothing. It builds a trie level by level and
// without pointers: the pairs are sorted, the shape of the trie and the length of
// every node follow from the common prefixes of neighbouring keys, and then all
// nodes of a height are encoded, packed and hashed at once, leaves first, so that
// a Hasher sees few batches and large ones. An Updater computes the next root
// from the nodes of the last trie and the pairs that changed.
//
// In all of them an absent value is a deletion, the later of two equal keys wins,
// and the order of the input does not matter otherwise.
//
// Words are the yellow paper's. A key is read as nibbles, half-bytes, the high
// one first. A leaf holds the rest of its key's path and a value; an extension
// holds nibbles that all keys below it share, and one child, a branch; a branch
// has a child for each of 16 nibbles and the value of the key that ends there, if
// one does. A node refers to a child by the Keccak-256 of the child's encoding,
// or by that encoding itself if it is shorter than 32 bytes: an embedded node.
// The path of a node is the nibbles that lead to it from the root.
//
// Keys and values are not secrets here: the shape of a trie depends on them, and
// so do branches and addresses.
package stateroot
