package dialecttest

import (
	"flag"
	"testing"

	"go.uber.org/goleak"
)

// Main runs the tests of a store's package, which must leave no goroutine
// behind. A package tests the same store on several servers, so each of them
// gets a part of the random tests; -rapid.checks asks for more.
func Main(m *testing.M) {
	if f := flag.Lookup("rapid.checks"); f != nil {
		if err := f.Value.Set("30"); err != nil {
			panic(err)
		}
	}
	goleak.VerifyTestMain(m)
}
