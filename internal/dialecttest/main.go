package dialecttest

import (
	"flag"
	"testing"

	"go.uber.org/goleak"
)

// Main runs the tests of a store's package, which must leak no goroutine. The
// same store is tested on several servers or with a slow driver, so 30 random
// tests each are enough, and 10 with -short; -rapid.checks runs more.
func Main(m *testing.M) {
	if f := flag.Lookup("rapid.checks"); f != nil {
		if err := f.Value.Set("30"); err != nil {
			panic(err)
		}
		flag.Parse()
		if testing.Short() && f.Value.String() == "30" {
			if err := f.Value.Set("10"); err != nil {
				panic(err)
			}
		}
	}
	goleak.VerifyTestMain(m)
}
