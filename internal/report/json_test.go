package report

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestJSONRoundTrip(t *testing.T) {
	for _, in := range reports {
		var first, second bytes.Buffer
		require.NoError(t, WriteJSON(&first, in.report()))
		r, err := ReadJSON(bytes.NewReader(first.Bytes()))
		require.NoError(t, err)
		want, err := normalised(in.report())
		require.NoError(t, err)
		require.Equal(t, want, r)
		require.NoError(t, WriteJSON(&second, r))
		require.Equal(t, first.String(), second.String())
	}
}

// The names are a contract with other programs.
func TestJSONNames(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, WriteJSON(&b, paperReport()))
	var got struct {
		Schema                             string
		Machine                            map[string]any
		Commit, Command                    *string
		Rows, Fits, Crossovers, HotPathRaw []map[string]any
	}
	require.NoError(t, json.Unmarshal(b.Bytes(), &got))
	require.Equal(t, "crosspoint/1", got.Schema)
	require.ElementsMatch(t, []string{"op", "backend", "device", "software", "params", "batch", "resident",
		"ns_per_row", "lo", "hi", "phases", "samples", "verified"}, keys(got.Rows[0]))
	require.ElementsMatch(t, []string{"op", "params", "backend", "resident", "D_ns", "tau_ns", "max_error"}, keys(got.Fits[0]))
	require.ElementsMatch(t, []string{"op", "params", "backend", "against", "resident", "batch", "lo", "hi",
		"verdict", "up_to", "predicted", "sign_changes"}, keys(got.Crossovers[0]))
	b.Reset()
	require.NoError(t, WriteJSON(&b, mixedReport()))
	require.Contains(t, strings.Join(strings.Fields(b.String()), " "),
		`"speedup": { "cpu": { "median": 1.8, "lo": 1.75, "hi": 1.9 }, "cpu-mt": {`)
	require.Nil(t, got.Crossovers[1]["batch"])
	require.Contains(t, got.Crossovers[1], "batch")
}

func keys(m map[string]any) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	return out
}

func TestReadJSONRefuses(t *testing.T) {
	for name, in := range map[string]string{
		"nothing":        ``,
		"not JSON":       `sweep`,
		"list":           `[]`,
		"no schema":      `{}`,
		"other schema":   `{"schema":"crosspoint/2"}`,
		"schema spelled": `{"schema":"Crosspoint/1"}`,
		"more data":      `{"schema":"crosspoint/1"} {}`,
		"cut short":      `{"schema":"crosspoint/1"`,
		"wrong type":     `{"schema":"crosspoint/1","rows":{}}`,
		"overflow":       `{"schema":"crosspoint/1","rows":[{"batch":1,"ns_per_row":1e999}]}`,
	} {
		_, err := ReadJSON(strings.NewReader(in))
		require.ErrorIs(t, err, ErrSchema, name)
	}
	for name, in := range map[string]string{
		"batch 0":        `"rows":[{"batch":0}]`,
		"negative time":  `"rows":[{"batch":1,"ns_per_row":-1}]`,
		"negative phase": `"rows":[{"batch":1,"phases":{"kernel":-1}}]`,
		"no speed-up":    `"rows":[{"batch":1,"speedup":{"cpu":{"median":1,"lo":0,"hi":2}}}]`,
		"no signers":     `"hot_path":[{"signers":0}]`,
		"negative share": `"hot_path":[{"signers":1,"share":-0.5}]`,
		"verdict":        `"crossovers":[{"verdict":"perhaps"}]`,
		"found nowhere":  `"crossovers":[{"verdict":"found","batch":null}]`,
	} {
		_, err := ReadJSON(strings.NewReader(`{"schema":"crosspoint/1",` + in + `}`))
		require.ErrorIs(t, err, ErrValue, name)
	}
	_, err := ReadJSON(strings.NewReader(`{"schema":"crosspoint/1","later":1}`))
	require.NoError(t, err, "an unknown field is no error")
}

func TestWriteJSONRefuses(t *testing.T) {
	for name, spoil := range map[string]func(*Report){
		"nan":        func(r *Report) { r.Rows[3].NsPerRow = math.NaN() },
		"inf":        func(r *Report) { r.Rows[3].Hi = math.Inf(1) },
		"fit":        func(r *Report) { r.Fits[0].TauNs = math.NaN() },
		"prediction": func(r *Report) { r.Crossovers[0].Predicted = ptr(math.Inf(1)) },
		"hot path":   func(r *Report) { r.HotPath[0].Ns = math.NaN() },
	} {
		r := paperReport()
		spoil(r)
		var b bytes.Buffer
		require.ErrorIs(t, WriteJSON(&b, r), ErrValue, name)
		require.Zero(t, b.Len(), name)
	}
	require.ErrorIs(t, WriteJSON(&bytes.Buffer{}, &Report{Schema: "other"}), ErrSchema)
}

// Whatever is read, every writer takes it without a panic, and what is written
// as JSON is read back the same.
func FuzzReadJSON(f *testing.F) {
	// Small seeds: the fuzzer tries to make every find smaller.
	seed := mixedReport()
	seed.Rows, seed.Crossovers, seed.HotPath = seed.Rows[2:3], seed.Crossovers[:1], seed.HotPath[:1]
	for _, r := range []*Report{seed, {}} {
		var b bytes.Buffer
		require.NoError(f, WriteJSON(&b, r))
		f.Add(b.Bytes())
	}
	f.Add([]byte(`{"schema":"crosspoint/1","rows":[{"batch":1,"ns_per_row":1e-300,"verified":true}]}`))
	f.Add([]byte(`{"schema":"crosspoint/1","hot_path":[{"signers":9223372036854775807,"reading":"\u0000"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := ReadJSON(bytes.NewReader(data))
		if err != nil {
			return
		}
		for _, format := range Formats() {
			var b bytes.Buffer
			require.NoError(t, Write(&b, format, r), format)
			if format == "json" {
				again, err := ReadJSON(&b)
				require.NoError(t, err)
				require.Equal(t, r, again)
			}
		}
		require.NoError(t, WriteChanges(&bytes.Buffer{}, Compare(r, r, 0.05)))
	})
}
