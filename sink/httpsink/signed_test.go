package httpsink

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox"
)

// captured is a signed request as somebody on the way could see it.
func captured(t *testing.T, mode Mode, m outbox.Message) *http.Request {
	t.Helper()
	s := open(t, Config{URL: "http://127.0.0.1:1/", Secrets: []string{secret}, Mode: mode})
	header, body, err := s.encode(&m)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader(string(body)))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = header
	return r
}

func TestNothingThatIsNotSignedMakesAnotherEventOfARequest(t *testing.T) {
	forgeries := map[string]func(h http.Header){
		"nothing":            func(http.Header) {},
		"the id":             func(h http.Header) { h.Set(outbox.HeaderEventID, "forged") },
		"the type":           func(h http.Header) { h.Set(outbox.HeaderEventType, "forged") },
		"the type, unsigned": func(h http.Header) { h.Set(outbox.HeaderEventType, "forged"); h.Del(headerTypeSignature) },
		"the type, badly": func(h http.Header) {
			h.Set(outbox.HeaderEventType, "forged")
			h.Set(headerTypeSignature, h.Get("webhook-signature"))
		},
		"CloudEvents' id":    func(h http.Header) { h.Set("ce-id", "forged") },
		"CloudEvents' type":  func(h http.Header) { h.Set("ce-type", "forged") },
		"a second signed id": func(h http.Header) { h.Add("webhook-id", "forged") },
		"the mode":           func(h http.Header) { h.Set("content-type", "application/cloudevents+json") },
		"the other mode":     func(h http.Header) { h.Set("content-type", "application/json") },
		"the tenant":         func(h http.Header) { h.Set(outbox.HeaderTenantID, "forged") },
		"no names of ours": func(h http.Header) {
			h.Del(outbox.HeaderEventID)
			h.Del(outbox.HeaderEventType)
			h.Set("ce-id", "forged")
		},
	}
	for name, mode := range map[string]Mode{"binary": Binary, "structured": Structured} {
		for _, what := range slices.Sorted(maps.Keys(forgeries)) {
			t.Run(name+" "+what, func(t *testing.T) {
				m := message("a")
				m.Event.JSON = []byte(`{"id":"forged","type":"forged","data":1}`)
				r := captured(t, mode, m)
				forgeries[what](r.Header)
				err := Verify(secret, r)
				var got outbox.Received
				if err == nil {
					got, err = Message(r)
				}
				if err != nil {
					if what == "nothing" {
						t.Error(err)
					}
					return
				}
				if got.EventID != m.Event.ID {
					t.Errorf("the id is %q, want %s", got.EventID, m.Event.ID)
				}
				if got.EventType != "" && got.EventType != m.Event.Type {
					t.Errorf("the type is %q", got.EventType)
				}
				if what == "nothing" && got.EventType != m.Event.Type {
					t.Errorf("the type is %q", got.EventType)
				}
				if mode == Structured && what != "the other mode" && (got.EventType != m.Event.Type || got.Headers[outbox.HeaderTenantID] != "") {
					t.Errorf("got %+v", got)
				}
			})
		}
	}
}

func TestATypeThatIsNotSignedIsTakenOnlyFromUnsignedRequests(t *testing.T) {
	m := message("a")
	r := captured(t, Binary, m)
	r.Header.Del(headerTypeSignature) // as another sender would leave it out
	if err := Verify(secret, r); err != nil {
		t.Fatal(err)
	}
	if got, err := Message(r); err != nil || got.EventType != "" || got.Headers[outbox.HeaderEventType] != m.Event.Type {
		t.Errorf("signed: %+v, %v", got, err)
	}
	for _, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
		r.Header.Del(name)
	}
	if got, err := Message(r); err != nil || got.EventType != m.Event.Type || got.EventID != m.Event.ID {
		t.Errorf("unsigned: %+v, %v", got, err)
	}
}

func TestASignatureOfATypeIsNoneOfABody(t *testing.T) {
	m := message("a")
	r := captured(t, Binary, m)
	r.Header.Set("webhook-signature", r.Header.Get(headerTypeSignature))
	r.Body = &reader{strings.NewReader(m.Event.Type)}
	if Verify(secret, r) == nil {
		t.Error("the type was taken for a body")
	}
}

func TestWhatTheBodySaysOfAnEventCountsBeforeItsHeaders(t *testing.T) {
	m := message("4711")
	m.Event.AggregateType, m.Event.TenantID, m.Event.CorrelationID = "Order", "t1", "c1"
	r := captured(t, Structured, m)
	for name := range r.Header {
		if strings.Contains(name, "_") { // a proxy drops them
			delete(r.Header, name)
		}
	}
	got, err := Message(r)
	if err != nil || got.EventID != m.Event.ID || got.EventType != m.Event.Type {
		t.Fatalf("%+v, %v", got, err)
	}
	for name, want := range map[string]string{
		outbox.HeaderAggregateType: "Order", outbox.HeaderAggregateID: "4711", outbox.HeaderTenantID: "t1", outbox.HeaderCorrelationID: "c1",
	} {
		if got.Headers[name] != want {
			t.Errorf("%s is %q, want %s", name, got.Headers[name], want)
		}
	}
}
