package natssink_test

import (
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/sink/natssink"
)

func TestOneEventToTwoSubjectsOfAStreamArrivesAtBoth(t *testing.T) {
	subject := newSubject(t, func(c *jetstream.StreamConfig) { c.Subjects = append(c.Subjects, c.Name+".copy") })
	s := open(t, natssink.Config{})
	m := message(subject, "x")
	second := m
	second.Destination += ".copy"
	mustSend(t, s, m)
	mustSend(t, s, second)
	mustSend(t, s, m, second) // again, and the server drops both
	if got := consume(t, subject).settled(2); len(got) != 2 {
		t.Errorf("%d messages arrived, expected one at each subject", len(got))
	}
}

func TestTheMessageIDBeginsWithTheEventID(t *testing.T) {
	subject := newSubject(t, nil)
	m := message(subject, "x")
	mustSend(t, open(t, natssink.Config{}), m)
	got := consume(t, subject).receive(1, patience)
	if id := got[0].Headers[nats.MsgIdHdr]; !strings.HasPrefix(id, m.Event.ID+".") {
		t.Errorf("Nats-Msg-Id is %q", id)
	}
}

// On the hot path an event's time is finer than in SQLite, and each delivery
// has its own trace.
func TestAnEventReadFromTheDatabaseIsTheSameMessage(t *testing.T) {
	subject := newSubject(t, nil)
	s := open(t, natssink.Config{})
	hot := message(subject, "x")
	hot.Event.OccurredAt = time.Date(2026, 1, 2, 3, 4, 5, 678_901_000, time.UTC)
	hot.Headers["traceparent"] = "1"
	hot.Delivery = outbox.Delivery{EventID: hot.Event.ID, Attempt: 1, Seq: 7, Hot: true}
	cold := hot
	cold.Event.OccurredAt = hot.Event.OccurredAt.Truncate(time.Millisecond).In(time.FixedZone("", 3600))
	cold.Event.JSON, cold.Event.Bytes = []byte("x"), nil
	cold.Headers = map[string]string{outbox.HeaderEventID: hot.Event.ID, outbox.HeaderEventType: "T", "traceparent": "2"}
	cold.Delivery = outbox.Delivery{EventID: hot.Event.ID, Attempt: 4, Seq: 7, CreatedAt: time.Now()}
	mustSend(t, s, hot)
	mustSend(t, s, cold)
	if got := consume(t, subject).settled(1); len(got) != 1 {
		t.Errorf("%d messages arrived, expected the second to be dropped", len(got))
	}
}
