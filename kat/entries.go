package kat

import (
	"bytes"
	"fmt"
	"slices"
)

// entries are the operations of a root vector: written out, or a rule with n
// and seed.
type entries struct {
	rule Rule // empty where written out
	n    int
	seed uint64
	list []Entry

	first, last *Entry // as they go into the trie; nil where not known
	keccak      string // digestEntries, in hexadecimal; empty where not known
}

// expand returns the operations of entries that check has accepted.
func (e *entries) expand() ([]Entry, error) {
	if e.rule != "" {
		return e.rule.Entries(e.n, e.seed)
	}
	list := make([]Entry, len(e.list))
	for i, o := range e.list {
		list[i] = Entry{bytes.Clone(o.Key), bytes.Clone(o.Value)}
	}
	return list, nil
}

// stateRules make keys and values of 32 bytes.
var stateRules = []Rule{RuleKV, RuleKVChurn}

// check returns an error unless there is such a rule, of that many entries, that
// makes what the kind of root takes.
func (e *entries) check(kind RootKind) error {
	_, known := rules[e.rule]
	state := kind != MPT
	switch {
	case e.rule != "" && e.rule != RuleGenesis && !known:
		return fmt.Errorf("%w: no rule %q", ErrSyntax, e.rule)
	case e.n < 0 || e.n > MaxEntries:
		return fmt.Errorf("%w: %d entries, want 0 to %d", ErrLength, e.n, MaxEntries)
	case e.rule == "" && e.seed != 0:
		return fmt.Errorf("%w: a seed that is not used", ErrSyntax)
	case e.rule != "" && state && !slices.Contains(stateRules, e.rule):
		return fmt.Errorf("%w: rule %q for a root of kind %q", ErrSyntax, e.rule, kind)
	}
	if !state {
		return nil
	}
	for i, o := range e.list {
		if len(o.Key) != 32 || len(o.Value) != 32 {
			return fmt.Errorf("%w: entry %d of a state has a key of %d bytes and a value of %d, want 32",
				ErrLength, i, len(o.Key), len(o.Value))
		}
	}
	return nil
}
