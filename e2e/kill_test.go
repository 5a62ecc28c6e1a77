//go:build !race

package e2e

import (
	"testing"
	"time"

	"github.com/sendoff-go/outbox/internal/testenv"
)

func TestEachEventHasItsEffectOnceWhateverIsKilled(t *testing.T) {
	for _, c := range []struct{ broker, database string }{
		{testenv.Kafka, testenv.Postgres15},
		{testenv.Kafka, testenv.MySQL80},
		{testenv.RabbitMQ, testenv.Postgres15},
		{testenv.RabbitMQ, testenv.MySQL80},
	} {
		t.Run(c.broker+" and "+c.database, func(t *testing.T) { testKilling(t, c.broker, c.database, 20_000, 1000) })
	}
}

// The embedded store of the one node takes fewer transactions a second.
func TestEachEventOnTiDBHasItsEffectOnceWhateverIsKilled(t *testing.T) {
	testKilling(t, testenv.Kafka, testenv.TiDB, 6000, 300)
}

// testKilling places orders while relays and consumers are killed and the broker
// is away in the middle: each event arrives, none is dead, none has lost an
// attempt, and each has its effect once.
func testKilling(t *testing.T, broker, database string, orders, perSecond int) {
	if testing.Short() {
		t.Skip("takes minutes: run without -short")
	}
	testenv.URL(t, database) // or skip before a broker is started
	server := testenv.Control(t, broker)
	s, b := openShop(t, database), openBroker(t, broker)
	relays := startRelays(t, 2, s.killing(perSecond), relayConfig(t, s, soonOver, route{"order-placed", b}))
	effects := startEffects(t, database, b, 8*time.Second)

	wait := s.work(t, "order-placed", orders, perSecond)
	pass(t.Context(), 6*time.Second)
	server.Stop()
	pass(t.Context(), 10*time.Second)
	server.Start()
	wait()
	pass(t.Context(), 3*time.Second) // of killing with all of it there
	relays.spare()
	effects.awaitDeaths(t)
	effects.spare()
	if n := s.count(t, "SELECT count(*) FROM orders"); n != orders {
		t.Errorf("%d orders are in the database", n)
	}
	t.Logf("when the killing stopped %d events were not settled and %d orders had had their effect",
		s.count(t, "SELECT count(*) FROM outbox_event WHERE status <> 1"), count(t, effects.db, "SELECT count(*) FROM effect"))
	s.wantSettled(t)
	effects.wantOnce(t, s.placed)
	relays.end()
	t.Logf("relays were killed %d times; %d events came again on the wire", relays.killed, wantOnWire(t, b, s))
	if relays.ended.Load() > 0 {
		t.Errorf("%d relays ended by themselves\n%s", relays.ended.Load(), relays.log)
	}
}
