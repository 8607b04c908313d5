package stateroot

// remove deletes key, if it is there, from the trie below n, and returns the node
// in n's place, or 0 for none. Nibbles [0, depth) of key lead to n.
func (t *partial) remove(n link, key []byte, depth int) (link, error) {
	if n == 0 {
		return 0, nil
	}
	node := &t.nodes[n]
	if node.kind == branchNode {
		return t.removeFromBranch(n, key, depth)
	}
	same := matching(node.path, key, depth)
	if same < len(node.path) {
		return n, nil
	}
	depth += same
	if node.kind == leafNode {
		if depth == 2*len(key) {
			return 0, nil
		}
		return n, nil
	}
	child, err := t.removeFromChild(n, 0, key, depth, depth)
	if err != nil || t.nodes[child].kind == branchNode {
		return n, err
	}
	return t.lengthen(child, t.nodes[n].path), nil
}

// removeFromChild deletes key below the child of n at slot, to which nibbles
// [0, below) of key lead, and returns the node in the child's place.
func (t *partial) removeFromChild(n link, slot int, key []byte, depth, below int) (link, error) {
	child, err := t.read(n, slot, key, depth)
	if err != nil {
		return 0, err
	}
	if child, err = t.remove(child, key, below); err != nil {
		return 0, err
	}
	t.setChild(n, slot, child)
	return child, nil
}

func (t *partial) removeFromBranch(n link, key []byte, depth int) (link, error) {
	if depth < 2*len(key) {
		if _, err := t.removeFromChild(n, int(nibble(key, depth)), key, depth, depth+1); err != nil {
			return 0, err
		}
	} else if node := &t.nodes[n]; node.value != nil {
		node.value, node.dirty = nil, true
	}
	return t.collapse(n, key, depth)
}

// collapse returns the node in the place of branch n, to which nibbles
// [0, depth) of key lead. A branch with one entry left is no branch: the entry
// takes its place.
func (t *partial) collapse(n link, key []byte, depth int) (link, error) {
	node := &t.nodes[n]
	if node.entries() > 1 {
		return n, nil
	}
	if node.value != nil {
		return t.add(partialNode{kind: leafNode, dirty: true, value: node.value}), nil
	}
	slot := 0
	for node.child[slot] == 0 {
		slot++
	}
	child, err := t.read(n, slot, key, depth)
	if err != nil {
		return 0, err
	}
	path := t.concat([]byte{byte(slot)}, nil)
	if t.nodes[child].kind == branchNode {
		return t.add(partialNode{kind: extensionNode, dirty: true, path: path, child: [16]link{child}}), nil
	}
	return t.lengthen(child, path), nil
}

// lengthen puts nibbles before the path of the leaf or extension n, which takes
// the place of the node above it.
func (t *partial) lengthen(n link, nibbles []byte) link {
	node := &t.nodes[n]
	node.path, node.dirty = t.concat(nibbles, node.path), true
	return n
}
