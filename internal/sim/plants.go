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
