package ntt

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"pulsar":                           "256,281474976729601,182013311964515",
		" Pulsar ":                         "256,281474976729601,182013311964515",
		"mldsa":                            "256,8380417,1921994", // 10^((q-1)/512), not FIPS 204's 1753
		"FHE27":                            "1024,134215681,4073518",
		"256,0x1000000004A01":              "256,281474976729601,182013311964515",
		"0x100, 0x1000000004a01":           "256,281474976729601,182013311964515",
		"8,17,3":                           "8,17,3",
		" 8 ,\t17 ,\n5 ":                   "8,17,5",
		"1_024,134_215_681":                "1024,134215681,4073518",
		"0o10,17":                          "8,17,3",
		"256,0x1000000004A01,0x614a6e2262": "256,281474976729601,417860559458", // the least root, psi^101
	} {
		r, err := Parse(text)
		require.NoError(t, err, text)
		require.Equal(t, want, r.String(), text)
	}
}

func TestParseErrors(t *testing.T) {
	for _, text := range []string{
		"", " ", "saturn", "256", "256,", ",17", "8,17,", "8,17,3,4", "8;17", "8 17", "eight,17", "8,-17", "+8,17",
		"8,17.0", "8,0x", "8,18446744073709551616", "8,17,0x10000000000000000", "8,1e3", "pulsar,17", "８,17",
	} {
		_, err := Parse(text)
		var se *SyntaxError
		require.ErrorAs(t, err, &se, text)
		require.ErrorIs(t, err, ErrSyntax, text)
		require.Equal(t, text, se.Text)
		require.NotContains(t, err.Error(), "\n", "one line")
		for _, name := range Names() {
			require.Contains(t, err.Error(), name)
		}
	}
	for text, want := range map[string]error{
		"4,17":                           ErrDegree,
		"131072,786433":                  ErrDegree,
		"18446744073709551615,17":        ErrDegree,
		"9223372036854775808,17":         ErrDegree,
		"4294967304,17":                  ErrDegree, // 8 in 32 bits
		"8,2305843009213693952":          ErrModulus,
		"8,33":                           ErrPrime,
		"512,0x1000000004A01":            ErrNoRoot,
		"8,17,2":                         ErrPsi,
		"8,17,0":                         ErrPsi,
		"8,17,18446744073709551615":      ErrPsi,
		"256,0x1000000004A01,0x614a6e22": ErrPsi,
	} {
		_, err := Parse(text)
		var re *RingError
		require.ErrorAs(t, err, &re, text)
		require.ErrorIs(t, err, want, text)
		require.NotContains(t, err.Error(), "\n")
	}
}

func TestNames(t *testing.T) {
	require.Equal(t, []string{"pulsar", "mldsa", "fhe27"}, Names())
	Names()[0] = "changed"
	require.Equal(t, "pulsar", Names()[0])
	for _, name := range Names() {
		require.NoError(t, errors.Join(mustParse(t, name).Forward(nil, nil), mustParse(t, strings.ToUpper(name)).Inverse(nil, nil)))
	}
}
