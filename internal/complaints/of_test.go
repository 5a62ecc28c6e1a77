package complaints_test

import (
	"slices"
	"testing"

	"github.com/sendoff-go/outbox/internal/complaints"
)

func TestATestIsRunToItsEndAndItsComplaintsAreTold(t *testing.T) {
	var cleaned []int
	got := complaints.Of(t, func(t testing.TB) {
		t.Cleanup(func() { cleaned = append(cleaned, 1) })
		t.Cleanup(func() { cleaned = append(cleaned, 2) })
		if t.Failed() {
			t.Error("it failed before it complained")
		}
		t.Errorf("one of %d", 3)
		t.Error("two")
		if t.Failed() {
			t.Fatal("three")
		}
		t.Error("never reached")
	})
	if want := []string{"one of 3", "two", "three"}; !slices.Equal(got, want) || !slices.Equal(cleaned, []int{2, 1}) {
		t.Errorf("complaints %q, cleanups %v", got, cleaned)
	}
	if got := complaints.Of(t, func(testing.TB) {}); len(got) != 0 {
		t.Errorf("complaints %q of a test that passes", got)
	}
}
