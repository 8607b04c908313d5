package auto

import (
	"fmt"
	"slices"
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
	// Times is how often it happened up to now; When, Rows and Done are of the last time.
	Times int
}

// same reports whether e tells what x does but for its numbers.
func (e *Event) same(x *Event) bool {
	return e.Backend == x.Backend && e.Kind == x.Kind && e.Op == x.Op && cause(e.Err) == cause(x.Err)
}

// cause is what an error says besides the rows that were done.
func cause(err error) string { return fmt.Sprint(inner(err)) }

func (e Event) String() string {
	if e.Rows > 0 {
		return fmt.Sprintf("%s %s: %s after %d of %d rows: %v", e.Backend, e.Kind, e.Op, e.Done, e.Rows, e.Err)
	}
	return fmt.Sprintf("%s %s: %s: %v", e.Backend, e.Kind, e.Op, e.Err)
}

// keptEvents is how many events Events returns at most: the latest.
const keptEvents = 256

// journal keeps the latest events, and hands each on. One that comes again takes the
// place of its forerunner, so that a device that is full at each call does not push out
// the loss of another.
type journal struct {
	tell func(Event) // nil: nobody

	mu     sync.Mutex
	events []Event
}

func (j *journal) add(e Event) {
	e.When = time.Now()
	j.mu.Lock()
	e.Times = 1
	if i := slices.IndexFunc(j.events, func(x Event) bool { return x.same(&e) }); i >= 0 {
		e.Times += j.events[i].Times
		j.events = slices.Delete(j.events, i, i+1)
	} else if len(j.events) == keptEvents {
		j.events = slices.Delete(j.events, 0, 1)
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
	return slices.Clone(j.events)
}
