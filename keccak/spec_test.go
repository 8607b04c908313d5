package keccak

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"
)

// design is Keccak-256 once more, in slow motion and with every constant in
// reach, so that a test can plant the mistakes others have made and see that
// the known answers catch them.
type design struct {
	rotation [5][5]int // rotation[x][y], as in table 2 of FIPS 202
	constant [24]uint64
	domain   byte
	// pad returns the bytes that follow a message of n bytes.
	pad func(n int, domain byte) []byte
}

// keccakDesign is the design without a mistake.
func keccakDesign() design {
	return design{
		rotation: [5][5]int{
			{0, 36, 3, 41, 18},
			{1, 44, 10, 45, 2},
			{62, 6, 43, 15, 61},
			{28, 55, 25, 21, 56},
			{27, 20, 39, 8, 14},
		},
		constant: registerConstants(),
		domain:   domainKeccak,
		pad: func(n int, domain byte) []byte {
			p := make([]byte, rate256-n%rate256)
			p[0] |= domain
			p[len(p)-1] |= 0x80
			return p
		},
	}
}

// registerConstants computes the round constants by FIPS 202, algorithms 5 and 6.
func registerConstants() (c [24]uint64) {
	r := 1
	for i := range c {
		for j := range 7 {
			c[i] |= uint64(r&1) << (1<<j - 1)
			if r <<= 1; r > 0xff {
				r ^= 0x171 // x^8 + x^6 + x^5 + x^4 + 1
			}
		}
	}
	return c
}

func (d *design) permute(a *[5][5]uint64) {
	for _, k := range d.constant {
		var c [5]uint64
		for x := range 5 {
			for y := range 5 {
				c[x] ^= a[x][y]
			}
		}
		var b [5][5]uint64
		for x := range 5 {
			for y := range 5 {
				t := a[x][y] ^ c[(x+4)%5] ^ bits.RotateLeft64(c[(x+1)%5], 1)
				b[y][(2*x+3*y)%5] = bits.RotateLeft64(t, d.rotation[x][y])
			}
		}
		for x := range 5 {
			for y := range 5 {
				a[x][y] = b[x][y] ^ ^b[(x+1)%5][y]&b[(x+2)%5][y]
			}
		}
		a[0][0] ^= k
	}
}

func (d *design) sum(msg []byte) (digest [32]byte) {
	p := append(append([]byte{}, msg...), d.pad(len(msg), d.domain)...)
	var a [5][5]uint64
	for ; len(p) > 0; p = p[rate256:] {
		for i := range rate256 / 8 {
			a[i%5][i/5] ^= binary.LittleEndian.Uint64(p[8*i:])
		}
		d.permute(&a)
	}
	for i := range 4 {
		binary.LittleEndian.PutUint64(digest[8*i:], a[i][0])
	}
	return digest
}

func TestDesign(t *testing.T) {
	d := keccakDesign()
	require.NoError(t, keccak256(d.sum).check())
	require.Equal(t, d.constant, roundConstants)
}

// TestMutants plants one mistake at a time and demands that check finds it.
func TestMutants(t *testing.T) {
	mutants := map[string]func(*design){
		"SHA-3 padding": func(d *design) { d.domain = domainSHA3 },
		"padding in two bytes where one is left": func(d *design) {
			d.pad = func(n int, domain byte) []byte {
				if n%rate256 != rate256-1 {
					return keccakDesign().pad(n, domain)
				}
				p := make([]byte, 1+rate256)
				p[0], p[rate256] = domain, 0x80
				return p
			}
		},
		"no block for the padding of whole blocks": func(d *design) {
			d.pad = func(n int, domain byte) []byte {
				if n%rate256 == 0 && n > 0 {
					return nil
				}
				return keccakDesign().pad(n, domain)
			}
		},
		"a last byte lost": func(d *design) {
			d.pad = func(n int, domain byte) []byte {
				p := keccakDesign().pad(n, domain)
				p[len(p)-1] &^= 0x80
				return p
			}
		},
	}
	for i := range 24 {
		mutants[fmt.Sprintf("constant of round %d", i)] = func(d *design) { d.constant[i] ^= 1 << 63 }
	}
	for i := range 25 {
		mutants[fmt.Sprintf("rotation of lane (%d, %d)", i%5, i/5)] = func(d *design) {
			r := &d.rotation[i%5][i/5]
			*r = (*r + 1) % 64
		}
	}
	for name, plant := range mutants {
		d := keccakDesign()
		plant(&d)
		require.Error(t, keccak256(d.sum).check(), name)
	}
}
