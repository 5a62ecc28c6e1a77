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

const hidingLaw = "no answer shows the secrets of its destination"

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
		{"an error shows the password of a wrong destination", hidingLaw,
			telling(func(_ outbox.Message, err error) bool { return !outbox.IsUnavailable(err) })},
		{"an error shows the password of an invalid name", hidingLaw,
			telling(func(m outbox.Message, _ error) bool { return strings.Contains(m.Destination, " ") })},
		{"an error shows the password of a name that is too long", hidingLaw,
			telling(func(m outbox.Message, _ error) bool { return len(m.Destination) > 255 })},
		{"an error shows the password of a name without a scheme", hidingLaw, telling(lacks("://"))},
		{"an outage shows the password of its destination", hidingLaw,
			telling(func(_ outbox.Message, err error) bool { return outbox.IsUnavailable(err) })},
		{"a check shows the passwords of unreachable destinations", hidingLaw, func(f *fake) {
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
