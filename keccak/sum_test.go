package keccak

import (
	"bytes"
	"crypto/sha3"
	"encoding/hex"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// keccak256 is a function that ought to be Keccak-256.
type keccak256 func(msg []byte) [32]byte

// check returns an error unless f gives the known answers and the chain.
func (f keccak256) check() error {
	for _, v := range knownAnswers {
		if d := f(message(v.n)); hex.EncodeToString(d[:]) != v.keccak {
			return fmt.Errorf("%d bytes: %x instead of %s", v.n, d, v.keccak)
		}
	}
	var all []byte
	for n := range 1201 {
		d := f(message(n))
		all = append(all, d[:]...)
	}
	if d := f(all); hex.EncodeToString(d[:]) != chains.keccak {
		return fmt.Errorf("chain: %x instead of %s", d, chains.keccak)
	}
	return nil
}

func TestSum256(t *testing.T) {
	require.NoError(t, keccak256(Sum256).check())
	require.Equal(t, Sum256([]byte{}), Sum256(nil))
}

func TestKnownAnswers(t *testing.T) {
	for _, v := range knownAnswers {
		msg := message(v.n)
		d := SumSHA3256(msg)
		require.Equal(t, v.sha3, hex.EncodeToString(d[:]), "%d bytes", v.n)
		var out [64]byte
		SHAKE128(out[:32], msg)
		require.Equal(t, v.shake128, hex.EncodeToString(out[:32]), "%d bytes", v.n)
		SHAKE256(out[:], msg)
		require.Equal(t, v.shake256, hex.EncodeToString(out[:]), "%d bytes", v.n)
	}
}

func TestChains(t *testing.T) {
	var sha, shake128, shake256 []byte
	for n := range 1201 {
		msg := message(n)
		var out [64]byte
		d := SumSHA3256(msg)
		sha = append(sha, d[:]...)
		SHAKE128(out[:32], msg)
		shake128 = append(shake128, out[:32]...)
		SHAKE256(out[:], msg)
		shake256 = append(shake256, out[:]...)
	}
	for want, all := range map[string][]byte{chains.sha3: sha, chains.shake128: shake128, chains.shake256: shake256} {
		d := Sum256(all)
		require.Equal(t, want, hex.EncodeToString(d[:]))
	}
}

func TestSqueezed(t *testing.T) {
	for _, v := range squeezed {
		x := v.x()
		x.Write(message(33))
		out := make([]byte, v.n)
		x.Read(out)
		d := Sum256(out)
		require.Equal(t, v.digest, hex.EncodeToString(d[:]), "%d bytes", v.n)
	}
}

func TestSumAgainstStandardLibrary(t *testing.T) {
	for _, n := range []int{5000, 1<<16 - 1, 1 << 20} {
		msg := message(n)
		require.Equal(t, sha3.Sum256(msg), SumSHA3256(msg))
		out := make([]byte, n/2+1)
		SHAKE128(out, msg)
		require.True(t, bytes.Equal(sha3.SumSHAKE128(msg, len(out)), out))
		SHAKE256(out, msg)
		require.True(t, bytes.Equal(sha3.SumSHAKE256(msg, len(out)), out))
	}
}

// TestSumOverlap hashes a message into its own memory, at every distance.
func TestSumOverlap(t *testing.T) {
	for _, n := range []int{64, 136, 300} {
		for at := range n - 31 {
			buf := message(n)
			want := Sum256(buf)
			sum((*[32]byte)(buf[at:]), buf, domainKeccak)
			require.Equal(t, want, [32]byte(buf[at:]))

			buf = message(n)
			want = [32]byte(sha3.SumSHAKE256(buf, 32))
			SHAKE256(buf[at:at+32], buf)
			require.Equal(t, want, [32]byte(buf[at:]))
		}
	}
}

// TestSumUnaligned reads messages at every address modulo 8.
func TestSumUnaligned(t *testing.T) {
	for shift := range 8 {
		for n := range 300 {
			buf := append(make([]byte, shift), message(n)...)
			require.Equal(t, Sum256(message(n)), Sum256(buf[shift:]))
		}
	}
}

func TestSumAllocations(t *testing.T) {
	msg, out := message(1000), make([]byte, 500)
	var s State
	x := NewSHAKE128()
	var d [32]byte
	for name, f := range map[string]func(){
		"Sum256":     func() { d = Sum256(msg) },
		"SumSHA3256": func() { d = SumSHA3256(msg) },
		"SHAKE128":   func() { SHAKE128(out, msg) },
		"SHAKE256":   func() { SHAKE256(out, msg) },
		"State":      func() { s.Reset(); s.Write(msg); d = s.Sum256(); s.Sum(out[:0]) },
		"XOF":        func() { x.Reset(); x.Write(msg); x.Read(out) },
	} {
		require.Zero(t, testing.AllocsPerRun(100, f), name)
	}
	require.NotZero(t, d)
}
