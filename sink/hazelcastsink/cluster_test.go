package hazelcastsink

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/await"
	"github.com/sendoff-go/outbox/internal/hazelrig"
	"github.com/sendoff-go/outbox/internal/testenv"
)

// TestAMemberThatCrashesLosesNothing kills the second of two members under
// load. Both may own the topic; a reliable topic has one backup.
func TestAMemberThatCrashesLosesNothing(t *testing.T) {
	testenv.Control(t, testenv.Hazelcast)
	t.Setenv("OUTBOX_TEST_HAZELCAST_JOIN", testenv.URL(t, testenv.Hazelcast))
	l, first := hazelrig.Start(t), hazelrig.Address(t)
	defer l.Stop()
	second := testenv.Control(t, testenv.Hazelcast)
	topics := make([]string, 8)
	for i := range topics {
		topics[i] = newTopic()
		l.Listen(t, topics[i], true)
	}
	s := open(t, Config{Addresses: []string{hazelrig.Address(t), first}, ClusterName: hazelrig.ClusterName, Reliable: true})
	load := publish(t, s, l, topics)
	await.Until(t, "messages are acknowledged", func() bool { n, _ := load.counts(); return n >= 500 })
	second.Crash()
	_, rounds := load.counts()
	await.Until(t, "the other member takes all messages", func() bool { _, n := load.counts(); return n > rounds+5 })
	acknowledged := load.stop()
	t.Logf("%d messages acknowledged, %d not", len(acknowledged), load.failed)
	await.Until(t, "all that was acknowledged has arrived", func() bool {
		for _, topic := range topics {
			for _, a := range l.Receive(t, topic, 0, 0) {
				delete(acknowledged, a.EventID)
			}
		}
		return len(acknowledged) == 0
	})
}

// traffic publishes batches until it is stopped.
type traffic struct {
	t     testing.TB
	ended func()

	mu           sync.Mutex
	acknowledged map[string]bool
	failed       int
	rounds       int // batches that were acknowledged as a whole
}

// ahead is how many messages may be on their way to the listener: a ring buffer
// keeps the latest 10,000, and a listener that stood still for longer ends.
const ahead = 4000

func publish(t testing.TB, s *Sink, l *hazelrig.Listener, topics []string) *traffic {
	ctx, cancel := context.WithCancel(t.Context())
	w := &traffic{t: t, acknowledged: map[string]bool{}}
	var group sync.WaitGroup
	w.ended = func() { cancel(); group.Wait() }
	t.Cleanup(w.ended)
	group.Go(func() {
		for ctx.Err() == nil {
			n, _ := w.counts()
			l.Await(ctx, n-ahead, topics...)
			var batch []outbox.Message
			for i := range 10 * len(topics) {
				batch = append(batch, message(topics[i%len(topics)]))
			}
			w.note(batch, s.Send(ctx, batch))
		}
	})
	return w
}

func (w *traffic) note(batch []outbox.Message, errs []error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	whole := true
	for i, err := range errs {
		switch {
		case err == nil:
			w.acknowledged[batch[i].Event.ID] = true
			continue
		case !outbox.IsUnavailable(err):
			w.t.Errorf("during an outage: %v", err)
		}
		w.failed++
		whole = false
	}
	if whole {
		w.rounds++
	}
}

func (w *traffic) counts() (acknowledged, rounds int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.acknowledged), w.rounds
}

// stop returns what was acknowledged.
func (w *traffic) stop() map[string]bool {
	w.ended()
	return w.acknowledged
}

func TestTheAbsenceOfAClusterIsWarnedOfOnce(t *testing.T) {
	server := testenv.Control(t, testenv.Hazelcast)
	var log lines
	s := open(t, Config{Addresses: []string{hazelrig.Address(t)}, ClusterName: hazelrig.ClusterName, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	topic := newTopic()
	connected(t, s)
	if err := s.Send(t.Context(), []outbox.Message{message(topic)})[0]; err != nil {
		t.Fatal(err)
	}
	server.Crash()
	await.Until(t, "the sink knows that nothing is sent", func() bool {
		err := s.Send(t.Context(), []outbox.Message{message(topic)})[0]
		if !outbox.IsUnavailable(err) {
			t.Fatalf("without a cluster: %v", err)
		}
		return !driver.IsUncertain(err)
	})
	server.Start()
	await.Until(t, "the cluster takes messages again", func() bool {
		return s.Send(t.Context(), []outbox.Message{message(topic)})[0] == nil
	})
	if text := log.String(); strings.Count(text, "level=WARN") != 1 || strings.Count(text, "the cluster is back") != 1 {
		t.Errorf("the log says\n%s", text)
	}
}

// lines is a log that may be read at any time.
type lines struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.Write(b)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.String()
}

func TestAClusterOfAnotherNameIsUnavailable(t *testing.T) {
	s := open(t, Config{Addresses: []string{hazelrig.Address(t)}, ClusterName: "other", Password: "secret-4711"})
	for _, ask := range []func() error{
		func() error { return s.Send(t.Context(), []outbox.Message{message("any")})[0] },
		func() error { return s.Check(t.Context()) },
	} {
		await.Until(t, "the answer says what to check", func() bool { // before that, the first attempt has not ended
			err := ask()
			if !outbox.IsUnavailable(err) || driver.IsUncertain(err) || strings.Contains(err.Error(), "4711") {
				t.Fatalf("got %v", err)
			}
			return strings.Contains(err.Error(), "check the cluster's name")
		})
	}
}

// A ring buffer of that name has room for ten items, and keeps them for an hour.
func TestAFullRingBufferIsUnavailable(t *testing.T) {
	topic := "full-" + newTopic()
	l := shared(t)
	l.Listen(t, topic, true)
	s := open(t, Config{Addresses: []string{hazelrig.Address(t)}, ClusterName: hazelrig.ClusterName, Reliable: true})
	var batch []outbox.Message
	for range 25 {
		batch = append(batch, message(topic))
	}
	connected(t, s)
	errs := s.Send(t.Context(), batch)
	if err := errors.Join(errs[:6]...); err != nil {
		t.Fatal(err)
	}
	for i, err := range errs {
		if err != nil && (!outbox.IsUnavailable(err) || driver.IsUncertain(err)) || i >= 10 && err == nil {
			t.Errorf("message %d: %v", i, err)
		}
	}
	if err := errs[10]; !strings.Contains(fmt.Sprint(err), "larger capacity") {
		t.Errorf("got %v", err)
	}
	l.Receive(t, topic, 10, patience)
	if as := l.Receive(t, topic, 11, quiet); len(as) != 10 || as[9].EventID != batch[9].Event.ID {
		t.Errorf("%d messages arrived", len(as))
	}
}
