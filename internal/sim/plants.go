package sim

import "slices"

// Plant is a defect that is put into the code, to test that the simulation
// finds it.
type Plant struct {
	Name string
	// What the relay, or the claim, then does wrong.
	Wrong string
	Edits []Edit
}

// Edit replaces Old, which must occur once in a file of the module, by New.
type Edit struct{ File, Old, New string }

const (
	coreDir = "relay/core/"
	memDir  = "store/memstore/"
)

// Plants are all of them. Each edit stands for a mistake that somebody could make, or
// once made.
var Plants = slices.Concat(ruleless, earlier, careless)

// Seeds are of schedules that find what few find. They are played first; after a
// change of the code they may find nothing, and others do.
var Seeds = map[string]uint64{
	"defect 4b": 3873, "defect 10": 1516, "rest, what runs": 547, "outages": 407, "law 8, the hot queue": 314,
	"pause 1": 179, "rest, what waits": 147, "rule 6, taken by id": 142,
}
