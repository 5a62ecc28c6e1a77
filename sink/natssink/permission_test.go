package natssink

import (
	"errors"
	"fmt"
	"testing"

	"github.com/nats-io/nats.go"
)

func TestAMissingPermissionNamesItsSubjectWithoutSecrets(t *testing.T) {
	for subject, want := range map[string]string{
		"orders.placed":           "orders.placed",
		"https://me:p4ss@host/x":  "https://*****@host/*****",
		`https://h/p4ss" and "x"`: "https://h/*****",
	} {
		err := shownPermission(fmt.Errorf(`%w: Permissions Violation for Publish to "%s"`, nats.ErrPermissionViolation, subject))
		if got := err.Error(); got != `nats: permissions violation: Permissions Violation for Publish to "`+want+`"` || !errors.Is(err, nats.ErrPermissionViolation) {
			t.Errorf("%s is shown as %s", subject, got)
		}
	}
	if err := shownPermission(nats.ErrTimeout); !errors.Is(err, nats.ErrTimeout) || err.Error() != nats.ErrTimeout.Error() {
		t.Errorf("another error became %v", err)
	}
}
