package httpsink

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
)

// captured is a signed request as an intermediary could see it.
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

func TestUnsignedDataDoesNotChangeTheEventOfARequest(t *testing.T) {
	forgeries := map[string]func(h http.Header){
		"nothing":            func(http.Header) {},
		"the id":             func(h http.Header) { h.Set(outbox.HeaderEventID, "forged") },
		"the type":           func(h http.Header) { h.Set(outbox.HeaderEventType, "forged") },
		"the type, unsigned": func(h http.Header) { h.Set(outbox.HeaderEventType, "forged"); h.Del(headerSignature) },
		"the type, badly": func(h http.Header) {
			h.Set(outbox.HeaderEventType, "forged")
			h.Set(headerSignature, h.Get("webhook-signature"))
		},
		"CloudEvents' id":    func(h http.Header) { h.Set("ce-id", "forged") },
		"CloudEvents' type":  func(h http.Header) { h.Set("ce-type", "forged") },
		"a second signed id": func(h http.Header) { h.Add("webhook-id", "forged") },
		"the mode":           func(h http.Header) { h.Set("content-type", "application/cloudevents+json") },
		"the other mode":     func(h http.Header) { h.Set("content-type", "application/json") },
		"the mode, unsigned": func(h http.Header) {
			h.Set("content-type", "application/cloudevents+json")
			h.Del(headerSignature)
			h.Del(outbox.HeaderEventType)
		},
		"the other mode, unsigned": func(h http.Header) {
			h.Set("content-type", "application/json")
			h.Del(headerSignature)
		},
		"the tenant": func(h http.Header) { h.Set(outbox.HeaderTenantID, "forged") },
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
				m.Event.JSON = []byte(`{"id":"` + m.Event.ID + `","type":"forged","data":1}`)
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
				if got.EventID != m.Event.ID || got.EventType != m.Event.Type || string(got.Payload) != string(m.Event.JSON) {
					t.Errorf("got %+v", got)
				}
				if mode == Structured && got.Headers[outbox.HeaderTenantID] != "" {
					t.Errorf("got %+v", got)
				}
			})
		}
	}
}

func TestARequestSignedByAnotherProgramIsRefused(t *testing.T) {
	m := message("a")
	r := captured(t, Binary, m)
	r.Header.Del(headerSignature)
	if err := Verify(secret, r); err == nil || !strings.Contains(err.Error(), headerSignature) {
		t.Errorf("%v, want it to name the header", err)
	}
	for _, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
		r.Header.Del(name)
	}
	if got, err := Message(r); err != nil || got.EventType != m.Event.Type || got.EventID != m.Event.ID {
		t.Errorf("unsigned: %+v, %v", got, err)
	}
}

// What is signed is "id.timestamp.body": with a dot in the id, its end could
// become the timestamp, and the old timestamp the beginning of the body.
func TestAnIDCannotExtendTheTimestampOrTheBody(t *testing.T) {
	later := strconv.FormatInt(time.Now().Unix(), 10)
	m := message("a")
	m.Event.ID = "order-5." + later
	m.Headers[outbox.HeaderEventID] = m.Event.ID
	r := captured(t, Binary, m)
	if err := Verify(secret, r); err != nil {
		t.Fatal(err)
	}
	if got, err := Message(r); err != nil || got.EventID != m.Event.ID {
		t.Fatalf("%+v, %v", got, err)
	}
	for _, id := range []string{"order-5", "order-5%2E", "order-5%252E"} {
		r := captured(t, Binary, m)
		old := r.Header.Get("webhook-timestamp")
		r.Header.Set("webhook-id", id)
		r.Header.Set(outbox.HeaderEventID, id)
		r.Header.Set("webhook-timestamp", later)
		r.Header.Set(outbox.HeaderEventType, old+"."+m.Event.Type)
		r.Body = &reader{strings.NewReader(old + "." + string(m.Payload()))}
		if Verify(secret, r) == nil {
			got, err := Message(r)
			t.Errorf("%s: %+v, %v", id, got, err)
		}
	}
}

func TestEveryIDSurvivesItsSignature(t *testing.T) {
	for _, id := range []string{"a", "a.b", "a%2Eb", "100%", "%25", "..", "a+b", "ä"[:1] + "x"} {
		if got, err := url.PathUnescape(webhookID(id)); err != nil || got != id {
			t.Errorf("%q became %q, %v", id, got, err)
		}
		if strings.Contains(webhookID(id), ".") {
			t.Errorf("%q has a dot: %q", id, webhookID(id))
		}
	}
}

func TestTheSignatureOfATypeDoesNotPassForABody(t *testing.T) {
	m := message("a")
	r := captured(t, Binary, m)
	r.Header.Set("webhook-signature", r.Header.Get(headerSignature))
	r.Body = &reader{strings.NewReader(m.Event.Type)}
	if Verify(secret, r) == nil {
		t.Error("the type was taken for a body")
	}
}

func TestTheBodyTakesPrecedenceOverHeaders(t *testing.T) {
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
