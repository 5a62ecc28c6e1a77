package rabbitsink

import (
	"strings"
	"testing"
)

func TestAMissingExchangeOrQueueIsNamed(t *testing.T) {
	b := dialBroker(t)
	exchange := b.exchange()
	for _, c := range []struct {
		there, missing string
		byQueue        bool
	}{{exchange, "exchange", false}, {b.queue("", "", nil), "queue", true}} {
		s, err := New(Config{URL: b.url, DefaultExchange: c.byQueue})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Inspect(t.Context(), c.there); err != nil {
			t.Error(err)
		}
		if err := s.Inspect(t.Context(), c.there+"-not"); err == nil || !strings.Contains(err.Error(), c.missing+" ") || !strings.Contains(err.Error(), "does not exist") {
			t.Errorf("got %v", err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
