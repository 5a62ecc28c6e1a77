package outbox_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func TestIDsAreULIDsThatIncrease(t *testing.T) {
	last := ""
	for range 10_000 {
		id := outbox.NewID()
		if _, err := ulid.ParseStrict(id); err != nil {
			t.Fatalf("%q: %v", id, err)
		}
		if id <= last {
			t.Fatalf("%s after %s", id, last)
		}
		last = id
	}
}

func TestIDsIncreaseWhenTheClockStepsBack(t *testing.T) {
	before := outbox.NewID()
	synctest.Test(t, func(t *testing.T) { // its clock starts in the year 2000
		if after := outbox.NewID(); after <= before {
			t.Errorf("%s after %s, at %s", after, before, time.Now())
		}
	})
}

func TestIDsAreDistinctAcrossGoroutines(t *testing.T) {
	const workers, each = 8, 2000
	all := make([][]string, workers)
	var wg sync.WaitGroup
	for i := range all {
		wg.Go(func() {
			for range each {
				all[i] = append(all[i], outbox.NewID())
			}
		})
	}
	wg.Wait()
	seen := map[string]bool{}
	for _, ids := range all {
		if !slices.IsSorted(ids) {
			t.Error("ids of one goroutine are not in order")
		}
		for _, id := range ids {
			seen[id] = true
		}
	}
	if len(seen) != workers*each {
		t.Errorf("%d distinct ids, expected %d", len(seen), workers*each)
	}
}

func TestOwnersAreDistinctAndFitTheirColumn(t *testing.T) {
	a, b := driver.NewOwner("relay"), driver.NewOwner("relay")
	if a == b {
		t.Errorf("two lives of one relay are both %s", a)
	}
	name, random, _ := strings.Cut(string(a), "/")
	if name != "relay" || len(random) != 32 {
		t.Errorf("owner %q, expected the name, a slash and 128 bits in hex", a)
	}
	for _, name := range []string{strings.Repeat("x", 200), strings.Repeat("語", 100), "", "a/b"} {
		if o := driver.NewOwner(name); len(o) > 128 || strings.ToValidUTF8(string(o), "") != string(o) {
			t.Errorf("owner %q has %d bytes, or a character cut in half", o, len(o))
		}
	}
}
