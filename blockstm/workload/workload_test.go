package workload_test

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/blockstm"
	"github.com/crosspoint-kernels/crosspoint/blockstm/workload"
)

func generate(t *testing.T, c workload.Config) *workload.Workload {
	t.Helper()
	w, err := workload.Generate(c)
	require.NoError(t, err)
	return w
}

func sequential(t *testing.T, w *workload.Workload) *blockstm.Outcome[workload.Key, workload.Value, workload.Output] {
	t.Helper()
	o, err := blockstm.Sequential(t.Context(), w.Block(nil))
	require.NoError(t, err)
	require.Len(t, o.Results, w.Len())
	return o
}

// The numbers are those of the description that the mix is a reconstruction of.
func TestKeysTouched(t *testing.T) {
	for _, c := range []struct {
		name   string
		config workload.Config
		want   float64
	}{
		{"0 %", workload.Config{}, 49_637},
		{"10 %", workload.Config{Conflict: 100_000}, 18_342},
		{"50 %", workload.Config{Conflict: 500_000}, 9_006},
		{"hot", workload.Config{Profile: workload.Hot}, 1_996},
	} {
		t.Run(c.name, func(t *testing.T) {
			for seed := range uint64(3) {
				c.config.N, c.config.Seed = 20_000, seed+1
				keys := float64(sequential(t, generate(t, c.config)).Len())
				t.Logf("%s, seed %d: %.0f keys, of %.0f: %+.1f %%", c.name, seed+1, keys, c.want, 100*(keys/c.want-1))
				require.InDelta(t, 1, keys/c.want, 0.1)
			}
		})
	}
	one := sequential(t, generate(t, workload.Config{N: 1000, Profile: workload.OneSlot}))
	require.Equal(t, 1, one.Len())
}

func TestEqualConfigsMakeEqualBlocks(t *testing.T) {
	for _, p := range workload.Profiles() {
		c := workload.Config{N: 300, Profile: p, Conflict: 300_000, Seed: 7, Gas: 1, Distance: 5, ReadOnly: 100_000, Zipf: 1.1}
		first := workload.Digest(sequential(t, generate(t, c)).Results)
		require.Equal(t, first, workload.Digest(sequential(t, generate(t, c)).Results), p)
		c.Seed++
		require.NotEqual(t, first, workload.Digest(sequential(t, generate(t, c)).Results), p)
	}
}

// Seven balances out of few that are ever drawn must not take for ever.
func TestSteepZipf(t *testing.T) {
	w := generate(t, workload.Config{N: 200, Zipf: 40})
	require.Less(t, sequential(t, w).Len(), 200)
}

func TestMoneyIsKept(t *testing.T) {
	for _, deltas := range []bool{false, true} {
		w := generate(t, workload.Config{N: 5000, Profile: workload.Transfers, Conflict: 500_000, Deltas: deltas})
		base := w.Base()
		change := 0
		for c := range sequential(t, w).Changes() {
			before, _, err := base.Get(c.Key)
			require.NoError(t, err)
			change += int(c.Value) - int(before)
		}
		require.Zero(t, change)
	}
}

func TestDeltasLeadToTheSameState(t *testing.T) {
	c := workload.Config{N: 3000, Conflict: 500_000, Gas: 1}
	plain := final(sequential(t, generate(t, c)))
	c.Deltas = true
	require.Equal(t, plain, final(sequential(t, generate(t, c))))
}

func final(o *blockstm.Outcome[workload.Key, workload.Value, workload.Output]) map[workload.Key]workload.Value {
	all := map[workload.Key]workload.Value{}
	for c := range o.Changes() {
		if !c.Deleted {
			all[c.Key] = c.Value
		}
	}
	return all
}

// Each of the things that Dynamic is there for has to happen.
func TestDynamicDoesEverything(t *testing.T) {
	w := generate(t, workload.Config{N: 2000, Profile: workload.Dynamic, Seed: 1, Deltas: true})
	o := sequential(t, w)
	var reverted, panicked, failed, deleted int
	for _, r := range o.Results {
		var p *blockstm.PanicError
		switch {
		case r.Err == nil && r.Output.Status == workload.Failed:
			failed++
		case r.Err == nil:
		case r.Err == workload.ErrReverted:
			reverted++
		default:
			require.ErrorAs(t, r.Err, &p)
			panicked++
		}
	}
	for c := range o.Changes() {
		if c.Deleted {
			deleted++
		}
	}
	require.Greater(t, reverted, 50)
	require.Greater(t, panicked, 50)
	require.Greater(t, failed, 0)
	require.Greater(t, deleted, 50)
}

func TestPartsAreTheBlock(t *testing.T) {
	w := generate(t, workload.Config{N: 100, Gas: 1}) // without conflict, but for contracts
	whole := sequential(t, w)
	half, err := blockstm.Sequential(t.Context(), w.Part(nil, 0, 50))
	require.NoError(t, err)
	require.Equal(t, whole.Results[:50], half.Results)
}

func TestDistance(t *testing.T) {
	w := generate(t, workload.Config{N: 100, Distance: 10})
	chains := 0
	for c := range sequential(t, w).Changes() {
		if c.Key.Kind() == workload.Chain {
			chains++
		}
	}
	require.Equal(t, 10, chains)
}

func TestReadOnly(t *testing.T) {
	require.Zero(t, sequential(t, generate(t, workload.Config{N: 100, ReadOnly: workload.Million})).Len())
}

func TestLatencyIsAtLeastWhatIsAsked(t *testing.T) {
	const d = 100 * time.Microsecond
	require.GreaterOrEqual(t, workload.MeasureLatency(d, 10), d)
	w := generate(t, workload.Config{N: 10, Profile: workload.Transfers, Latency: d})
	start := time.Now()
	sequential(t, w)
	require.GreaterOrEqual(t, time.Since(start), 20*d) // two reads each
}

func TestSum(t *testing.T) {
	minus := func(v workload.Value) workload.Value { return -v }
	for _, c := range []struct {
		a, delta, want workload.Value
		ok             bool
	}{
		{0, 0, 0, true},
		{5, 7, 12, true},
		{5, minus(5), 0, true},
		{5, minus(6), 0, false},
		{workload.MaxValue, 0, workload.MaxValue, true},
		{workload.MaxValue, 1, 0, false},
		{workload.MaxValue - 1, 1, workload.MaxValue, true},
		{workload.MaxValue, minus(workload.MaxValue), 0, true},
		{workload.MaxValue, workload.MaxValue, 0, false},
		{workload.MaxValue, workload.MaxValue + 1, 0, false}, // the most negative
		{math.MaxUint64, 0, 0, false},
	} {
		got, ok := workload.Sum(c.a, c.delta)
		require.Equal(t, c.ok, ok, c)
		if ok {
			require.Equal(t, c.want, got, c)
		}
	}
}

func TestKeys(t *testing.T) {
	k := workload.MakeKey(workload.Pool, 7)
	require.Equal(t, workload.Pool, k.Kind())
	require.EqualValues(t, 7, k.Index())
	a, b := workload.MakeKey(workload.Pool, 6).Bytes(), k.Bytes()
	require.Equal(t, a[:25], b[:25]) // of one contract
	require.EqualValues(t, 0, a[31])
	require.EqualValues(t, 1, b[31])
	seen := map[[32]byte]bool{}
	for kind := workload.Balance; kind <= workload.Pair; kind++ {
		for i := range uint64(1000) {
			seen[workload.MakeKey(kind, i).Bytes()] = true
		}
	}
	require.Len(t, seen, 6000)
	require.Equal(t, [32]byte{30: 1, 31: 2}, workload.Value(258).Bytes())
}

func TestConfigErrors(t *testing.T) {
	for field, c := range map[string]workload.Config{
		"N":        {N: -1},
		"Profile":  {Profile: "none"},
		"Conflict": {Conflict: workload.Million + 1},
		"ReadOnly": {ReadOnly: -1},
		"Gas":      {Gas: -1},
		"Distance": {Distance: -1},
		"Zipf":     {Zipf: math.NaN()},
		"Latency":  {Latency: -1},
	} {
		_, err := workload.Generate(c)
		var bad *workload.ConfigError
		require.ErrorAs(t, err, &bad, field)
		require.Equal(t, field, bad.Field)
		require.Contains(t, err.Error(), field)
	}
	_, err := workload.Generate(workload.Config{N: workload.MaxTransactions + 1})
	require.Error(t, err)
	for _, n := range []int{0, 1, 2} {
		for _, p := range workload.Profiles() {
			sequential(t, generate(t, workload.Config{N: n, Profile: p, Conflict: 1}))
		}
	}
}

// A digest has to tell each part of a result from another.
func TestDigest(t *testing.T) {
	type result = blockstm.Result[workload.Output]
	seen := map[[32]byte]bool{}
	for _, rs := range [][]result{
		nil,
		{{}},
		{{}, {}},
		{{Output: workload.Output{Status: workload.Failed}}},
		{{Output: workload.Output{Reads: 1}}},
		{{Output: workload.Output{Writes: 1}}},
		{{Output: workload.Output{Work: 1}}},
		{{Err: workload.ErrReverted}},
		{{Err: &blockstm.PanicError{Tx: 0, Value: "a", Stack: []byte("x")}}},
		{{Err: &blockstm.PanicError{Tx: 0, Value: "b"}}},
		{{Err: context.Canceled}},
	} {
		seen[workload.Digest(rs)] = true
	}
	require.Len(t, seen, 11)
	a := []result{{Err: &blockstm.PanicError{Value: "a", Stack: []byte("x")}}}
	b := []result{{Err: &blockstm.PanicError{Value: "a", Stack: []byte("y")}}}
	require.Equal(t, workload.Digest(a), workload.Digest(b))
}
