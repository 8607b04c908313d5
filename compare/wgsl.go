package main

import (
	"context"
	"fmt"

	"github.com/crosspoint-kernels/crosspoint/backends"
)

// wgslGroup compares the wgsl backend, end to end, with lattigo on one thread,
// with the plain kernel on the same device, and with itself at other sizes.
func wgslGroup() ([]pair, func(), error) {
	b, err := backends.Open("wgsl", backends.Options{AllowSoftware: true})
	if err != nil {
		return nil, nil, err
	}
	plan, rival, err := both(b, "pulsar")
	if err != nil {
		return nil, nil, err
	}
	const rows, most = 4096, 65536
	r := plan.Ring()
	src := random(most*r.N(), r.Q())
	part := src[:rows*r.N()]
	p, err := newPlain(r, rows)
	if err != nil {
		return nil, nil, err
	}
	device := b.Info().Device
	if b.Info().Software {
		device += ", software"
	}
	label := func(op string, n int) string { return fmt.Sprintf("ntt %s, pulsar, n = %d (%s)", op, n, device) }
	plainSide := side{"plain kernel", rows, func(ctx context.Context) error {
		return p.forward(ctx, part)
	}, func() []byte { return bytesOf(p.dst) }}
	atRows := planUnary(plan.Forward, part, rows)
	atRows.name = fmt.Sprintf("ours, n = %d", rows)
	one := rival.unary(rival.ring.NTT, src[:r.N()])
	pairs := []pair{
		{label("forward", rows), planUnary(plan.Forward, part, rows), rival.unary(rival.ring.NTT, part)},
		{label("inverse", rows), planUnary(plan.Inverse, part, rows), rival.unary(rival.ring.INTT, part)},
		{label("forward", rows), planUnary(plan.Forward, part, rows), plainSide},
		{label("forward", 1), planUnary(plan.Forward, src[:r.N()], 1), one},
		{label("forward", most), planUnary(plan.Forward, src, most), atRows},
	}
	return pairs, func() { p.device.Close(); plan.Close(); b.Close() }, nil
}
