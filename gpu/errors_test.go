package gpu

import (
	"errors"
	"testing"
)

func TestError(t *testing.T) {
	err := error(&Error{Op: "write", Err: ErrLost})
	if got, want := err.Error(), "gpu: write: device lost"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	err = &Error{Op: "write", Detail: "by the driver", Err: ErrLost}
	if got, want := err.Error(), "gpu: write: device lost: by the driver"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if !errors.Is(err, ErrLost) || errors.Is(err, ErrMemory) {
		t.Error("the error is not of the kind that it wraps")
	}
}
