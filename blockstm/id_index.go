package blockstm

// idIndex finds the record of a key among those of one incarnation. A few are
// searched one by one, more through a hash table. The zero value is empty.
type idIndex struct {
	ids   []int32
	table []int32 // positions in ids plus one; in use if hashed
	hash  bool
}

const idIndexLinear = 16

func (x *idIndex) reset() {
	x.ids = x.ids[:0]
	x.hash = false
}

// find returns the position of id, or -1.
func (x *idIndex) find(id int32) int {
	if !x.hash {
		for i, v := range x.ids {
			if v == id {
				return i
			}
		}
		return -1
	}
	mask := len(x.table) - 1
	for s := idHash(id) & mask; x.table[s] != 0; s = (s + 1) & mask {
		if i := int(x.table[s]) - 1; x.ids[i] == id {
			return i
		}
	}
	return -1
}

// add gives id, which is not in x, position i, which is the number of ids in x.
func (x *idIndex) add(id int32, i int) {
	x.ids = append(x.ids, id)
	if !x.hash && i < idIndexLinear {
		return
	}
	if x.hash && 2*(i+1) <= len(x.table) {
		x.place(id, i)
		return
	}
	size := 4 * idIndexLinear
	for size < 4*(i+1) {
		size *= 2
	}
	if cap(x.table) < size {
		x.table = make([]int32, size)
	} else {
		x.table = x.table[:size]
		clear(x.table)
	}
	x.hash = true
	for i, id := range x.ids {
		x.place(id, i)
	}
}

func (x *idIndex) place(id int32, i int) {
	mask := len(x.table) - 1
	s := idHash(id) & mask
	for x.table[s] != 0 {
		s = (s + 1) & mask
	}
	x.table[s] = int32(i) + 1
}

func idHash(id int32) int { return int(uint32(id) * 0x9e3779b1 >> 4) }
