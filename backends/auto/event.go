package auto

import (
	"fmt"
	"sync"
	"time"
)

// EventKind says what happened to a backend.
type EventKind string

// The kinds of event.
const (
	// Unavailable: a driver opened nothing, or its device failed the self-test.
	Unavailable EventKind = "unavailable"
	// Unsupported: a backend has no plan for a ring, or no Hasher, and is left out there.
	Unsupported EventKind = "unsupported"
	// Lost: a device was lost, and is left out from then on. The call was resumed on a CPU.
	Lost EventKind = "lost"
	// Failed: a device failed a call, which was resumed on a CPU, and goes on with
	// others: smaller ones where it had no memory, other operations else.
	Failed EventKind = "failed"
	// RowsLost: a device was lost with the rows of a Batch, which nothing brings back.
	RowsLost EventKind = "rows lost"
)

// Event is something that a caller of one backend would have got as an error.
type Event struct {
	When    time.Time
	Backend string // as registered
	Kind    EventKind
	Op      string // what was being done: "open", "plan", "forward", ...
	Rows    int    // of the call
	Done    int    // rows that the backend had finished when it failed
	Err     error  // as the backend gave it
}

func (e Event) String() string {
	if e.Rows > 0 {
		return fmt.Sprintf("%s %s: %s after %d of %d rows: %v", e.Backend, e.Kind, e.Op, e.Done, e.Rows, e.Err)
	}
	return fmt.Sprintf("%s %s: %s: %v", e.Backend, e.Kind, e.Op, e.Err)
}

// keptEvents is how many events Events returns at most: the latest.
const keptEvents = 256

// journal keeps the latest events, and hands each on.
type journal struct {
	tell func(Event) // nil: nobody

	mu     sync.Mutex
	events []Event
}

func (j *journal) add(e Event) {
	e.When = time.Now()
	j.mu.Lock()
	if len(j.events) == keptEvents {
		j.events = append(j.events[:0], j.events[1:]...)
	}
	j.events = append(j.events, e)
	j.mu.Unlock()
	if j.tell != nil {
		j.tell(e)
	}
}

func (j *journal) all() []Event {
	j.mu.Lock()
	defer j.mu.Unlock()
	return append([]Event(nil), j.events...)
}
