package stateroot

import "context"

// MaxUpdateKey is the length of the longest key that an Updater takes, in bytes.
// It bounds how deep an update goes, whatever the store holds: it recurses, and
// takes memory by the square of the depth for the paths of nodes.
const MaxUpdateKey = 1 << 12

// Updater computes the next root of a trie from its nodes and from what changed,
// without the rest of its pairs. It keeps its memory from call to call. It is not
// safe for concurrent use. After an error it can be used again.
type Updater struct {
	router
	nodes    Nodes
	maxBatch int
	ctx      context.Context // of the call at hand

	pairs   []Pair // of a state
	arena   []byte
	keys    keyHasher
	sorter  sorter
	changes []Pair // in ascending key order, one to a key

	trie   partial
	loader loader
	writer writer
	recent recent
}

// NewUpdater returns an Updater of the trie in nodes. Of the options it uses
// those about Hashers and Workers.
func NewUpdater(nodes Nodes, o Options) *Updater {
	u := &Updater{router: newRouter(o), nodes: nodes, maxBatch: maxBatch}
	u.trie.fetch = u.fetch
	return u
}

// Update returns the root of the trie with the given root after the changes, and
// the nodes to write to the store for it to hold that trie, in ascending order of
// path and valid until the next call. A pair with an empty value deletes its key,
// which need not be there, any other sets it, and the later of two pairs with the
// same key counts. The trie of EmptyRoot has no nodes.
//
// Update reads each node on the path of a changed key, and a neighbour where a
// deletion leaves a branch with one child, and checks each against the hash by
// which root leads to it. The error is a *NodeError for a node that is missing or
// corrupt, a *SizeError, or a *HashError. Update writes nothing itself.
func (u *Updater) Update(ctx context.Context, root [32]byte, changes []Pair) ([32]byte, []Node, error) {
	if err := checkCount(len(changes)); err != nil {
		return [32]byte{}, nil, err
	}
	for i := range changes {
		if err := changes[i].check(i); err != nil {
			return [32]byte{}, nil, err
		}
		if n := len(changes[i].Key); n > MaxUpdateKey {
			return [32]byte{}, nil, &SizeError{What: "key", Index: i, Size: n, Most: MaxUpdateKey}
		}
	}
	return u.update(ctx, root, changes, rawPairs(changes))
}

// UpdateSecure is Update of a trie as Builder.SecureMPT has it.
func (u *Updater) UpdateSecure(ctx context.Context, root [32]byte, changes []Pair) ([32]byte, []Node, error) {
	if err := checkCount(len(changes)); err != nil {
		return [32]byte{}, nil, err
	}
	keys, err := u.keys.hash(ctx, &u.router, changes, u.maxBatch, nil)
	if err != nil {
		return [32]byte{}, nil, err
	}
	return u.update(ctx, root, changes, &hashedPairs{changes, keys})
}

// UpdateState is Update of a trie as Builder.StateMPT has it.
func (u *Updater) UpdateState(ctx context.Context, root [32]byte, changes State) ([32]byte, []Node, error) {
	if err := checkCount(len(changes)); err != nil {
		return [32]byte{}, nil, err
	}
	u.pairs, u.arena = statePairs(u.pairs, u.arena, changes, u.workers)
	defer clear(u.pairs)
	return u.UpdateSecure(ctx, root, u.pairs)
}

// keepAbsent are pairs of which none counts as absent: a deletion is a change.
type keepAbsent struct{ pairSource }

func (keepAbsent) absent(int) bool { return false }

func (u *Updater) update(ctx context.Context, root [32]byte, pairs []Pair, in pairSource) ([32]byte, []Node, error) {
	u.changes = u.changes[:0]
	for _, i := range u.sorter.sort(keepAbsent{in}, u.workers) {
		u.changes = append(u.changes, Pair{Key: in.key(int(i)), Value: pairs[i].Value})
	}
	if err := ctx.Err(); err != nil {
		return [32]byte{}, nil, &HashError{What: "update", Level: -1, Err: err}
	}
	u.trie.reset()
	u.loader.reset()
	u.ctx = ctx
	defer func() { // refer to nothing of the caller's
		clear(u.changes)
		u.trie.reset()
		u.ctx = nil
	}()
	if len(u.changes) == 0 {
		return root, nil, nil
	}
	top, err := u.load(root)
	if err != nil {
		return [32]byte{}, nil, err
	}
	for _, c := range u.changes {
		if len(c.Value) == 0 {
			top, err = u.trie.remove(top, c.Key, 0)
		} else {
			top, err = u.trie.put(top, c.Key, 0, c.Value)
		}
		if err != nil {
			return [32]byte{}, nil, err
		}
	}
	return u.write(top)
}
