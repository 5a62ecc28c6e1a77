package kafkasink_test

import (
	"context"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/faultproxy"
	"github.com/sendoff-go/outbox/sink/kafkasink"
)

// The sink would wait for minutes, as the daemon's does by default.
func patient(t *testing.T, p *faultproxy.Proxy) *kafkasink.Sink {
	t.Helper()
	return open(t, kafkasink.Config{Dial: through(p), Timeout: 10 * time.Minute, DialTimeout: 2 * time.Second})
}

func TestAFirstSendToRefusingBrokersFailsAtOnce(t *testing.T) {
	t.Parallel()
	p := faultproxy.New(t, broker(t))
	topic := newTopic(t, 1, nil)
	s := patient(t, p)
	p.Refuse()
	start := time.Now()
	for _, err := range send(t, s, message(topic, "k", "1"), message(topic, "k", "2")) {
		if !outbox.IsUnavailable(err) {
			t.Errorf("answer %v, expected unavailable", err)
		}
		contains(t, err, "no broker can be reached")
	}
	if took := time.Since(start); took > patience {
		t.Errorf("it took %s", took)
	}
	p.Pass()
	mustSend(t, s, message(topic, "k", "3"))
	// The client kept nothing of the refused send.
	if got := settled(t, topic, 1); len(got) != 1 || string(got[0].Value) != "3" {
		t.Errorf("got %d records", len(got))
	}
}

func TestASendEndsSoonAndCleanlyWhenItsBrokersGoDown(t *testing.T) {
	t.Parallel()
	p := faultproxy.New(t, broker(t))
	topic := newTopic(t, 3, nil)
	s := patient(t, p)
	mustSend(t, s, message(topic, "k", "before"))
	p.Refuse()
	start := time.Now()
	answers := make(chan []error, 4)
	for range cap(answers) {
		go func() {
			answers <- s.Send(context.Background(), []outbox.Message{message(topic, "a", "lost"), message(topic, "b", "lost")})
		}()
	}
	for range cap(answers) {
		for _, err := range <-answers {
			if !outbox.IsUnavailable(err) {
				t.Errorf("answer %v, expected unavailable", err)
			}
			contains(t, err, "refused")
		}
	}
	if took := time.Since(start); took > 2*patience {
		t.Errorf("it took %s", took)
	}
	p.Pass()
	mustSend(t, s, message(topic, "k", "after"))
	if got := settled(t, topic, 2); len(got) != 2 {
		t.Errorf("%d records, expected those from before and after", len(got))
	}
}

func TestASendWaitsForSilentBrokers(t *testing.T) {
	t.Parallel()
	p := faultproxy.New(t, broker(t))
	topic := newTopic(t, 1, nil)
	s := patient(t, p)
	mustSend(t, s, message(topic, "k", "before"))
	p.Mute() // the records arrive and may be written
	answer := make(chan []error, 1)
	go func() { answer <- s.Send(context.Background(), []outbox.Message{message(topic, "k", "slow")}) }()
	// Longer than it takes to find out whether the brokers refuse.
	select {
	case errs := <-answer:
		t.Fatalf("given up: %v", errs)
	case <-time.After(12 * time.Second):
	}
	p.Pass()
	if errs := <-answer; errs != nil {
		t.Fatal(errs)
	}
	if got := settled(t, topic, 2); len(got) != 2 {
		t.Errorf("%d records: the slow one arrived %d times", len(got), len(got)-1)
	}
}

// settled returns the records of a topic: n, and any that arrive within a
// second after.
func settled(t *testing.T, topic string, n int) []*kgo.Record {
	t.Helper()
	c := consume(t, topic)
	c.records(n, patience)
	return c.records(n+1, time.Second)
}
