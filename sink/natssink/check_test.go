package natssink_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/faultproxy"
	"github.com/sendoff-go/outbox/sink/natssink"
)

func TestACheckAsksTheStreamsThatFailedAndLeavesNothingThere(t *testing.T) {
	subject := newSubject(t, nil)
	p := faultproxy.New(t, server(t))
	s := open(t, natssink.Config{URL: "nats://" + p.Addr()})
	mustSend(t, s, message(subject, "x"))
	p.Mute()
	stored := consume(t, subject)
	ctx, cancel := context.WithCancel(t.Context())
	answers := make(chan []error, 1)
	go func() {
		answers <- s.Send(ctx, []outbox.Message{message(subject, "y"), message("missing."+subject, "y")})
	}()
	stored.receive(2, patience)
	cancel()
	if errs := <-answers; !outbox.IsUnavailable(errs[0]) {
		t.Fatal(errs)
	}
	p.Pass()
	eventually(t, "the check passes", func() bool { return s.Check(t.Context()) == nil })
	if got := stored.settled(2); len(got) != 2 {
		t.Errorf("%d messages are in the stream, expected the 2 that were sent", len(got))
	}
}

// A subscriber that is not a stream would take the check for an event.
func TestSubscribersDoNotReceiveChecks(t *testing.T) {
	subject := newSubject(t, nil)
	nc := dial(t, "nats://"+server(t))
	defer nc.Close()
	heard, err := nc.SubscribeSync(subject)
	if err == nil {
		err = nc.FlushTimeout(patience) // the server knows of it
	}
	if err != nil {
		t.Fatal(err)
	}
	p := faultproxy.New(t, server(t))
	s := open(t, natssink.Config{URL: "nats://" + p.Addr()})
	mustSend(t, s, message(subject, "x"))
	p.Hang()
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_ = s.Send(ctx, []outbox.Message{message(subject, "y")})
	p.Pass()
	eventually(t, "the check passes", func() bool { return s.Check(t.Context()) == nil })
	mustSend(t, s, message(subject, "last"))
	for {
		m, err := heard.NextMsg(patience)
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Data) == 0 {
			t.Fatalf("the check sent a message with the headers %v", m.Header)
		}
		if string(m.Data) == "last" {
			return
		}
	}
}

// Such a user gets no answer, which must not look like an outage.
func TestTheCheckOfAUserWhoMayOnlyPublishPasses(t *testing.T) {
	url := startNATS(t, `authorization { users: [
		{ user: admin, password: secret },
		{ user: app, password: secret, permissions: { publish: "orders", subscribe: "_INBOX.>" } } ] }`)
	nc := dial(t, url, nats.UserInfo("admin", "secret"))
	defer nc.Close()
	if _, err := streamsOf(t, nc).CreateStream(t.Context(), jetstream.StreamConfig{Name: "orders", Subjects: []string{"orders"}, Storage: jetstream.MemoryStorage}); err != nil {
		t.Fatal(err)
	}
	p := faultproxy.New(t, strings.TrimPrefix(url, "nats://"))
	s := open(t, natssink.Config{URL: "nats://" + p.Addr(), User: "app", Password: "secret"})
	mustSend(t, s, message("orders", "x"))
	p.Mute()
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if errs := s.Send(ctx, []outbox.Message{message("orders", "y")}); !outbox.IsUnavailable(errs[0]) {
		t.Fatal(errs)
	}
	p.Pass()
	soon, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := s.Check(soon); err != nil {
		t.Error(err)
	}
}
