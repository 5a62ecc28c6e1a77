package storetest

import (
	"testing"
)

func randomLaw[Tx, OracleTx any](oracle Open[OracleTx]) Law[Tx] {
	return Law[Tx]{
		Name:    "at random, the store answers as the model does",
		Why:     "the laws above are the cases somebody thought of",
		Applies: func(s Subject[Tx]) bool { return s.Expire != nil },
		Check:   func(t testing.TB, s Subject[Tx]) {},
	}
}
