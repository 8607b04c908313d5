//go:build metalsim && cgo

package metal

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/crosspoint-kernels/crosspoint/gpu"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// A recorder notes the launches of runners and what came of them, in the form
// that testdata/sanitize/driver.cc takes.
type recorder struct {
	jobs    bytes.Buffer
	entries []string // without repetitions
}

func (r *recorder) bytes(p []byte) {
	r.number(uint32(len(p)))
	r.jobs.Write(p)
}

func (r *recorder) number(x uint32) { r.jobs.Write(binary.LittleEndian.AppendUint32(nil, x)) }

func (r *recorder) record(k Kernel, grid [3]uint32, params [gpu.ParamWords]uint32, operands [][]byte, out []byte) {
	if !slices.Contains(r.entries, k.Entry) {
		r.entries = append(r.entries, k.Entry)
	}
	r.bytes([]byte(k.Entry))
	for _, x := range []uint32{grid[0], grid[1], k.GroupSize, uint32(k.GroupMemory)} {
		r.number(x)
	}
	var p []byte
	for _, x := range params {
		p = binary.LittleEndian.AppendUint32(p, x)
	}
	operands = append(operands, p)
	if k.Constants != nil {
		operands = append(operands, k.Constants)
	}
	r.number(uint32(len(operands)))
	for _, o := range operands {
		r.bytes(o)
	}
	r.bytes(out)
}

// transform records a transform of a few rows of a ring.
func (r *recorder) transform(t *testing.T, k Kernel, ring *ntt.Ring) {
	run := newRunner(t, open(t), k)
	run.recorder = r
	require.NoError(t, checkTransform(run, ring, program(t, ring).WordBytes, 1, k.PerGroup+1))
}

// products records the pointwise operations and a product of matrices.
func (r *recorder) products(t *testing.T, ring *ntt.Ring) {
	p := program(t, ring)
	for _, c := range pointwiseCases(p, ring) {
		run := newRunner(t, open(t), c.kernel)
		run.recorder = r
		require.NoError(t, checkPointwise(run, c, ring, p.WordBytes, 1, 1+300/ring.N()))
	}
	run := newRunner(t, open(t), p.MatMulAddMont)
	run.recorder = r
	require.NoError(t, checkMatMul(run, ring, p.WordBytes, 2, 9, 3))
}

// hashes records hashes of messages of many lengths, and of one in pieces.
func (r *recorder) hashes(t *testing.T) {
	run := newRunner(t, open(t), Keccak().Hash)
	run.recorder = r
	b := batch{prefix: 1, out: 3, shift: 1}
	for n := range 70 {
		b.messages = append(b.messages, random(n*n%300, n))
	}
	require.NoError(t, b.ragged(run))
	for i := range b.messages {
		b.messages[i] = random(64, i)
	}
	b.shift = 0
	require.NoError(t, b.fixed(run, true))
	run = newRunner(t, open(t), Keccak().Stream)
	run.recorder = r
	require.NoError(t, checkStream(run, random(700, 1), 0, 0, 135, 272))
}

// sanitize builds a text with a sanitizer and runs what was recorded.
func (r *recorder) sanitize(t *testing.T, sanitizer, text string) (string, error) {
	t.Helper()
	dir := t.TempDir()
	kernels, jobs := filepath.Join(dir, "kernels.metal"), filepath.Join(dir, "jobs")
	require.NoError(t, os.WriteFile(kernels, []byte(text), 0o600))
	require.NoError(t, os.WriteFile(jobs, r.jobs.Bytes(), 0o600))
	cmd := exec.Command("sh", "../../internal/metalsim/sanitize.sh", sanitizer, kernels, "testdata/sanitize/driver.cc", "--", jobs)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestSanitizers runs the kernels, with threads of the host as threads, under
// ThreadSanitizer, which sees what no barrier orders, and under
// UndefinedBehaviorSanitizer.
func TestSanitizers(t *testing.T) {
	open(t)
	var r recorder
	for _, ring := range []*ntt.Ring{named(t, "pulsar"), below(8, 1<<32), below(512, 1<<29)} {
		p := program(t, ring)
		r.transform(t, p.Forward, ring)
		r.transform(t, p.Inverse, ring)
	}
	r.products(t, below(8, 1<<29))
	r.products(t, below(8, 1<<61))
	r.hashes(t)
	for _, sanitizer := range []string{"thread", "undefined"} {
		t.Run(sanitizer, func(t *testing.T) {
			t.Parallel()
			out, err := r.sanitize(t, sanitizer, only(Source(), r.entries...))
			require.NoError(t, err, out)
		})
	}
}

// TestSanitizersCatch removes each barrier in turn, and makes a shift too far.
func TestSanitizersCatch(t *testing.T) {
	open(t)
	files := join("field.h", "butterflies.h", "ntt.metal")
	const barrier = "threadgroup_barrier(mem_flags::mem_threadgroup);"
	pieces := strings.Split(files, barrier)
	require.Len(t, pieces, 5)
	ring := below(512, 1<<61)
	p := program(t, ring)
	for i := range 4 {
		t.Run(fmt.Sprintf("barrier=%d", i), func(t *testing.T) {
			t.Parallel()
			var r recorder
			r.transform(t, []Kernel{p.Forward, p.Inverse}[i/2], ring) // two are in each
			text := strings.Join(pieces[:i+1], barrier) + strings.Join(pieces[i+1:], barrier)
			out, err := r.sanitize(t, "thread", only(text, r.entries...))
			require.Error(t, err)
			require.Contains(t, out, "data race")
		})
	}
	t.Run("shift", func(t *testing.T) {
		t.Parallel()
		var r recorder
		ring := below(8, 1<<61)
		r.transform(t, program(t, ring).Inverse, ring)
		text := strings.ReplaceAll(files, "(v >> log_n)", "(v >> (log_n + 64))")
		out, err := r.sanitize(t, "undefined", only(text, r.entries...))
		require.Error(t, err)
		require.Contains(t, out, "shift exponent")
	})
}
