package metal

const (
	// KeccakRate is the length of a block in bytes.
	KeccakRate = 136
	// KeccakMaxBlocks bounds the blocks of a message that one dispatch absorbs. A
	// thread does them one after another, and the driver stops a command buffer
	// that takes seconds.
	KeccakMaxBlocks = 1024
	// KeccakHead and KeccakTail are how much memory goes before the first message
	// in data, where messages have a prefix, and after the last one. Kernels read
	// it and make no use of what it holds.
	KeccakHead = 4
	KeccakTail = 140
)

// hashGroup is HASH_GROUP of keccak.metal.
const hashGroup = 64

// KeccakProgram holds the kernels of Keccak-256. Messages lie in data, back to
// back and at any byte; digests are 32 bytes each.
//
// The parameters of Hash, of which a thread hashes one message:
//
//	p0  messages
//	p1  the byte of data from which messages count
//	p2  the width of messages: message i begins at byte i*width
//	p3  the index in digests of message 0's
//	p4  256 + a byte that goes before each message, or 0
//	p5  p0, if the messages have any lengths, or 0
//	p6  p0+1, if the 32 bytes after the last message, which begin at a multiple
//	    of 4, are copied to be the next digest, or 0
//
// and its buffers: 0 digests, 1 data, 2 places. Where p5 is set, places holds the
// numbers of the p0 messages, each once, in an order in which neighbours have
// equally many blocks if possible, and then the p0+1 offsets of the messages and
// of their end: message i is at p1 + offset i. It is not read otherwise.
//
// The parameters of Stream, whose one thread absorbs a piece of a message:
//
//	p0  bytes of the piece
//	p1  1, if the message goes on after it: the piece, with the byte of p4, is
//	    whole blocks then; or 0
//	p2  the byte of data at which it begins
//	p3  the index in digests of the message's. The state takes its place, and that
//	    of the six digests after it, until the message ends, and spoils those
//	p4  256 + a byte that goes before the piece, or 0
//	p5  0, if the message begins with the piece, or 2^32-1
//
// and its buffers: 0 digests, 1 data.
type KeccakProgram struct {
	Hash, Stream Kernel
}

// Keccak returns the program of Keccak-256.
func Keccak() *KeccakProgram {
	return &KeccakProgram{
		Hash: Kernel{
			Name: "keccak_hash", Text: Source(), Entry: "keccak_hash",
			Access: []bool{true, false, false}, GroupSize: hashGroup, PerGroup: hashGroup,
		},
		Stream: Kernel{
			Name: "keccak_stream", Text: Source(), Entry: "keccak_stream",
			Access: []bool{true, false}, GroupSize: 1, PerGroup: 1,
		},
	}
}
