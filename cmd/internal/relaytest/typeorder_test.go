package relaytest_test

import (
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/internal/relaykit"
)

func TestTypesOfOneAggregateRunInOrderOnEveryDatabase(t *testing.T) {
	const orders = 10 // few enough for the first claim, which names all lanes
	cfg := fast
	cfg.Lane.Interval = time.Hour
	onDatabases(t, func(t *testing.T, h *dburl.Handle) {
		reg := outbox.NewRegistry()
		j := relaykit.NewJournal(reg, orders)
		writeDB(t, h.Writer(), relaykit.Lives(orders)...)
		_, stop := runRelay(t, h, reg, cfg)
		select {
		case <-j.All:
		case <-time.After(patience):
		}
		stop()
		j.Check(t, orders)
	})
}
