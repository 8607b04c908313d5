package blocksuite

// Progress receives what is done next ("" at the end) and how much is done. It is
// called between measurements, never during one; nil is nobody.
type Progress func(next string, done, total int)

func (p Progress) tell(next string, done, total int) {
	if p != nil {
		p(next, done, total)
	}
}
