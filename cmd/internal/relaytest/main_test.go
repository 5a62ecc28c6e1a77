package relaytest_test

import (
	"fmt"
	"log/slog"
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/relaykit"
)

func TestMain(m *testing.M) {
	if url := os.Getenv(childURL); url != "" {
		if err := childMain(url); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

func quietLog() *slog.Logger { return relaykit.QuietLog() }

func numbered(eventType string, from, to int) []outbox.Event {
	return relaykit.Numbered(eventType, from, to)
}
