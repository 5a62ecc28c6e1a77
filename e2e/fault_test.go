//go:build !race

package e2e

import (
	"testing"
	"time"

	"github.com/sendoff-go/outbox/internal/testenv"
)

// Scenario 41.
func TestARelayThatDiesBeforeTheSettleRepeatsTheEventWithItsID(t *testing.T) {
	s, b := openShop(t, testenv.Postgres15), openRabbit(t)
	proxy := b.through(t, 2*time.Minute)
	config := relayConfig(t, s, lasting, route{"order-placed", b})
	first := startRelays(t, 1, never, config)
	s.work(t, "order-placed", 10, 1000)()
	eventually(t, "the relay is connected and has settled", s.settled(t), first.log.String)

	proxy.Mute() // what is published arrives, and no answer comes back
	must(t, s.more(t, "order-placed", 11))
	eventually(t, "it was published", func() bool { return b.arrived(t) >= 11 }, first.log.String)
	first.end()
	s.expire(t)
	proxy.Pass()
	second := startRelays(t, 1, never, config)
	s.wantSettled(t)
	second.end()
	if again := wantOnWire(t, b, s); again != 1 {
		t.Errorf("%d events came again, expected the one that was under way", again)
	}
}

// Scenario 72, its first half.
func TestABrokerThatAcceptsAndNeverAnswersSpendsNoAttempt(t *testing.T) {
	const bound = 3 * time.Second // enough to connect in, on a busy machine
	s, b := openShop(t, testenv.Postgres15), openRabbit(t)
	proxy := b.through(t, bound)
	proxy.Hang()
	relays := startRelays(t, 2, never, relayConfig(t, s, soonOver, route{"order-placed", b}))
	s.work(t, "order-placed", 200, 1000)()
	pass(t.Context(), 10*bound)
	if n := s.count(t, "SELECT count(*) FROM outbox_event WHERE status <> 0 OR attempts <> 0"); n != 0 {
		t.Errorf("%d events are not as they were\n%s", n, s.describe(t)())
	}
	proxy.Pass()
	s.wantSettled(t)
	relays.end()
	t.Logf("%d events came again on the wire", wantOnWire(t, b, s))
}

// Scenarios 36 and 73: each relay has its own type and broker, and Kafka is
// away while RabbitMQ goes on.
func TestAnOutageOfOneTypeDoesNotDelayAnotherOnTheSameTable(t *testing.T) {
	if testing.Short() {
		t.Skip("stops a server: run without -short")
	}
	server := testenv.Control(t, testenv.Kafka)
	s, away, there := openShop(t, testenv.Postgres15), openKafka(t), openRabbit(t)
	one := startRelays(t, 1, never, relayConfig(t, s, lasting, route{"away", away}))
	two := startRelays(t, 1, never, relayConfig(t, s, lasting, route{"there", there}))
	server.Stop()
	for order := range 100 {
		must(t, s.more(t, "away", 2*order))
		must(t, s.more(t, "there", 2*order+1))
	}
	eventually(t, "what RabbitMQ gets has arrived", func() bool { return there.arrived(t) >= 100 }, two.log.String)
	eventually(t, "it is settled", func() bool {
		return s.count(t, "SELECT count(*) FROM outbox_event WHERE status = 1") == 100
	}, s.describe(t))
	server.Start()
	s.wantSettled(t)
	one.end()
	two.end()
	if n, m := len(away.wire(t)), len(there.wire(t)); n != 100 || m != 100 {
		t.Errorf("%d events are in Kafka and %d in RabbitMQ, expected 100 each", n, m)
	}
}

// Scenario 56, its second half.
func TestADatabaseThatCrashesUnderLoadLosesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("crashes servers: run without -short")
	}
	for _, database := range []string{testenv.Postgres15, testenv.MySQL80} {
		t.Run(database, func(t *testing.T) {
			server := testenv.Control(t, database)
			s, b := openShop(t, database), openRabbit(t)
			relays := startRelays(t, 2, never, relayConfig(t, s, soonOver, route{"order-placed", b}))
			wait := s.work(t, "order-placed", 3000, 500)
			eventually(t, "events flow", func() bool { return b.arrived(t) > 500 }, relays.log.String)
			server.Crash()
			server.Start()
			wait()
			s.wantSettled(t)
			relays.spare()
			if relays.ended.Load() > 0 {
				t.Errorf("%d relays ended\n%s", relays.ended.Load(), relays.log)
			}
			relays.end()
			t.Logf("%d events came again on the wire", wantOnWire(t, b, s))
		})
	}
}
