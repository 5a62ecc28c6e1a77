package failed_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/sendoff-go/outbox/sink/internal/failed"
)

func TestADestinationIsListedUntilItIsReached(t *testing.T) {
	var d failed.Destinations
	if got := d.List(); len(got) != 0 {
		t.Errorf("the zero value has %q", got)
	}
	d.Add("a")
	d.Add("b")
	d.Add("a")
	reached := d.List()
	d.Add("c") // while the check was asking
	d.Remove(reached)
	if got := d.List(); !slices.Equal(got, []string{"c"}) {
		t.Errorf("left are %q, expected c", got)
	}
}

func TestTheNumberOfDestinationsIsBounded(t *testing.T) {
	var d failed.Destinations
	for i := range 1000 {
		d.Add(fmt.Sprint(i))
		if n := len(d.List()); n == 0 || n > 100 {
			t.Fatalf("%d after %d", n, i+1)
		}
	}
	if !slices.Contains(d.List(), "999") {
		t.Error("the last one was forgotten")
	}
}
