package wgpu

import (
	"context"
	"fmt"
	"sort"
	"testing"
	"time"

	"github.com/crosspoint-kernels/crosspoint/gpu"
)

const addText = `
struct Params { a: vec4<u32>, b: vec4<u32> }
@group(0) @binding(0) var<storage, read_write> data: array<u32>;
@group(0) @binding(1) var<uniform> params: Params;
@compute @workgroup_size(64)
fn add(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < params.a.y { data[id.x] = data[id.x] + params.a.x; }
}
`

func TestQuick(t *testing.T) {
	d, err := Open(Options{AllowSoftware: true})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	fmt.Println(d.Info(), fmt.Sprintf("%+v", d.Limits()))
	b, err := d.NewBuffer("x", 2048)
	if err != nil {
		t.Fatal(err)
	}
	k, err := d.NewKernel(gpu.Source{Name: "add", Text: addText, Entry: "add", Access: []gpu.Access{gpu.ReadWrite}, GroupSize: [3]uint32{64, 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	bd, err := d.Bind(k, b)
	if err != nil {
		t.Fatal(err)
	}
	in := make([]byte, 2048)
	in[4] = 3
	var ts, tw, ts2 []time.Duration
	for i := 0; i < 3000; i++ {
		t0 := time.Now()
		b.Write(0, in)
		t1 := time.Now()
		p, err := d.Submit(gpu.Work{Dispatches: []gpu.Dispatch{{Binding: bd, Params: [8]uint32{7, 512}, Groups: [3]uint32{8, 1, 1}}}, Reads: []gpu.Range{{b, 0, 2048}}})
		if err != nil {
			t.Fatal(err)
		}
		t2 := time.Now()
		if err := p.Wait(context.Background()); err != nil {
			t.Fatal(err)
		}
		v := p.View(0)
		if v[0] != 7 || v[4] != 10 || v[2044] != 7 {
			t.Fatal(v[:8])
		}
		p.Release()
		t3 := time.Now()
		ts = append(ts, t3.Sub(t0))
		tw = append(tw, t1.Sub(t0))
		ts2 = append(ts2, t2.Sub(t1))
	}
	for _, s := range [][]time.Duration{ts, tw, ts2} {
		sort.Slice(s, func(i, j int) bool { return s[i] < s[j] })
		fmt.Println(s[0], s[len(s)/4], s[len(s)/2], s[len(s)*9/10], s[len(s)-1])
	}
}
