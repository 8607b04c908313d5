package wgsl

import (
	"fmt"
	"math/bits"
	"strings"
)

// maxRadixBits bounds the stages of a pass: 16 values of four words in registers.
const maxRadixBits = 4

// groupTarget is the size of a workgroup as far as one row does not need more.
const groupTarget = 64

// A pass is a run of stages over values that one invocation holds in registers:
// elements at distance stride, radix of them, in each of blocks blocks. Between
// two passes the values are exchanged through the data buffer.
type pass struct {
	bits   int // stages: radix = 1<<bits
	stride int
	blocks int // N / (radix*stride)
}

func (p pass) radix() int { return 1 << p.bits }

// A schedule is the passes of the forward transform in order; the inverse runs
// them backwards.
//
// A team of invocations transforms as many rows as a vector has lanes. In a pass
// with a stride the lanes of a register are adjacent elements of one row; in the
// last pass, where an invocation holds adjacent elements anyway, they are the
// same element of each row. So a team always moves whole vec4s, and a twiddle
// factor that was loaded serves every lane.
type schedule struct {
	n, lanes int
	passes   []pass
	team     int // invocations of a team
	teams    int // teams of a workgroup
}

func newSchedule(n, lanes int) schedule {
	logN := bits.TrailingZeros(uint(n))
	count := (logN + maxRadixBits - 1) / maxRadixBits
	s := schedule{n: n, lanes: lanes}
	left := logN
	for i := count; i > 0; i-- {
		b := (left + i - 1) / i // the larger ones first
		left -= b
		s.passes = append(s.passes, pass{bits: b, stride: 1 << left, blocks: n >> (left + b)})
	}
	s.team = n / s.passes[0].radix()
	s.teams = max(1, groupTarget/s.team)
	return s
}

// rowVectors is the number of vec4s of a row.
func (s schedule) rowVectors() int { return s.n / s.lanes }

// items is how many times an invocation runs a pass.
func (s schedule) items(p pass) int { return s.n / p.radix() / s.team }

// header returns the bindings and parameters of a transform.
func (s schedule) header() string {
	return `@group(0) @binding(0) var<storage, read_write> data: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read> table: array<vec4<u32>>;
` + paramsText(2)
}

// entry returns the entry point that runs the passes named, with a barrier
// between two: a team's rows are its own.
func (s schedule) entry(name string, passes []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `@compute @workgroup_size(%d)
fn %s(%s) {
  let first = (%s * %du + local / %du) * %du; // row of this team
  let i = local %% %du;
`, s.team*s.teams, name, builtins, groupIndex, s.teams, s.team, s.lanes, s.team)
	for i, p := range passes {
		if i > 0 {
			b.WriteString("  storageBarrier();\n")
		}
		fmt.Fprintf(&b, "  %s(first, i);\n", p)
	}
	b.WriteString("}\n")
	return b.String()
}

// builtins and groupIndex are the parameters of every entry point and the index
// of its workgroup in a grid of two dimensions.
const (
	builtins   = "@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) grid: vec3<u32>, @builtin(local_invocation_index) local: u32"
	groupIndex = "(group.x + group.y * grid.x)"
)

func paramsText(binding int) string {
	return fmt.Sprintf(`struct Params { p0: u32, p1: u32, p2: u32, p3: u32, p4: u32, p5: u32, p6: u32, p7: u32 }
@group(0) @binding(%d) var<uniform> params: Params;
`, binding)
}
