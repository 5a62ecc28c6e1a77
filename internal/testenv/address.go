package testenv

import "testing"

// Address returns an address of the loopback interface that nobody listens at. Until
// the test ends the system gives its port to nobody who asks for any: it is there for
// the test to listen at, or refuses connections for as long as the test does not.
func Address(t testing.TB) string {
	t.Helper()
	address, release, err := Reserve()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(release)
	return address
}
