package gputest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

var waitChecks = []check{
	{"a context that is over", contextOver},
	{"a context that ends", contextEnds},
	{"writes while the device works", writesInFlight},
	{"writes behind work that is not read", writesBehind},
}

// spinWork makes work that keeps the device busy for about rounds.
func spinWork(r *rig, rounds uint32) (gpu.Work, error) {
	b, err := r.words(groupSize, nil)
	if err != nil {
		return gpu.Work{}, err
	}
	bind, err := r.bound(r.programs.Spin, b)
	if err != nil {
		return gpu.Work{}, err
	}
	return gpu.Work{
		Dispatches: []gpu.Dispatch{{Binding: bind, Params: [gpu.ParamWords]uint32{rounds}, Groups: [3]uint32{4096, 1, 1}}},
		Reads:      []gpu.Range{{Buffer: b, Size: 4 * groupSize}},
	}, nil
}

func expectSpun(p gpu.Pending, rounds uint32) error {
	want := make([]byte, 4*groupSize)
	spin([][]byte{want}, [gpu.ParamWords]uint32{rounds}, [3]uint32{1, 1, 1})
	return compare("the work", p.View(0), groupSize, func(i int) uint32 { return word(want, i) })
}

// contextOver waits for work that is likely not done with a context that is.
func contextOver(r *rig) error {
	const rounds = 300
	w, err := spinWork(r, rounds)
	if err != nil {
		return err
	}
	over, cancel := context.WithCancel(context.Background())
	cancel()
	refused := 0
	for range 5 {
		p, err := r.dev.Submit(w)
		if err != nil {
			return err
		}
		defer p.Release()
		switch err := p.Wait(over); {
		case err == nil: // it was done already
		case errors.Is(err, context.Canceled):
			refused++
			if p.View(0) != nil {
				return errors.New("a view after the context's error")
			}
		default:
			return fmt.Errorf("Wait: %w, want %w", err, context.Canceled)
		}
		if err := p.Wait(context.Background()); err != nil {
			return fmt.Errorf("Wait after the context's error: %w", err)
		}
		if err := expectSpun(p, rounds); err != nil {
			return err
		}
	}
	if refused == 0 {
		return errors.New("no Wait noticed that its context was over")
	}
	return nil
}

// slowEnough is how long work must take for a verdict on what happens during
// it. A device that is too fast for that gets none.
const slowEnough = 60 * time.Millisecond

// calibrate finds a number of rounds that keeps the device busy for slowEnough.
func calibrate(r *rig) (rounds uint32, took time.Duration, err error) {
	for rounds = 4; ; rounds *= 4 {
		w, err := spinWork(r, rounds)
		if err != nil {
			return 0, 0, err
		}
		start := time.Now()
		if err := r.do(w, nil); err != nil {
			return 0, 0, err
		}
		took = time.Since(start)
		if took >= slowEnough || rounds >= 1<<16 {
			return rounds, took, nil
		}
	}
}

// verdict is what one try of a check that depends on time says.
type verdict int

const (
	unclear verdict = iota
	good
	bad
)

// maxTries bounds how often such a check is tried: a host that is busy with other
// things may spoil a try, but hardly most of them.
const maxTries = 5

// mostly tries until most of maxTries have the same verdict, and returns it, or
// else that of the more.
func mostly(try func() (verdict, error)) (verdict, error) {
	var count [bad + 1]int
	for range maxTries {
		v, err := try()
		if err != nil {
			return unclear, err
		}
		if count[v]++; count[v] > maxTries/2 {
			return v, nil
		}
	}
	if count[bad] > count[good] {
		return bad, nil
	}
	return good, nil
}

// contextEnds cancels a Wait that is under way.
func contextEnds(r *rig) error {
	rounds, took, err := calibrate(r)
	if err != nil {
		return err
	}
	w, err := spinWork(r, rounds)
	if err != nil {
		return err
	}
	v, err := mostly(func() (verdict, error) {
		p, err := r.dev.Submit(w)
		if err != nil {
			return unclear, err
		}
		defer p.Release()
		v, err := endDuring(p, took)
		if err != nil {
			return v, err
		}
		if err := p.Wait(context.Background()); err != nil {
			return v, fmt.Errorf("Wait after the context's error: %w", err)
		}
		return v, expectSpun(p, rounds)
	})
	if err == nil && v == bad {
		return fmt.Errorf("Wait did not notice that its context ended after %v of %v", took/10, took)
	}
	return err
}

// endDuring waits for work that takes so long, with a context that ends much
// earlier, and says whether Wait noticed.
func endDuring(p gpu.Pending, took time.Duration) (verdict, error) {
	ctx, cancel := context.WithTimeout(context.Background(), took/10)
	defer cancel()
	start := time.Now()
	err := p.Wait(ctx)
	passed := time.Since(start)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return good, nil
	case err != nil:
		return unclear, fmt.Errorf("Wait: %w, want %w", err, context.DeadlineExceeded)
	case took >= slowEnough && passed > took/2:
		return bad, nil
	}
	return unclear, nil // it took less than it used to
}

// writesInFlight writes while the device works, which must not wait for it: a
// caller packs one part of its data while the device computes another.
func writesInFlight(r *rig) error {
	rounds, took, err := calibrate(r)
	if err != nil {
		return err
	}
	w, err := spinWork(r, rounds)
	if err != nil {
		return err
	}
	b, err := r.words(1<<16, nil)
	if err != nil {
		return err
	}
	var data [3][]byte
	for k := range data {
		data[k] = pack(1<<16, func(i int) uint32 { return uint32(i + k) })
	}
	over, cancel := context.WithCancel(context.Background())
	cancel()
	v, err := mostly(func() (verdict, error) {
		busy, err := r.dev.Submit(w)
		if err != nil {
			return unclear, err
		}
		defer busy.Release()
		for _, p := range data {
			if err := b.Write(0, p); err != nil {
				return unclear, err
			}
		}
		v := good
		if err := busy.Wait(over); err == nil {
			v = unclear
			if took >= slowEnough {
				v = bad
			}
		}
		return v, r.expect("written meanwhile", b, func(i int) uint32 { return uint32(i + 2) })
	})
	if err == nil && v == bad {
		return errors.New("Write waited for what was submitted before")
	}
	return err
}

// writesBehind writes over, and clears, what work is about to store: work that
// nothing is read of, so that only its dispatches say which buffers it uses.
func writesBehind(r *rig) error {
	const rounds = 200
	w, err := spinWork(r, rounds)
	if err != nil {
		return err
	}
	b := w.Reads[0].Buffer
	w.Reads = nil
	for what, wipe := range map[string]func() error{
		"write": func() error { return b.Write(0, pack(groupSize, func(i int) uint32 { return 7 * uint32(i) })) },
		"clear": b.Clear,
	} {
		p, err := r.dev.Submit(w)
		if err != nil {
			return err
		}
		p.Release()
		if err := wipe(); err != nil {
			return err
		}
		err = r.expect(what+" behind work", b, func(i int) uint32 {
			if what == "clear" {
				return 0
			}
			return 7 * uint32(i)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
