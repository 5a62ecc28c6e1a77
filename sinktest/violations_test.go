package sinktest

import (
	"testing"

	"github.com/sendoff-go/outbox/internal/complaints"
)

// violations runs a law on a subject and returns what the law complains about.
func violations(t testing.TB, law Law, open Open) []string {
	return complaints.Of(t, func(t testing.TB) { law.Check(t, open(t).withDefaults(t)) })
}
