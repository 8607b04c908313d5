package report

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSentences(t *testing.T) {
	r := &Report{Machine: Machine{Devices: []Device{{Backend: "wgsl", Software: true}}}}
	c := Crossover{Op: "forward", Params: pulsar(), Backend: "metal", Against: "cpu", UpTo: 4096}
	for _, x := range []struct {
		want   string
		change func(*Crossover)
	}{
		{"metal overtakes cpu at batch 512 [384, 768]", func(c *Crossover) {
			c.Verdict, c.Batch, c.Lo, c.Hi = VerdictFound, ptr(512), 384, 768
		}},
		{"metal overtakes cpu at batch 512", func(c *Crossover) { c.Verdict, c.Batch = VerdictFound, ptr(512) }},
		{"metal overtakes cpu at batch 2 [?, 4]", func(c *Crossover) {
			c.Verdict, c.Batch, c.Hi = VerdictFound, ptr(2), 4
		}},
		{"metal never overtakes cpu up to batch 4096", func(c *Crossover) { c.Verdict = VerdictNever }},
		{"metal beats cpu at every batch size up to 4096", func(c *Crossover) { c.Verdict = VerdictAlways }},
		{"too noisy to say where metal overtakes cpu: cpu won nowhere outright, and at batch 4096 neither does", func(c *Crossover) {
			c.Verdict = VerdictNoise
		}},
		{"metal wins against cpu up to batch 1024; at 4096 neither wins outright", func(c *Crossover) {
			c.Verdict, c.WonTo = VerdictNoise, 1024
		}},
		{"too noisy to say where metal overtakes cpu: cpu still won at batch 64, and at 4096 neither wins outright", func(c *Crossover) {
			c.Verdict, c.Lo = VerdictNoise, 64
		}},
		{"too noisy to say where metal overtakes cpu: metal wins from batch 64 on, and below it cpu nowhere outright", func(c *Crossover) {
			c.Verdict, c.Hi = VerdictNoise, 64
		}},
		{"too noisy to say where metal overtakes cpu: cpu still won at batch 2, metal wins from 64 on", func(c *Crossover) {
			c.Verdict, c.Lo, c.Hi = VerdictFound, 2, 64 // found, but at no batch
		}},
		// Every change of the winner is told, also a single one and one that a table
		// shows in bold above a verdict that is none.
		{"too noisy to say where metal overtakes cpu: cpu still won at batch 256, and at 4096 neither wins outright; " +
			"the winner changes after 4", func(c *Crossover) {
			c.Verdict, c.Lo, c.SignChanges = VerdictNoise, 256, []int{4}
		}},
		{"metal does not stay ahead of cpu, which wins at batch 4096, the largest; the winner changes after 1, 16", func(c *Crossover) {
			c.Verdict, c.Lo, c.SignChanges = VerdictNever, 4096, []int{1, 16}
		}},
		{"metal overtakes cpu at batch 512 [384, 768]; the winner changes after 1, 4, 384", func(c *Crossover) {
			c.Verdict, c.Batch, c.Lo, c.Hi, c.SignChanges = VerdictFound, ptr(512), 384, 768, []int{1, 4, 384}
		}},
		{"metal overtakes cpu at batch 512 [384, 768]", func(c *Crossover) { // the bracket is the change
			c.Verdict, c.Batch, c.Lo, c.Hi, c.SignChanges = VerdictFound, ptr(512), 384, 768, []int{384}
		}},
	} {
		c := c
		x.change(&c)
		require.Equal(t, "ntt forward, pulsar: "+x.want, r.sentence(&c))
	}
	c.Op, c.Verdict, c.WonTo, c.UpTo = HotPathOp(ReadingRound1), VerdictNoise, 32, 64
	require.Equal(t, "hot path, Round 1: metal wins against cpu up to k = 32; at 64 neither wins outright", r.sentence(&c))
	c.WonTo, c.UpTo = 0, 4096
	c.Op, c.Verdict, c.Lo = HotPathOp(ReadingRound1), VerdictNoise, 8
	require.Equal(t, "hot path, Round 1: too noisy to say from how many signatures in flight metal pays against cpu: "+
		"cpu still won at k = 8, and at 4096 neither wins outright", r.sentence(&c))
	c.Verdict, c.SignChanges = VerdictNever, []int{2}
	require.Equal(t, "hot path, Round 1: metal does not go on to pay against cpu, which wins with 4096 signatures in flight, the most; "+
		"the winner changes after 2", r.sentence(&c))
	c.SignChanges = nil
	c.Op, c.Verdict, c.Hi, c.Backend = HotPathOp("other"), VerdictAlways, 1, "wgsl"
	require.Equal(t, "hot path, other: wgsl (software) pays against cpu from 1 signature in flight", r.sentence(&c))
}
