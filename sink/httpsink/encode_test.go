package httpsink

import (
	"net/http"
	"strings"
	"testing"
	"time"

	cehttp "github.com/cloudevents/sdk-go/v2/protocol/http"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Many receivers read requests with the CloudEvents SDK.
func TestACloudEventsReceiverUnderstandsBothModes(t *testing.T) {
	for name, mode := range map[string]Mode{"binary": Binary, "structured": Structured} {
		for kind, fill := range map[string]func(*outbox.Event){
			"JSON":  func(e *outbox.Event) { e.JSON = []byte(`{"total": 1.50}`) },
			"bytes": func(e *outbox.Event) { e.JSON, e.Bytes = nil, []byte{0, 0xff, '"'} },
		} {
			t.Run(name+" "+kind, func(t *testing.T) {
				m := message(`order "7" é 100%`)
				m.Event.Type, m.Event.AggregateType, m.Event.TenantID, m.Event.CorrelationID = "Órder Placed", "Order", "t1", "c1"
				m.Headers[outbox.HeaderEventType] = m.Event.Type
				m.Event.OccurredAt = time.Date(2026, 1, 2, 3, 4, 5, 678000000, time.UTC)
				m.Headers[driver.HeaderTraceParent] = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
				fill(&m.Event)
				rc := newReceiver(t)
				failed := make(chan string, 20)
				rc.answers(func(_ http.ResponseWriter, r *http.Request, _ outbox.Received) bool {
					e, err := cehttp.NewEventFromHTTPRequest(r)
					if err != nil {
						failed <- err.Error()
						return false
					}
					if err := e.Validate(); err != nil {
						failed <- err.Error()
					}
					text := func(s string) string { return s }
					if mode == Binary { // the SDK leaves the binding's percent-encoding to its caller
						text = unescape
					}
					for what, got := range map[string][2]string{
						"id": {e.ID(), m.Event.ID}, "type": {text(e.Type()), m.Event.Type}, "source": {e.Source(), "https://shop.example/orders"},
						"subject": {text(e.Subject()), m.Event.AggregateID}, "time": {e.Time().Format(time.RFC3339Nano), "2026-01-02T03:04:05.678Z"},
						"data": {string(e.Data()), string(m.Payload())}, "contenttype": {e.DataContentType(), contentType(&m)},
						"version": {e.SpecVersion(), "1.0"},
					} {
						if got[0] != got[1] {
							failed <- what + " is " + got[0] + ", want " + got[1]
						}
					}
					for attribute, want := range map[string]string{
						"partitionkey": m.Key, "aggregatetype": "Order", "tenantid": "t1", "correlationid": "c1",
						"traceparent": m.Headers[driver.HeaderTraceParent],
					} {
						if got, _ := e.Extensions()[attribute].(string); text(got) != want {
							failed <- attribute + " is not " + want
						}
					}
					return false
				})
				s := open(t, Config{URL: rc.URL + "/hook", Mode: mode, Source: "https://shop.example/orders"})
				if err := s.Send(t.Context(), []outbox.Message{m})[0]; err != nil {
					t.Fatal(err)
				}
				close(failed)
				for f := range failed {
					t.Error(f)
				}
				got := rc.received(1, patience)[0]
				if got.EventID != m.Event.ID || string(got.Payload) != string(m.Payload()) {
					t.Errorf("received %+v", got)
				}
			})
		}
	}
}

func TestARequestIsSignedWithEverySecret(t *testing.T) {
	const old = "whsec_" + "b2xkLXNlY3JldC1vbGQtc2VjcmV0LW9sZA=="
	rc := newReceiver(t)
	checked := make(chan error, 4)
	rc.answers(func(_ http.ResponseWriter, r *http.Request, m outbox.Received) bool {
		for _, key := range []string{old, secret} {
			w, err := standardwebhooks.NewWebhook(key)
			if err != nil {
				checked <- err
				continue
			}
			checked <- w.Verify(m.Payload, r.Header)
		}
		if r.Header.Get("webhook-id") != m.EventID {
			checked <- http.ErrNoCookie
		}
		return false
	})
	s := open(t, Config{URL: rc.URL + "/hook", Secrets: []string{old, secret}})
	if err := s.Send(t.Context(), []outbox.Message{message("a")})[0]; err != nil {
		t.Fatal(err)
	}
	close(checked)
	n := 0
	for err := range checked {
		if n++; err != nil {
			t.Error(err)
		}
	}
	if n != 2 {
		t.Errorf("%d checks", n)
	}
}

func TestAChangedBodyOrAnotherSecretIsNotVerified(t *testing.T) {
	s := open(t, Config{URL: "http://example.invalid/", Secrets: []string{secret}})
	m := message("a")
	request := func(change func(*http.Request, []byte)) *http.Request {
		header, body, err := s.encode(&m)
		if err != nil {
			t.Fatal(err)
		}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "/", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header = header
		change(r, body)
		r.Body = &reader{strings.NewReader(string(body))}
		return r
	}
	same := func(*http.Request, []byte) {}
	if err := Verify(secret, request(same)); err != nil {
		t.Errorf("unchanged: %v", err)
	}
	if Verify("whsec_b3RoZXItb3RoZXItb3RoZXItb3RoZXI=", request(same)) == nil {
		t.Error("another secret was accepted")
	}
	if Verify("not base64!", request(same)) == nil {
		t.Error("an invalid secret was accepted")
	}
	if Verify(secret, request(func(_ *http.Request, b []byte) { b[0]++ })) == nil {
		t.Error("a changed body was accepted")
	}
	if Verify(secret, request(func(r *http.Request, _ []byte) { r.Header.Set("webhook-id", "x") })) == nil {
		t.Error("a changed id was accepted")
	}
	r := request(same)
	if err := Verify(secret, r); err != nil {
		t.Fatal(err)
	}
	if got, err := Message(r); err != nil || string(got.Payload) != `{"n":1}` {
		t.Errorf("after Verify: %+v, %v", got, err)
	}
}

type reader struct{ *strings.Reader }

func (*reader) Close() error { return nil }

func TestTheIDIsFoundWhenAProxyDropsHeadersWithUnderscores(t *testing.T) {
	for name, headers := range map[string]map[string]string{
		"CloudEvents":       {"ce-id": "id%201", "ce-type": "t"},
		"Standard Webhooks": {"webhook-id": "id 1"},
		"its own":           {"outbox_event_id": "id 1", "ce-id": "other", "webhook-id": "other"},
		"a signature":       {"webhook-signature": "v1,x", "webhook-id": "id 1", "ce-id": "other"},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader("x"))
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range headers {
			r.Header.Set(k, v)
		}
		if m, err := Message(r); err != nil || m.EventID != "id 1" || string(m.Payload) != "x" {
			t.Errorf("%s: %+v, %v", name, m, err)
		}
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader(strings.Repeat("x", MaxBody+1)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Message(r); err == nil {
		t.Error("a body without bounds was read")
	}
}

func TestAnEventDoesNotReplaceTheHeadersOfItsSink(t *testing.T) {
	rc := newReceiver(t)
	authorized := strings.Replace(rc.URL, "//", "//me:secret@", 1)
	for what, cfg := range map[string]Config{
		"a header":         {URL: rc.URL + "/hook", Headers: map[string]string{"authorization": "Bearer ours"}},
		"a password":       {URL: rc.URL + "/hook", Username: "me", Password: "secret"},
		"a URL's password": {URL: authorized + "/hook"},
	} {
		s := open(t, cfg)
		m := message("a")
		m.Headers["Authorization"] = "Bearer theirs"
		if err := s.Send(t.Context(), []outbox.Message{m})[0]; !outbox.IsPermanent(err) || !strings.Contains(err.Error(), "rename it") || strings.Contains(err.Error(), "ours") {
			t.Errorf("%s: %v", what, err)
		}
	}
	s := open(t, Config{URL: rc.URL + "/hook", Headers: map[string]string{"X-Shop": "ours"}})
	m := message("a")
	m.Headers["x-shop"] = "theirs"
	if err := s.Send(t.Context(), []outbox.Message{m})[0]; !outbox.IsPermanent(err) {
		t.Errorf("another header of the sink: %v", err)
	}
	m = message("a")
	m.Headers["authorization"] = "Bearer theirs"
	if err := s.Send(t.Context(), []outbox.Message{m})[0]; err != nil {
		t.Errorf("where the sink has no credentials: %v", err)
	}
	if got := rc.received(1, patience); len(got) != 1 || got[0].Headers["authorization"] != "Bearer theirs" || got[0].Headers["x-shop"] != "ours" {
		t.Errorf("received %+v", got)
	}
}

func TestHeadersOfTheRequestItselfAreRefused(t *testing.T) {
	s := open(t, Config{URL: "http://127.0.0.1:1/"})
	for _, headers := range []map[string]string{
		{"host": "x"}, {"Content-Length": "3"}, {"transfer-encoding": "chunked"}, {"webhook-signature": "v1,x"}, {"ce-id": "x"},
		{"outbox-signature": "v1,x"}, {"Proxy-Authorization": "x"},
		{"case": "1", "Case": "2"},
	} {
		m := message("a")
		m.Headers = headers
		if err := s.Send(t.Context(), []outbox.Message{m})[0]; !outbox.IsPermanent(err) {
			t.Errorf("%v: %v, want it to be permanent", headers, err)
		}
	}
}
