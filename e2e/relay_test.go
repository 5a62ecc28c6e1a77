//go:build !race

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// route is an event type and where it goes.
type route struct {
	event string
	to    broker
}

// Leases of relays: one that is soon over when a relay is killed, and one that a
// machine which stands still does not outlast, where events may come only once.
const soonOver, lasting = 15 * time.Second, 2 * time.Minute

// relayConfig writes the configuration of a relay of that shop and returns its
// path.
func relayConfig(t *testing.T, s *shop, lease time.Duration, routes ...route) string {
	t.Helper()
	var senders, events string
	for i, r := range routes {
		senders += fmt.Sprintf("      s%d: %s\n", i, r.to.sender())
		events += fmt.Sprintf("      %q: {topic: %q, sender: s%d}\n", r.event, r.to.topic(), i)
	}
	text := fmt.Sprintf(`outbox:
  lease: %s
  database: {url: %q}
  admin: {addr: ""}
  publisher:
    sender: {bean-name: s0}
    senders:
%s    defaults: {fixed-delay: 100ms}
    events:
%s`, lease, s.url, senders, events)
	file := filepath.Join(t.TempDir(), "outbox.yaml")
	must(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

// startRelays starts n relays with one configuration.
func startRelays(t *testing.T, n int, kill killing, config string) *crew {
	t.Helper()
	return startCrew(t, n, 0, kill, func(log *tail) (*process, error) {
		return startProcess(log, nil, program, "relay", "--config", config)
	})
}
