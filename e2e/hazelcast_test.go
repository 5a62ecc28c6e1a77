//go:build !race

package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/hazelrig"
	"github.com/sendoff-go/outbox/internal/testenv"
)

// hazelcast is a cluster of two members with a reliable topic, which a program
// in Java listens to.
type hazelcast struct {
	addresses []string
	name      string
	listener  *hazelrig.Listener
	second    *testenv.Server
}

func openHazelcast(t *testing.T) *hazelcast {
	t.Helper()
	h := &hazelcast{name: "orders-" + strings.ToLower(outbox.NewID())}
	testenv.Control(t, testenv.Hazelcast)
	h.addresses = []string{hazelrig.Address(t)}
	h.listener = hazelrig.Start(t)
	t.Cleanup(h.listener.Stop)
	h.listener.Listen(t, h.name, true)
	t.Setenv("OUTBOX_TEST_HAZELCAST_JOIN", testenv.URL(t, testenv.Hazelcast))
	h.second = testenv.Control(t, testenv.Hazelcast)
	h.addresses = append(h.addresses, hazelrig.Address(t))
	return h
}

func (h *hazelcast) sender() string {
	return fmt.Sprintf("{type: hazelcast, addresses: [%q, %q], cluster-name: %s, reliable: true}", h.addresses[0], h.addresses[1], hazelrig.ClusterName)
}

func (h *hazelcast) topic() string { return h.name }

func (h *hazelcast) consumer() consumerConfig { panic("consumers of Hazelcast are written in Java") }

// wire returns what has arrived. The ring buffer is larger than what the tests
// send.
func (h *hazelcast) wire(t *testing.T) (ids []string) {
	t.Helper()
	for _, a := range h.listener.Receive(t, h.name, 0, 0) {
		ids = append(ids, a.EventID)
	}
	return ids
}

func TestEveryEventReachesAHazelcastTopicWhateverIsKilled(t *testing.T) {
	testHazelcast(t, testenv.Postgres15, 6000, 400)
}

func TestEveryEventOnTiDBReachesHazelcastWhateverIsKilled(t *testing.T) {
	testHazelcast(t, testenv.TiDB, 4500, 300)
}

// testHazelcast places orders while a relay is killed every second, and in the
// middle one of two members: all events arrive.
func testHazelcast(t *testing.T, database string, orders, perSecond int) {
	if testing.Short() {
		t.Skip("takes a minute: run without -short")
	}
	testenv.URL(t, database) // or skip before members are started
	b, s := openHazelcast(t), openShop(t, database)
	relays := startRelays(t, 2, s.killing(perSecond), relayConfig(t, s, soonOver, route{"order-placed", b}))
	wait := s.work(t, "order-placed", orders, perSecond)
	pass(t.Context(), 6*time.Second)
	b.second.Crash()
	wait()
	pass(t.Context(), 3*time.Second)
	relays.spare()
	s.wantSettled(t)
	eventually(t, "all events have arrived", func() bool {
		ids := map[string]bool{}
		for _, id := range b.wire(t) {
			ids[id] = true
		}
		return len(ids) >= orders
	}, relays.log.String)
	relays.end()
	t.Logf("relays were killed %d times; %d events came again on the wire", relays.killed, wantOnWire(t, b, s))
	if relays.ended.Load() > 0 {
		t.Errorf("%d relays ended by themselves\n%s", relays.ended.Load(), relays.log)
	}
}
