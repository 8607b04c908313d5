package gputest

// flaw is a fault that a Fake can have, so that the tests of this package can
// show that the suite notices it.
type flaw int

const (
	none flaw = iota
	writesAtOnce
	clearsNothing
	usesReleased
	takesAnyGroups
	mixesParams
	reversesDispatches
	readsLive
	ignoresContext
)
