package natssink_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/await"
	"github.com/sendoff-go/outbox/internal/faultproxy"
	"github.com/sendoff-go/outbox/sink/natssink"
)

// keyed returns a message with a key.
func keyed(subject, key, text string) outbox.Message {
	m := message(subject, text)
	m.Key = key
	return m
}

func TestAStreamCreatedDuringABatchKeepsTheOrder(t *testing.T) {
	for name, key := range map[string]string{"of a key": "order", "without keys": ""} {
		t.Run(name, func(t *testing.T) {
			const n = 4000
			p := faultproxy.New(t, server(t))
			s := open(t, natssink.Config{URL: "nats://" + p.Addr(), Window: 1, Timeout: patience})
			mustSend(t, s, message(newSubject(t, nil), "connected"))
			subject := fmt.Sprintf("late-%d", streams.Add(1)) + outbox.NewID()
			ms := make([]outbox.Message, n)
			for i := range ms {
				ms[i] = keyed(subject, key, fmt.Sprint(i))
			}
			p.Mute()
			answer := make(chan []error, 1)
			go func() { answer <- s.Send(context.Background(), ms) }()
			await.Until(t, "the server says that no stream has the first message", func() bool { return p.Held() > 0 })
			administer(t, func(ctx context.Context, js jetstream.JetStream) error {
				_, err := js.CreateStream(ctx, jetstream.StreamConfig{Name: subject, Subjects: []string{subject}, Storage: jetstream.MemoryStorage})
				return err
			})
			t.Cleanup(func() {
				administer(t, func(ctx context.Context, js jetstream.JetStream) error { return js.DeleteStream(ctx, subject) })
			})
			p.Pass()
			if errs := <-answer; errs != nil {
				t.Fatalf("the stream was created in time, but the answers are %.300v", errs)
			}
			for i, a := range consume(t, subject).receive(n, patience) {
				if string(a.Payload) != fmt.Sprint(i) {
					t.Fatalf("message %d is %s", i, a.Payload)
				}
			}
		})
	}
}

// The stream has room for the third message and not for the second.
func TestMessagesBehindARefusedOneAreNotSent(t *testing.T) {
	subject := newSubject(t, func(c *jetstream.StreamConfig) { c.MaxBytes, c.Discard = 2000, jetstream.DiscardNew })
	s := open(t, natssink.Config{})
	errs := send(t, s, keyed(subject, "a", "first"), keyed(subject, "a", strings.Repeat("x", 2500)), keyed(subject, "a", "third"), keyed(subject, "b", "other"))
	if errs[0] != nil || !outbox.IsUnavailable(errs[1]) || !outbox.IsUnavailable(errs[2]) || errs[3] != nil {
		t.Errorf("answers %v", errs)
	}
	contains(t, errs[2], "earlier message of its key")
	var got []string
	for _, a := range consume(t, subject).receive(2, patience) {
		got = append(got, string(a.Payload))
	}
	if strings.Join(got, " ") != "first other" {
		t.Errorf("the stream has %q", got)
	}
}

func TestAPermanentFailureDoesNotBlockItsKey(t *testing.T) {
	subject := newSubject(t, func(c *jetstream.StreamConfig) { c.MaxMsgSize = 1000 })
	s := open(t, natssink.Config{})
	errs := send(t, s, keyed(subject, "a", strings.Repeat("x", 3_000_000)), keyed(subject, "a", strings.Repeat("x", 5000)), keyed(subject, "a", "third"))
	if !outbox.IsPermanent(errs[0]) || !outbox.IsPermanent(errs[1]) || errs[2] != nil {
		t.Errorf("answers %v", errs)
	}
}

func TestASubjectWithoutAStreamIsTriedOnce(t *testing.T) {
	s := open(t, natssink.Config{})
	ms := make([]outbox.Message, 500)
	for i := range ms {
		ms[i] = keyed("nobody.listens", fmt.Sprint(i%7), "x")
	}
	for i, err := range send(t, s, ms...) {
		if err == nil || outbox.IsPermanent(err) || outbox.IsUnavailable(err) {
			t.Fatalf("message %d: a missing stream is a failure that counts: %v", i, err)
		}
		contains(t, err, "create one")
	}
}
