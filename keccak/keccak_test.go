package keccak

import (
	"crypto/sha3"
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSum256(t *testing.T) {
	d := Sum256(nil)
	require.Equal(t, "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470", hex.EncodeToString(d[:]))
	for n := range 600 {
		msg := make([]byte, n)
		for i := range msg {
			msg[i] = byte(i*131 + i>>8*17 + n)
		}
		require.Equal(t, sha3.Sum256(msg), SumSHA3256(msg))
		out := make([]byte, n)
		SHAKE128(out, msg)
		require.Equal(t, sha3.SumSHAKE128(msg, n), out)
		SHAKE256(out, msg)
		require.Equal(t, sha3.SumSHAKE256(msg, n), out)
	}
}
