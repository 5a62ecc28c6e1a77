package outbox_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// wrapped is a route whose payload function fails for event "bad".
func wrapped(t *testing.T, s outbox.Sink, fail func() error) driver.Destination {
	t.Helper()
	return lookup(t, func(reg *outbox.Registry) {
		reg.Route("T", s, outbox.WithPayload(func(e outbox.Event) ([]byte, error) {
			if e.ID == "bad" {
				return nil, fail()
			}
			return append([]byte("wrapped "), e.Payload()...), nil
		}))
	})
}

func TestARouteMaySendOtherBytes(t *testing.T) {
	s := &sink{}
	e := valid()
	if err := wrapped(t, s, nil).DeliverOne(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	m := s.sent[0]
	if string(m.Payload()) != `wrapped {"id":1}` || !bytes.Equal(m.Payload(), m.Event.Payload()) {
		t.Errorf("payload %s, of the event %s", m.Payload(), m.Event.Payload())
	}
	if string(e.JSON) != `{"id":1}` {
		t.Errorf("the caller's event became %s", e.JSON)
	}
}

func TestNoBytesAreAnEmptyPayload(t *testing.T) {
	s := &sink{}
	target := wrapped(t, s, func() error { return nil })
	if err := target.DeliverOne(t.Context(), named("bad")); err != nil {
		t.Fatal(err)
	}
	if b := s.sent[0].Payload(); b == nil || len(b) > 0 {
		t.Errorf("payload %q, expected an empty one", b)
	}
}

func TestAPayloadThatCannotBeMadeFailsItsEventAlone(t *testing.T) {
	for name, fail := range map[string]func() error{
		"error": func() error { return errCause },
		"panic": func() error { panic(errCause) },
	} {
		s := &sink{errs: func(int) []error { return []error{nil, errors.New("own")} }}
		errs := wrapped(t, s, fail).Deliver(t.Context(), []outbox.Event{named("a"), named("bad"), named("b")})
		if len(errs) != 3 || errs[0] != nil || errs[1] == nil || errs[2] == nil || errs[2].Error() != "own" {
			t.Errorf("%s: answers %v", name, errs)
			continue
		}
		if outbox.IsPermanent(errs[1]) != (name == "error") {
			t.Errorf("%s: permanent is %t: %v", name, outbox.IsPermanent(errs[1]), errs[1])
		}
		if len(s.sent) != 2 || s.sent[0].Event.ID != "a" || s.sent[1].Event.ID != "b" {
			t.Errorf("%s: sent %v", name, s.sent)
		}
	}
}

func TestASinkIsNotCalledForNothing(t *testing.T) {
	s := &sink{errs: func(int) []error { t.Error("called"); return nil }}
	errs := wrapped(t, s, func() error { return errCause }).Deliver(t.Context(), []outbox.Event{named("bad"), named("bad")})
	if len(errs) != 2 || !errors.Is(errs[0], errCause) || !errors.Is(errs[1], errCause) {
		t.Errorf("answers %v", errs)
	}
}
