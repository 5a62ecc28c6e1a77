package hazelcastsink

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hazelcast/hazelcast-go-client/hzerrors"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// quiet is how long a test waits for what must not happen.
const quiet = 250 * time.Millisecond

func TestAMessageIsTheDocumentedRecord(t *testing.T) {
	m := message("any")
	m.Event.ID, m.Event.Type, m.Event.AggregateType, m.Event.AggregateID = "e1", "OrderCreated", "Order", "4711"
	m.Event.TenantID, m.Event.CorrelationID, m.Event.OccurredAt = "acme", "saga-1", time.UnixMilli(1700000000123)
	m.Headers = map[string]string{"a": "b"}
	for body, want := range map[string]string{
		`{"total": 12.50}`: `"eventRecord":{"total": 12.50}`,
		` {}`:              `"eventRecordBase64":"IHt9"`,
		"\"\xff\"":         `"eventRecordBase64":"Iv8i"`,
	} {
		m.Event.JSON = []byte(body)
		want = `{"eventId":"e1","eventType":"OrderCreated","aggregateType":"Order","aggregateId":"4711","tenantId":"acme",` +
			`"correlationId":"saga-1","createdAt":1700000000123,"headers":{"a":"b"},` + want + `}`
		got, err := encode(&m)
		if err != nil || string(got) != want {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
		r, err := Message(got)
		if err != nil || !reflect.DeepEqual(r, outbox.Received{EventID: "e1", EventType: "OrderCreated", Payload: []byte(body), Headers: m.Headers}) {
			t.Errorf("read as %+v, %v", r, err)
		}
	}
	if _, err := Message([]byte("{")); !errors.As(err, new(*json.SyntaxError)) {
		t.Errorf("what is no JSON: %v", err)
	}
}

func TestAHeaderThatIsNotUTF8IsPermanent(t *testing.T) {
	s := open(t, Config{Addresses: []string{"127.0.0.1:1"}})
	m := message("any")
	m.Headers["x"] = "\xff"
	if err := s.Send(t.Context(), []outbox.Message{m})[0]; !outbox.IsPermanent(err) {
		t.Errorf("got %v", err)
	}
}

func TestAnswersOfTheClusterAreClassified(t *testing.T) {
	java := fmt.Errorf("server error:\njava.lang.Exception: topic https://h/p4th\n\tat x.Y(Z:1)\n%w", hzerrors.ErrAccessControl)
	for _, c := range []struct {
		err                  error
		sent                 bool
		unavailable, unclear bool
	}{
		{java, true, false, false},
		{hzerrors.ErrSplitBrainProtection, true, true, false},
		{hzerrors.ErrTargetDisconnected, true, true, true},
		{hzerrors.ErrTargetDisconnected, false, true, false},
		{hzerrors.ErrIndeterminateOperationState, true, true, true},
		{errors.New("whatever"), true, true, true},
	} {
		err := classify("https://h/p4th", c.err, c.sent)
		if outbox.IsUnavailable(err) != c.unavailable || driver.IsUncertain(err) != c.unclear || outbox.IsPermanent(err) {
			t.Errorf("%v: %v", c.err, err)
		}
		if text := err.Error(); strings.Contains(text, "\n") || strings.Contains(text, "p4th") || strings.Contains(text, "at x.Y") {
			t.Errorf("the answer is %q", text)
		}
	}
	if err := classify("a", nil, true); err != nil {
		t.Error(err)
	}
}

func TestConfigErrorsSayWhatToDo(t *testing.T) {
	for want, cfg := range map[string]Config{
		"set Addresses":   {},
		"write host:port": {Addresses: []string{":5701"}},
		"not be negative": {Addresses: []string{"h"}, Timeout: -1},
		"their defaults":  {Addresses: []string{"h"}, DialTimeout: -1},
	} {
		if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want ...%s...", err, want)
		}
	}
	if got := (Config{Addresses: []string{"h", "::1", "i:1"}}).withDefaults().Addresses; fmt.Sprint(got) != "[h:5701 [::1]:5701 i:1]" {
		t.Errorf("addresses %v", got)
	}
}
