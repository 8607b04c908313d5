package suite

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/crosspoint-kernels/crosspoint/backends"
	"github.com/crosspoint-kernels/crosspoint/internal/report"
	"github.com/crosspoint-kernels/crosspoint/ntt"
)

// HotPathRing is the ring of the hot path.
const HotPathRing = "pulsar"

// HotPathWork is the progress that a hot path over these signers makes.
func HotPathWork(signers []int) int {
	return Work(signers, PaperTransforms) + Work(signers, Round1Transforms)
}

// HotPath measures what a Pulsar signature asks of the transform, with k
// signatures in flight for each k of signers (strictly increasing from 1 or
// more), and from which k each device pays. It has two readings: the paper's
// count of 2,688 forward transforms end to end, and what one party of Ringtail's
// Round 1 really does, as one chain on resident rows. Results and errors are
// those of Sweep.
func HotPath(ctx context.Context, cs []Contestant, signers []int, m Measuring) (*Result, error) {
	ring, err := ntt.Parse(HotPathRing)
	if err != nil {
		return &Result{}, err
	}
	if err := checkSizes(ring, Forward, signers, PaperTransforms); err != nil {
		return &Result{}, err
	}
	d := newData(ring, Forward, signers[len(signers)-1]*PaperTransforms, m.Seed)
	out := &Result{}
	h := &hotPath{Measuring: m, signers: signers, total: HotPathWork(signers)}
	for _, rd := range []reading{
		{report.ReadingPaper, paper{endToEnd{d}}, PaperTransforms, Forward.kinds(false)},
		{report.ReadingRound1, newRound1(d), Round1Transforms,
			[]backends.Kind{backends.NTT, backends.Pointwise, backends.Resident}},
	} {
		r, err := h.read(ctx, ring, cs, rd)
		out.Add(r)
		if err != nil || r.Partial {
			return out, err
		}
	}
	h.progress("", h.total, h.total)
	return out, nil
}

// paper is the paper's reading: a signature is 2,688 forward transforms.
type paper struct{ endToEnd }

func (w paper) trial(ctx context.Context, e *entrant, k int) (trial, error) {
	return w.endToEnd.trial(ctx, e, k*PaperTransforms)
}

// A reading is one way to count the work of a signature.
type reading struct {
	name  string
	work  workload
	rows  int // transformed per signature
	kinds []backends.Kind
}

type hotPath struct {
	Measuring
	signers     []int
	done, total int
}

// read measures one reading and judges it.
func (h *hotPath) read(ctx context.Context, ring *ntt.Ring, cs []Contestant, rd reading) (*Result, error) {
	var es []*entrant
	for _, c := range cs {
		e := enter(c, ring, rd.kinds...)
		defer e.close()
		es = append(es, e)
	}
	r := &Result{}
	cells, err := h.measure(ctx, es, rd)
	if !errors.Is(err, ErrMismatch) {
		err = cmp.Or(err, h.judge(ctx, es, rd, cells, r))
	}
	r.HotPath = rd.entries(cells)
	r.failures(cells)
	return r, r.partial(ctx, err)
}

func (h *hotPath) measure(ctx context.Context, es []*entrant, rd reading) ([]cell, error) {
	var cells []cell
	for _, k := range h.signers {
		h.progress(fmt.Sprintf("hot path (%s) k = %d", rd.name, k), h.done, h.total)
		cs, err := h.race(ctx, rd.work, es, k)
		if err != nil {
			return cells, err
		}
		cells = append(cells, cs...)
		h.done += work(k * rd.rows)
	}
	return cells, nil
}

// judge says from how many signatures on each pays.
func (h *hotPath) judge(ctx context.Context, es []*entrant, rd reading, cells []cell, r *Result) error {
	for _, p := range pairs(es, cells) {
		h.progress(fmt.Sprintf("from when %s pays against %s", p.sub.Name, p.ref.Name), h.done, h.total)
		found, extra, err := h.crossover(ctx, rd.work, p, cells)
		r.ExtraHotPath = append(r.ExtraHotPath, rd.entries(extra)...)
		r.failures(extra)
		if err != nil {
			return err
		}
		if found.UpTo == 0 {
			continue // no k has both times
		}
		c := asReport(p, found)
		c.Op, c.Resident = report.HotPathOp(rd.name), rd.name == report.ReadingRound1
		c.Params = map[string]string{"ring": HotPathRing}
		r.Crossovers = append(r.Crossovers, c)
	}
	return ctx.Err()
}

// entries states cells in the terms of a report. Only Round 1 is a known part of a
// signature, so only it has a share.
func (rd reading) entries(cells []cell) []report.HotPath {
	var rows []report.HotPath
	for _, c := range cells {
		h := report.HotPath{
			Reading: rd.name, Backend: c.Name, Device: c.Info.Device, Software: c.Info.Software, Signers: c.n,
		}
		if c.err != nil {
			h.Error = c.err.Error()
		} else {
			h.Ns, h.Lo, h.Hi = c.stats.Median, c.stats.Lo, c.stats.Hi
			h.Samples, h.Verified = c.stats.N, true
			if rd.name == report.ReadingRound1 {
				h.Share = Round1Profile().Share(h.Ns / float64(c.n))
			}
		}
		rows = append(rows, h)
	}
	return rows
}
