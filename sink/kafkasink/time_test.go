package kafkasink_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/sink/kafkasink"
)

// ahead opens a sink on a machine whose clock is two hours ahead, which is more
// than a broker accepts.
func ahead(t *testing.T) *kafkasink.Sink {
	t.Helper()
	s := open(t, kafkasink.Config{})
	s.SetClock(func() time.Time { return time.Now().Add(2 * time.Hour) })
	return s
}

func TestARecordCarriesTheTimeOfItsSending(t *testing.T) {
	topic := newTopic(t, 1, nil)
	s := open(t, kafkasink.Config{})
	sent := time.Now().Add(time.Minute).Truncate(time.Millisecond)
	s.SetClock(func() time.Time { return sent })
	m := message(topic, "k", "x")
	m.Event.OccurredAt = time.Now().AddDate(-1, 0, 0) // a topic would not keep it for long
	mustSend(t, s, m)
	if got := consume(t, topic).records(1, patience); !got[0].Timestamp.Equal(sent) {
		t.Errorf("the record's timestamp is %s, expected %s", got[0].Timestamp, sent)
	}
}

// A wrong clock, which all events share, must not dead-letter all of them.
func TestAClockThatIsAheadCostsNoAttempt(t *testing.T) {
	topic := newTopic(t, 1, nil)
	s := ahead(t)
	ms := oneKey(topic, 20)
	for i, err := range send(t, s, ms...) {
		if _, counted, ok := driver.RetryDelay(err); !ok || counted || outbox.IsPermanent(err) || outbox.IsUnavailable(err) {
			t.Fatalf("message %d: answer %v, expected it to wait without an attempt", i, err)
		}
	}
	s.SetClock(time.Now)
	mustSend(t, s, ms...)
	var want []string
	for i := range ms {
		want = append(want, fmt.Sprint(i))
	}
	inOrder(t, topic, want)
}
