package storetest

import (
	"testing"

	"github.com/sendoff-go/outbox/internal/complaints"
)

// violations runs a law on a subject and returns what the law complains about.
func violations[Tx any](t testing.TB, law Law[Tx], open Open[Tx]) []string {
	return complaints.Of(t, func(t testing.TB) { law.Check(t, open(t).withDefaults()) })
}
