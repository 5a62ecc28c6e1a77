package driver_test

import (
	"errors"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func TestTheOutermostMarkSaysWhetherAnEventWasSent(t *testing.T) {
	lost := driver.Uncertain(io.EOF)
	for name, c := range map[string]struct {
		err               error
		uncertain, unsent bool
	}{
		"no error":               {},
		"no mark":                {err: io.EOF},
		"uncertain":              {err: lost, uncertain: true},
		"wrapped":                {err: fmt.Errorf("a sink: %w", lost), uncertain: true},
		"joined":                 {err: errors.Join(lost, outbox.RetryAfter(time.Second)), uncertain: true},
		"within an outage":       {err: outbox.Unavailable(lost), uncertain: true},
		"around an outage":       {err: driver.Uncertain(outbox.Unavailable(io.EOF)), uncertain: true},
		"behind an uncertain":    {err: driver.NotSent(fmt.Errorf("not sent: %w", lost)), unsent: true},
		"uncertain after all":    {err: driver.Uncertain(driver.NotSent(io.EOF)), uncertain: true},
		"not sent, in an outage": {err: outbox.Unavailable(driver.NotSent(lost)), unsent: true},
	} {
		if driver.IsUncertain(c.err) != c.uncertain || driver.IsNotSent(c.err) != c.unsent {
			t.Errorf("%s: uncertain %t, not sent %t", name, driver.IsUncertain(c.err), driver.IsNotSent(c.err))
		}
	}
}

func TestAMarkChangesNeitherTextNorClass(t *testing.T) {
	for _, mark := range []func(error) error{driver.Uncertain, driver.NotSent} {
		if mark(nil) != nil {
			t.Error("no error became one")
		}
		err := mark(outbox.Unavailable(io.EOF))
		if err.Error() != "EOF" || !errors.Is(err, io.EOF) || !outbox.IsUnavailable(err) || outbox.IsPermanent(err) {
			t.Errorf("%v is another error", err)
		}
		if err = outbox.Permanent(mark(io.EOF)); !outbox.IsPermanent(err) || !errors.Is(err, io.EOF) {
			t.Errorf("%v is another error", err)
		}
	}
}
