//go:build metalsim && cgo

package metalsim_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// driver builds testdata/drive.m, an Objective-C program that uses Metal as a
// bridge does, and a metallib of its kernels. Each case is a process of its own: a
// refusal ends one.
var driver = sync.OnceValues(func() (program, error) {
	dir, err := os.MkdirTemp("", "metalsim-test-")
	if err != nil {
		return program{}, err
	}
	p := program{dir: dir, path: filepath.Join(dir, "drive"), metallib: filepath.Join(dir, "kernels.metallib")}
	args := []string{"-Wall", "-Werror", "-pthread", "-o", p.path}
	args = append(args, strings.Fields(os.Getenv("CGO_CFLAGS"))...)
	for _, f := range []string{"drive.m", "works.m", "refusals.m", "faults.m"} {
		args = append(args, filepath.Join("testdata", f))
	}
	args = append(args, strings.Fields(os.Getenv("CGO_LDFLAGS"))...)
	args = append(args, "-lmetalsim", "-lgnustep-base", "-lobjc")
	if out, err := exec.Command("clang", args...).CombinedOutput(); err != nil {
		return p, &buildError{string(out), err}
	}
	out, err := exec.Command("./metallib.sh", "testdata/kernels.metal", "testdata/reverse.metal", "-o", p.metallib).CombinedOutput()
	if err != nil {
		return p, &buildError{string(out), err}
	}
	return p, nil
})

type program struct{ dir, path, metallib string }

type buildError struct {
	out string
	err error
}

func (e *buildError) Error() string { return e.err.Error() + "\n" + e.out }

func TestMain(m *testing.M) {
	code := m.Run()
	if p, _ := driver(); p.dir != "" {
		os.RemoveAll(p.dir)
	}
	os.Exit(code)
}

// drive runs a case and returns what it printed, and how it ended.
func drive(t *testing.T, name string) (string, error) {
	t.Helper()
	p, err := driver()
	require.NoError(t, err)
	out, err := exec.Command(p.path, p.metallib, name).CombinedOutput()
	return string(out), err
}

func TestWorks(t *testing.T) {
	for _, name := range []string{
		"device", "arguments", "positions", "threadgroup memory", "barriers", "blits", "memory without copy",
		"events", "handlers", "counts", "full queue", "source",
	} {
		t.Run(name, func(t *testing.T) {
			out, err := drive(t, name)
			require.NoError(t, err, out)
			require.Equal(t, "ok\n", out)
		})
	}
	for name, want := range map[string]string{
		"compile error": "program_source:3:42: error: use of undeclared identifier 'nothing'",
		"metallib":      "Invalid library file",
	} {
		t.Run(name, func(t *testing.T) {
			out, err := drive(t, name)
			require.NoError(t, err, out)
			require.Contains(t, out, want)
			require.True(t, strings.HasSuffix(out, "ok\n"), out)
		})
	}
}

// What Metal's validation layer refuses raises an exception that nobody catches
// but this driver.
func TestRefuses(t *testing.T) {
	for name, want := range map[string]string{
		"group over 1024 threads":                 "kernel positions: a group of 32 x 33 x 1 threads, over 1024",
		"group over the kernel's threads":         "kernel few: a group of 65 x 1 x 1 threads, over 64",
		"grid of no groups":                       "dispatchThreadgroups: a dimension of 0",
		"buffer not set":                          "kernel few: nothing is bound to buffer 0 (data)",
		"bytes not set":                           "kernel affine: nothing is bound to buffer 1 (p)",
		"threadgroup memory not set":              "kernel poison: no length of threadgroup memory 0 (x)",
		"no pipeline":                             "dispatchThreadgroups without a pipeline",
		"bytes too short for a reference":         "kernel affine: buffer 1 (p) has 4 bytes and needs 8",
		"offset not aligned":                      "offset 8 of buffer 0 (data) is not a multiple of 32",
		"offset past the end":                     "offset 256 of a buffer of 256 bytes",
		"index past the last":                     "index 31 of an argument is not below 31",
		"setBytes over 4096":                      "setBytes takes 1 to 4096 bytes, not 4097",
		"threadgroup memory over 32 KiB":          "threadgroup memory of 32784 bytes, over 32768",
		"threadgroup memory not of 16 bytes":      "threadgroup memory of 24 bytes, not a multiple of 16",
		"threadgroup memory over 32 KiB in all":   "kernel two_memories: threadgroup memory of 32784 bytes, over 32768",
		"threadgroup memory declared over 32 KiB": "error: Threadgroup memory size (32772) exceeds",
		"commit twice":                            "commit on a command buffer that was committed",
		"commit with an open encoder":             "commit while an encoder of the command buffer has not ended",
		"two encoders at once":                    "blitCommandEncoder while an encoder of the command buffer has not ended",
		"encode after commit":                     "computeCommandEncoder on a command buffer that was committed",
		"use after endEncoding":                   "setBuffer on an encoder that has ended",
		"endEncoding twice":                       "endEncoding on an encoder that has ended",
		"encoder released without endEncoding":    "a command encoder was released without endEncoding",
		"handler after commit":                    "a handler is added to a command buffer that was committed",
		"wait without commit":                     "a wait for a command buffer that was not committed",
		"buffer of no bytes":                      "a buffer of no bytes",
		"managed buffer":                          "storage mode 1 of a buffer",
		"unaligned memory without copy":           "takes whole pages, not 4096 bytes at",
		"fill past the end":                       "fillBuffer: bytes 200 to 257 of a buffer of 256",
		"copy past the end":                       "copyFromBuffer: bytes 192 to 257 of a buffer of 256",
	} {
		t.Run(name, func(t *testing.T) {
			out, err := drive(t, name)
			require.Contains(t, out, want)
			require.NotContains(t, out, "ok\n")
			if name == "encoder released without endEncoding" {
				require.Error(t, err, "the process goes on")
			} else {
				require.NoError(t, err, out)
			}
		})
	}
}

// What goes wrong on the GPU is the error of a command buffer. The codes are
// those of MTLCommandBufferError.
func TestFaults(t *testing.T) {
	const pageFault = "error 3: Caused GPU Address Fault Error (simulator: kernel "
	for name, want := range map[string]string{
		"a thread returns before a barrier":     "error 1: Internal Error (simulator: kernel some_return: non-uniform barrier: thread (",
		"threads at two barriers":               "wait at different ones",
		"threads at one barrier with two flags": "wait at different ones",
		"loops with barriers of two lengths":    "has returned",
		"division by zero":                      "kernel divide: division by zero in thread (",
		"stack overflow":                        "error 12: Stack Overflow (simulator: kernel recurse",
		"read past a buffer":                    pageFault + "touch: read of byte 256 of buffer 0 (data), which has 256",
		"write past a buffer":                   pageFault + "touch: write of byte 256 of buffer 0 (data), which has 256",
		"write past a buffer of whole pages":    pageFault + "touch: write of byte 8192 of buffer 0 (data), which has 8192",
		"write past a buffer of 20 bytes":       pageFault + "touch: write beside buffer 0 (data), which has 20 bytes",
		"write before a buffer":                 pageFault + "touch: write beside buffer 0 (data), which has 256 bytes",
		"read before a buffer of whole pages":   pageFault + "touch: read of byte -4 of buffer 0 (data)",
		"write far from a buffer":               pageFault + "touch: write of an address outside of every argument",
		"write past threadgroup memory":         pageFault + "touch_memory: write of byte 64 of threadgroup memory 0 (x), which has 64",
		"read past the bytes of setBytes":       pageFault + "touch_params: read of byte 16 of buffer 1 (p), bytes of which there are 16",
		"use of a deallocated buffer":           "of buffer 0 (data), which was deallocated in thread",
		"the rest of a command buffer":          "division by zero",
		"a timeout that was asked for":          "error 2: Caused GPU Timeout Error (simulator: a fault that a test asked for)",
		"a removed device that was asked for":   "error 11: Device Removed",
	} {
		t.Run(name, func(t *testing.T) {
			out, err := drive(t, name)
			require.NoError(t, err, out)
			require.Contains(t, out, want)
			require.True(t, strings.HasSuffix(out, "ok\n"), out)
		})
	}
	t.Run("objects that are nil", func(t *testing.T) {
		out, err := drive(t, "objects that are nil")
		require.NoError(t, err, out)
		require.Equal(t, "ok\n", out)
	})
	t.Run("a crash of the host", func(t *testing.T) {
		_, err := drive(t, "a crash of the host")
		require.ErrorContains(t, err, "segmentation fault", "the simulator took a signal that was not its own")
	})
}
