package auto

import "math"

const (
	// splitFrom is the least time of a call that may be split, in ns. To hand a part
	// to another goroutine and to wait for it costs tens of µs where it has to wake.
	splitFrom = 200e3
	// splitLeast is the least part of the rows that is worth it.
	splitLeast = 1.0 / 32
	// round is the time that a split call takes between two looks at its context, in
	// ns. Shorter rounds would cost a device its overlap of chunks.
	round = 50e6
)

// A split is what was observed of the calls that a device shared with the CPU: they
// take longer than the slower part alone would, since the host packs and copies for
// the device while its threads compute.
type split struct {
	factor [knots]float64 // the time over what the curves say; 0: never seen
	made   [knots]float64 // those that the decision was made of
	part   [knots]float64 // of the rows, that the device gets; 0: what the curves say
	model  [knots]float64 // what they say
}

// modelSplits finds the parts that the curves say finish together.
func (r *route) modelSplits() {
	for d, m := range r.b.members {
		if r.whole || !m.device() || m.info.Software {
			continue
		}
		for k := range knots {
			n := 1 << k
			r.splits[d].model[k] = 0
			if c := r.cpu(n); c >= 0 && r.able(d, n) {
				host, device := &r.curves[c], &r.curves[d]
				// The CPU's time falls with the rows of the device, and the device's grows.
				rows := last(0, n, func(k int) bool { return k == 0 || device.at(k) < host.at(n-k) })
				r.splits[d].model[k] = float64(rows) / float64(n)
			}
		}
	}
}

// share is how many of n rows device d gets, 0 where a split is not worth it.
func (r *route) share(d, n int) int {
	k := knot(n)
	x := r.splits[d].part[k]
	if x == 0 {
		x = r.splits[d].model[k]
	}
	if x < splitLeast || x > 1-splitLeast {
		return 0
	}
	return min(max(1, int(math.Round(x*float64(n)))), n-1)
}

// expectSplit is the time of n rows between device d and the CPU, +Inf where that
// cannot be chosen.
func (r *route) expectSplit(d, n int) float64 {
	m := r.b.members[d]
	if r.whole || r.b.opts.NoSplit || n < 2 || !m.device() || m.info.Software || !r.able(d, n) {
		return math.Inf(1)
	}
	k := r.share(d, n)
	if k == 0 {
		return math.Inf(1)
	}
	return r.slower(d, n, k) * r.splits[d].near(knot(n))
}

// slower is the time of the slower part where the device gets k of n rows.
func (r *route) slower(d, n, k int) float64 {
	return max(r.curves[r.cpu(n)].at(n-k), r.curves[d].at(k))
}

// near is the factor that was seen at the nearest size, 1 for none.
func (s *split) near(k int) float64 {
	for i := range knots {
		for _, j := range [2]int{k - i, k + i} {
			if j >= 0 && j < knots && s.factor[j] != 0 {
				return s.factor[j]
			}
		}
	}
	return 1
}

// observeSplit learns from a call of n rows that took ns, of which the device had k
// and took device ns, and the CPU took cpu ns.
func (r *route) observeSplit(d, n, k int, ns, device, cpu float64) {
	if r.b.opts.frozen {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	s, at := &r.splits[d], knot(n)
	f := ns / r.slower(d, n, k)
	if old := s.factor[at]; old != 0 {
		f = old + (min(max(f, old/outlier), old*outlier)-old)/weighted
	}
	s.factor[at] = f
	if math.Abs(f/s.made[at]-1) > margin { // also where nothing was made of it
		s.made[at], r.moved = f, true
	}
	// Rows that would have taken both parts equally long, half way from what it was.
	cpuRate, deviceRate := float64(n-k)/max(cpu, 1), float64(k)/max(device, 1)
	part := deviceRate / (cpuRate + deviceRate)
	s.part[at] = (part + float64(k)/float64(n)) / 2
	r.judge(n)
}
