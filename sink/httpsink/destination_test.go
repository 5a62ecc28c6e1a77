package httpsink

import (
	"net/http"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Writers of events choose their types, but must not choose who gets the sink's
// credentials.
func TestAnEventTypeThatIsAURLIsNotADestination(t *testing.T) {
	rc, stranger := newReceiver(t), newReceiver(t)
	paths := make(chan string, 10)
	asked := func() string {
		select {
		case p := <-paths:
			return p
		default:
			return "nobody"
		}
	}
	rc.answers(func(_ http.ResponseWriter, r *http.Request, _ outbox.Received) bool {
		paths <- r.Method + r.URL.Path
		return false
	})
	stranger.answers(func(_ http.ResponseWriter, r *http.Request, _ outbox.Received) bool {
		t.Errorf("%s %s with %q", r.Method, r.URL, r.Header.Get("Authorization"))
		return false
	})
	s := open(t, Config{URL: rc.URL + "/hook", Username: "me", Password: "secret"})
	for pattern, eventType := range map[string]string{
		"*//*/*":               stranger.URL + "/hook",
		"/*":                   "/admin",
		"//*/*":                "//" + stranger.host(t) + "/hook",
		stranger.URL + "/hook": stranger.URL + "/hook",
	} {
		reg := outbox.NewRegistry()
		reg.Route(pattern, s)
		if err := reg.Err(); err != nil {
			t.Fatal(err)
		}
		e := outbox.Event{Type: eventType, JSON: []byte(`{}`)}
		e.ID = outbox.NewID()
		target := driver.DestinationOf(reg.Lookup("", eventType))
		if err := target.DeliverOne(t.Context(), e); err != nil {
			t.Errorf("%s: %v", pattern, err)
		}
		if got := asked(); got != "POST/hook" {
			t.Errorf("%s: it went to %s", pattern, got)
		}
		if err := target.Check()(t.Context()); err != nil {
			t.Errorf("%s: %v", pattern, err)
		}
		if got := asked(); got != "HEAD/hook" {
			t.Errorf("%s: %s was checked", pattern, got)
		}
	}
	bare := open(t, Config{})
	reg := outbox.NewRegistry()
	reg.Route(stranger.URL+"/hook", bare)
	if err := driver.DestinationOf(reg.Lookup("", stranger.URL+"/hook")).DeliverOne(t.Context(), outbox.Event{Type: stranger.URL + "/hook", JSON: []byte(`{}`)}); meaning(err) != "counted" {
		t.Errorf("without a URL: %v", err)
	}
}

func TestMessagesOfOneKeyKeepTheirOrderWhateverTheirTypes(t *testing.T) {
	rc := newReceiver(t)
	rc.answers(func(w http.ResponseWriter, _ *http.Request, m outbox.Received) bool {
		if m.EventType == "OrderPlaced" {
			w.WriteHeader(http.StatusInternalServerError)
			return true
		}
		return false
	})
	s := open(t, Config{URL: rc.URL + "/hook"})
	a, b := message("a"), message("a")
	b.Event.Type, b.Destination, b.Headers[outbox.HeaderEventType] = "OrderPaid", "OrderPaid", "OrderPaid"
	errs := s.Send(t.Context(), []outbox.Message{a, b})
	if meaning(errs[0]) != "counted" || meaning(errs[1]) != "not yet" {
		t.Errorf("got %v", errs)
	}
}
