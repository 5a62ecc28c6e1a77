package rabbitsink

import (
	"context"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/await"
)

// A real alarm affects all clients of the broker, so the test fakes the
// broker's messages on one connection.

func TestABrokerIsUnavailableWhileItBlocksPublishers(t *testing.T) {
	b := dialBroker(t)
	exchange := b.exchange()
	b.queue(exchange, "#", nil)
	p := newSpeaker(t, hostOf(t))
	s := open(t, Config{URL: through(t, p.Addr().String())})
	delivered(t, s.Send(t.Context(), []outbox.Message{message(exchange, "a")}))

	p.say(connectionMethod(60, "\x0alow on mem"))
	await.Until(t, "the alarm is heard", func() bool { return s.Check(t.Context()) != nil })
	if err := s.Check(t.Context()); !outbox.IsUnavailable(err) || !strings.Contains(err.Error(), "low on mem") {
		t.Errorf("the check says %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if err := s.Send(ctx, []outbox.Message{message(exchange, "a")})[0]; !outbox.IsUnavailable(err) || !strings.Contains(err.Error(), "low on mem") {
		t.Errorf("got %v", err)
	}
	p.say(connectionMethod(61, ""))
	await.Until(t, "the alarm is over", func() bool { return s.Send(t.Context(), []outbox.Message{message(exchange, "a")})[0] == nil })
}

// connectionMethod returns a frame of the connection class with these
// arguments.
func connectionMethod(method byte, args string) string {
	return "\x01\x00\x00\x00\x00\x00" + string(rune(4+len(args))) + "\x00\x0a\x00" + string(rune(method)) + args + "\xce"
}

// speaker is a proxy that can inject messages to the client.
type speaker struct {
	net.Listener
	mu     sync.Mutex
	client net.Conn
}

func newSpeaker(t *testing.T, server string) *speaker {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &speaker{Listener: l}
	var wg sync.WaitGroup
	t.Cleanup(func() { _ = l.Close(); wg.Wait() })
	wg.Go(func() {
		client, err := l.Accept()
		if err != nil {
			return
		}
		defer func() { _ = client.Close() }()
		broker, err := net.Dial("tcp", server)
		if err != nil {
			return
		}
		defer func() { _ = broker.Close() }()
		p.mu.Lock()
		p.client = client
		p.mu.Unlock()
		wg.Go(func() {
			_, _ = io.Copy(broker, client)
			_ = broker.Close()
		})
		buf := make([]byte, 4096)
		for {
			n, err := broker.Read(buf)
			if err != nil {
				return
			}
			p.say(string(buf[:n]))
		}
	})
	return p
}

func (p *speaker) say(s string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, _ = io.WriteString(p.client, s)
}
