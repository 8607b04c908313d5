package suite

import (
	"context"
	"fmt"
	"strconv"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/internal/report"
	"github.com/crosspoint-kernels/crosspoint/kat"
	"github.com/crosspoint-kernels/crosspoint/keccak"
)

// HashCase is Keccak-256 over batches of growing size.
type HashCase struct {
	// Len is the length of every message in bytes, from 1 to MaxMessage.
	Len int
	// Sizes are the batches, in messages, strictly increasing from 1 or more, the
	// largest at most MaxMessages(Len).
	Sizes []int
}

const (
	// MaxMessage is the longest message that is measured, in bytes.
	MaxMessage = 1 << 20
	// maxData bounds the buffers of one run on the host to 2 GiB together, as
	// maxCoefficients does.
	maxData = 8 * maxCoefficients
)

// MaxMessages is the largest batch of messages of length bytes, at least 1, that
// a sweep takes: each is held with its digest and the reference's.
func MaxMessages(length int) int { return int(maxData / (int64(max(length, 1)) + 2*keccak.Size)) }

// Work is the progress that measuring c makes: four blocks count as one row of a
// transform.
func (c *HashCase) Work() int {
	total := 0
	for _, n := range c.Sizes {
		total += c.cost(n)
	}
	return total
}

func (c *HashCase) cost(n int) int { return work(n * (c.Len/keccakRate + 1) / 4) }

// keccakRate is how many bytes of a message one permutation takes in.
const keccakRate = 136

// Check returns an error that wraps ErrSizes unless c can be measured.
func (c *HashCase) Check() error {
	if c.Len < 1 || c.Len > MaxMessage {
		return fmt.Errorf("%w: messages of %d bytes; they have 1 to %d", ErrSizes, c.Len, MaxMessage)
	}
	last, err := increasing(c.Sizes)
	if most := MaxMessages(c.Len); err == nil && last > most {
		err = fmt.Errorf("%w: %d is too large: of %d bytes, with two digests each, 2 GiB hold %d", ErrSizes, last, c.Len, most)
	}
	return err
}

// Hash measures c on every contestant as Sweep does an operation of a ring, from
// messages in host memory to digests there. Each digest was compared with
// keccak.Sum256 before anything is timed. Results and errors are those of Sweep.
func Hash(ctx context.Context, cs []Contestant, c HashCase, m Measuring) (*Result, error) {
	if err := c.Check(); err != nil {
		return &Result{}, err
	}
	es := enterHashers(cs)
	defer closeAll(es)
	return m.sweep(ctx, es, subject{
		op: report.KeccakOp, params: map[string]string{report.ParamLen: strconv.Itoa(c.Len)},
		title: fmt.Sprintf("keccak-256, %d bytes,", c.Len),
		sizes: c.Sizes, cost: c.cost,
		work: newMessages(c, m.Seed),
	})
}

// messages are the buffers of one run over messages of one length, made once for
// its largest size and shared by the contestants.
type messages struct {
	length int
	seed   uint64
	data   []byte
	dst    [][keccak.Size]byte
	want   [][keccak.Size]byte // of the first messages; grows
}

func newMessages(c HashCase, seed uint64) *messages {
	n := c.Sizes[len(c.Sizes)-1]
	w := &messages{length: c.Len, seed: seed, data: make([]byte, n*c.Len), dst: make([][keccak.Size]byte, n)}
	kat.NewSplitMix64(seed).FillBytes(w.data)
	return w
}

// span returns messages [0, n).
func (w *messages) span(n int) []byte { return w.data[:n*w.length] }

// reference returns the digests of messages [0, n) by the scalar reference.
func (w *messages) reference(n int) [][keccak.Size]byte {
	for i := len(w.want); i < n; i++ {
		w.want = append(w.want, keccak.Sum256(w.data[i*w.length:(i+1)*w.length]))
	}
	return w.want[:n]
}

func (w *messages) trial(_ context.Context, e *entrant, n int) (trial, error) {
	t := &hashTrial{messages: w, hasher: e.hasher, n: n}
	if e.device() {
		t.log = phaseLog{}
	}
	return t, nil
}

// hashTrial is one contestant's batch.
type hashTrial struct {
	*messages
	hasher keccak.Hasher
	n      int
	log    phaseLog // of a device, where a time stamp is nothing; nil else
}

func (t *hashTrial) run(ctx context.Context) error {
	if t.log != nil {
		ctx = backends.WithTiming(ctx, t.note)
	}
	return t.hasher.SumFixed(ctx, t.dst[:t.n], t.span(t.n), t.length)
}

func (t *hashTrial) note(x backends.Timing) {
	t.log.add(report.PhaseUpload, x.Upload)
	t.log.add(report.PhaseKernel, x.Kernel)
	t.log.add(report.PhaseDownload, x.Download)
}

func (t *hashTrial) phases() map[string]float64 { return t.log.medians() }

func (t *hashTrial) verify(ctx context.Context) error {
	want := t.reference(t.n)
	got := t.dst[:t.n]
	for i := range got {
		got[i] = poisoned(want[i])
	}
	if err := t.run(ctx); err != nil {
		return err
	}
	for i := range got {
		if got[i] != want[i] {
			return &DigestError{Op: report.KeccakOp, Message: i, Got: got[i], Want: want[i], Seed: t.seed}
		}
	}
	return nil
}

// poisoned is no digest that is wanted, so that one that was not written is seen.
func poisoned(want [keccak.Size]byte) [keccak.Size]byte {
	for i := range want {
		want[i] = ^want[i]
	}
	return want
}

func (t *hashTrial) release() {}
