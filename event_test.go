package outbox_test

import (
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
)

func TestACloneSharesNoMemory(t *testing.T) {
	e := outbox.Event{JSON: []byte(`"a"`), Headers: map[string]string{"h": "a"}}
	c := e.Clone()
	e.JSON[1], e.Headers["h"] = 'b', "b"
	if string(c.JSON) != `"a"` || c.Headers["h"] != "a" {
		t.Errorf("the clone has changed: %s %v", c.JSON, c.Headers)
	}
	if c := (outbox.Event{Bytes: []byte{}}).Clone(); c.Bytes == nil || c.JSON != nil || c.Headers != nil {
		t.Errorf("a payload of no bytes became %#v", c)
	}
}

func TestPayloadIsWhatIsSet(t *testing.T) {
	if p := (outbox.Event{JSON: []byte(`1`)}).Payload(); string(p) != "1" {
		t.Errorf("payload %q", p)
	}
	if p := (outbox.Event{Bytes: []byte("b")}).Payload(); string(p) != "b" {
		t.Errorf("payload %q", p)
	}
}

func TestOnlyATimeDelaysAnEvent(t *testing.T) {
	for _, tt := range []struct {
		event outbox.Event
		want  bool
	}{
		{outbox.Event{}, false},
		{outbox.Event{OccurredAt: time.Now()}, false},
		{outbox.Event{AvailableAt: time.Now()}, true},
		{outbox.Event{DeliverAfter: 1}, true},
	} {
		if got := tt.event.Delayed(); got != tt.want {
			t.Errorf("%+v is delayed: %t", tt.event, got)
		}
	}
}

func TestSizeGrowsWithWhatTheEventCarries(t *testing.T) {
	empty := outbox.Event{}.Size()
	e := outbox.Event{Bytes: make([]byte, 1000), Headers: map[string]string{"ab": "cde"}}
	if got := e.Size(); got != empty+1005 {
		t.Errorf("size %d, expected %d", got, empty+1005)
	}
	if empty <= 0 {
		t.Error("an event without a payload takes memory too")
	}
}
