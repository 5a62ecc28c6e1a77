//go:build !race

package e2e

import (
	"testing"

	"github.com/sendoff-go/outbox/internal/testenv"
)

// broker is a real broker, with a destination for this test.
type broker interface {
	// sender is the YAML of a sender to that destination.
	sender() string
	// topic is the destination.
	topic() string
	// consumer is what a consumer needs to know about the broker.
	consumer() consumerConfig
	// wire returns the id of every message that was ever sent there. Nothing
	// may be sent after it.
	wire(t *testing.T) []string
}

// openBroker makes the destination.
func openBroker(t *testing.T, server string) broker {
	t.Helper()
	if server == testenv.Kafka {
		return openKafka(t)
	}
	return openRabbit(t)
}

// wantOnWire fails the test unless exactly the events of the orders in the
// database are on the wire, and reports how often one came again.
func wantOnWire(t *testing.T, b broker, s *shop) (duplicates int) {
	t.Helper()
	wire := b.wire(t)
	times := map[string]int{}
	for _, id := range wire {
		times[id]++
	}
	for id := range s.placed {
		if times[id] == 0 {
			t.Errorf("event %s has not arrived", id)
		}
	}
	for id := range times {
		_, placed := s.placed[id]
		if _, maybe := s.unknown[id]; !placed && !maybe {
			t.Errorf("event %s arrived, and was never committed", id)
		}
	}
	if n := s.count(t, "SELECT count(*) FROM orders"); n != len(times) {
		t.Errorf("%d orders are in the database, and %d events arrived", n, len(times))
	}
	return len(wire) - len(times)
}
