package kat

import (
	"bytes"
	"fmt"
)

// messageGen names a way to make the messages of a hash vector; the names are
// those of the JSON files.
type messageGen string

const (
	msgHex    messageGen = ""       // written out
	msgAffine messageGen = "affine" // FillAffine
	msgRepeat messageGen = "repeat" // one byte, over and over
)

// message is what a hash vector is of: one message for each length from length
// to through.
type message struct {
	gen             messageGen
	length, through int
	fill            byte   // repeat
	data            []byte // written out: one message
}

func (m message) len() int { return m.through - m.length + 1 }

// expand returns the messages of a message that check has accepted.
func (m message) expand() [][]byte {
	out := make([][]byte, 0, m.len())
	for n := m.length; n <= m.through; n++ {
		msg := bytes.Repeat([]byte{m.fill}, n)
		switch m.gen {
		case msgHex:
			copy(msg, m.data)
		case msgAffine:
			FillAffine(msg)
		}
		out = append(out, msg)
	}
	return out
}

// check returns an error unless the message makes at least one message, and
// MaxBytes at most.
func (m message) check() error {
	switch {
	case m.gen != msgHex && m.gen != msgAffine && m.gen != msgRepeat:
		return fmt.Errorf("%w: no generator %q", ErrSyntax, m.gen)
	case m.length < 0 || m.through < m.length || m.through > MaxBytes:
		return fmt.Errorf("%w: messages of %d to %d bytes", ErrLength, m.length, m.through)
	case int64(m.length+m.through)*int64(m.len())/2 > MaxBytes:
		return fmt.Errorf("%w: messages of %d bytes and more, together", ErrLength, MaxBytes)
	}
	return nil
}

// FillAffine sets byte i of msg to i*131 + (i>>8)*17 + len(msg), modulo 256: a
// message whose bytes tell their place, and which is no prefix of a longer one.
func FillAffine(msg []byte) {
	for i := range msg {
		msg[i] = byte(i*131 + i>>8*17 + len(msg))
	}
}
