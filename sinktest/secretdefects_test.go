package sinktest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox"
)

const hidingLaw = "no answer shows what the name of its destination hides"

func secretDefects() []defect {
	// telling adds the destination to some answers.
	telling := func(some func(m outbox.Message, err error) bool) func(*fake) {
		return answering(func(_ int, m outbox.Message, err error) error {
			if err != nil && some(m, err) {
				return fmt.Errorf("%w: %q", err, m.Destination)
			}
			return err
		})
	}
	lacks := func(text string) func(outbox.Message, error) bool {
		return func(m outbox.Message, _ error) bool { return !strings.Contains(m.Destination, text) }
	}
	return []defect{
		{"a wrong destination is told with its password", hidingLaw,
			telling(func(_ outbox.Message, err error) bool { return !outbox.IsUnavailable(err) })},
		{"one that cannot be a name is told with its password", hidingLaw,
			telling(func(m outbox.Message, _ error) bool { return strings.Contains(m.Destination, " ") })},
		{"one that is too long is told with its password", hidingLaw,
			telling(func(m outbox.Message, _ error) bool { return len(m.Destination) > 255 })},
		{"one without a scheme is told with its password", hidingLaw, telling(lacks("://"))},
		{"an outage is told with the password of its destination", hidingLaw,
			telling(func(_ outbox.Message, err error) bool { return outbox.IsUnavailable(err) })},
		{"a check tells the passwords of what could not be reached", hidingLaw, func(f *fake) {
			var failed []string
			f.answer = func(_ int, m outbox.Message, err error) error {
				if outbox.IsUnavailable(err) {
					failed = append(failed, m.Destination)
				}
				return err
			}
			f.check = func(context.Context) error { return errors.New("no answer from " + strings.Join(failed, ", ")) }
		}},
	}
}

func TestADestinationThatIsAURLIsTheOneWithTheSecrets(t *testing.T) {
	all, secrets := secretDestinations(Subject{Unroutable: "http://me:p4ss@127.0.0.1:1/hook?token=4711"})
	if !slices.Equal(secrets, []string{"hook", "token=4711", "me", "p4ss"}) || !slices.Contains(all, "http://me:p4ss@127.0.0.1:1/hook *?token=4711") {
		t.Errorf("got %q of %q", secrets, all)
	}
}
