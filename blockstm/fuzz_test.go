package blockstm

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// decodePrograms reads a block from bytes: the first says how it runs, the next four
// hold the base state, and each further one is an operation, a kind of five bits and
// a key of three, with an argument after it where the kind has one. Any bytes are a
// block.
func decodePrograms(data []byte) (p *programs, setup byte) {
	next := func() (b byte) {
		if len(data) > 0 {
			b, data = data[0], data[1:]
		}
		return b
	}
	setup = next()
	p = &programs{base: map[tKey]tValue{}, noEqual: setup&8 != 0}
	for k := range tKey(4) {
		if b := next(); b%2 == 1 {
			p.base[k] = tValue(b % 101)
		}
	}
	var ops []op
	for len(data) > 0 && len(p.txs) < 120 {
		b := next()
		kind := opKind(b >> 3)
		if kind >= opKinds {
			p.txs = append(p.txs, ops)
			ops = nil
			continue
		}
		o := op{kind: kind, key: tKey(b & 7)}
		switch kind {
		case opPut, opAdd:
			o.arg = int64(int8(next()))
		case opMove, opTransient:
			o.to = tKey(next() & 7)
		}
		ops = append(ops, o)
	}
	if len(ops) > 0 {
		p.txs = append(p.txs, ops)
	}
	return p, setup
}

// endOfTx is a byte that ends a transaction.
const endOfTx = byte(opKinds) << 3

// encodePrograms is the inverse of decodePrograms, for keys and arguments in range.
func encodePrograms(setup byte, p *programs) []byte {
	out := []byte{setup}
	for k := range tKey(4) {
		b := byte(0)
		if v, ok := p.base[k]; ok {
			b = byte(v) | 1
		}
		out = append(out, b)
	}
	for _, ops := range p.txs {
		for _, o := range ops {
			out = append(out, byte(o.kind)<<3|byte(o.key&7))
			switch o.kind {
			case opPut, opAdd:
				out = append(out, byte(o.arg))
			case opMove, opTransient:
				out = append(out, byte(o.to&7))
			}
		}
		out = append(out, endOfTx)
	}
	return out
}

// FuzzPrograms runs a block by Sequential and on executors, twice, and compares
// results, changes and the committed writes. Programs read, write, delete, add, branch
// on what they read, return errors and panic on it.
func FuzzPrograms(f *testing.F) {
	op := func(kind opKind, key byte) byte { return byte(kind)<<3 | key }
	f.Add([]byte{})
	f.Add([]byte{1, 9, 0, 7, 0, endOfTx, endOfTx})
	f.Add(append([]byte{2, 1, 3, 5, 7}, slices.Repeat([]byte{op(opMove, 0), 0, endOfTx}, 40)...)) // a counter
	f.Add(append([]byte{3, 99, 0, 0, 0}, slices.Repeat([]byte{op(opAdd, 0), 1, endOfTx, op(opAdd, 0), 0xfe, op(opGet, 0), endOfTx}, 20)...))
	f.Add(append([]byte{6}, slices.Repeat([]byte{5, 0, op(opDelete, 1), endOfTx, op(opGet, 1), op(opBranch, 0), op(opPut, 1), 4, endOfTx,
		op(opGet, 1), op(opPanic, 0), op(opPut, 2), 1, endOfTx, op(opTransient, 2), 1, op(opFail, 0), endOfTx}, 10)...))
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 90))
		f.Add(encodePrograms(byte(seed*37), randomPrograms(r, 10+r.IntN(60), 4)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, setup := decodePrograms(data)
		hangs(t, 10*time.Second)
		b := p.block()
		if p.noEqual {
			b.Equal = nil
		}
		b.Hints = p.hintsOf(int(setup>>4)%hintKinds, rand.New(rand.NewPCG(uint64(setup), uint64(len(data)))))
		want, err := Sequential(context.Background(), b)
		require.NoError(t, err)
		wantResults, wantFinal := describe(want)
		results, writes, final := p.oracle()
		require.Equal(t, results, wantResults)
		require.Equal(t, final, wantFinal)

		var log commitLog
		e := newTest(Options[tKey, tValue]{Workers: 2 + int(setup&3), NoThrottle: setup&4 != 0, Commit: log.commit})
		for range 2 {
			log = commitLog{}
			got, err := e.Execute(context.Background(), b)
			require.NoError(t, err)
			gotResults, gotFinal := describe(got)
			require.Equal(t, wantResults, gotResults)
			require.Equal(t, wantFinal, gotFinal)
			if len(p.txs) > 0 {
				require.Equal(t, writes, log.writes)
			}
		}
	})
}

// A block survives being written as bytes.
func TestFuzzEncoding(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 91))
		p := randomPrograms(r, 1+r.IntN(30), 4)
		data := encodePrograms(5, p)
		again, setup := decodePrograms(data)
		require.EqualValues(t, 5, setup)
		require.Equal(t, data, encodePrograms(5, again))
		require.Len(t, again.txs, len(p.txs))
	}
}
