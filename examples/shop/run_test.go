package main

import (
	"bytes"
	"context"
	"log/slog"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/sendoff-go/outbox/internal/testenv"
)

// TestMain lets the executable of the tests run as billing, and as the shop.
func TestMain(m *testing.M) {
	if os.Getenv(asShop) != "" || len(os.Args) > 1 && os.Args[1] == asBilling {
		main()
		return
	}
	goleak.VerifyTestMain(m)
}

func TestAShortRunOnEmbeddedPartsIsProved(t *testing.T) {
	shortRun(t, config{})
}

func TestAShortRunOnPostgresAndKafkaIsProved(t *testing.T) {
	broker, err := url.Parse(testenv.URL(t, testenv.Kafka))
	if err != nil {
		t.Fatal(err)
	}
	shortRun(t, config{postgres: testenv.URL(t, testenv.Postgres15), kafka: []string{broker.Host}})
}

// shortRun has 60 customers: 4 are declined, 12 cancel their orders.
func shortRun(t *testing.T, c config) {
	t.Helper()
	c = quick(c)
	c.orders = 60
	var out bytes.Buffer
	if err := run(t.Context(), c, &out); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	for _, want := range []string{
		"56 placed, 12 cancelled, 4 declined and rolled back, 0 requests failed\n",
		"proved   56 orders, and each has exactly one invoice\n",
		"proved   12 cancelled orders, and each has exactly one credit note\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("it did not print %q:\n%s", want, &out)
		}
	}
	// Without these the proof would prove little.
	if !regexp.MustCompile(`68 documents written, [1-9]\d* repeated deliveries skipped, [1-9]\d* failures caused\n`).Match(out.Bytes()) {
		t.Errorf("no delivery failed or came twice:\n%s", &out)
	}
}

func quick(c config) config {
	c.addr, c.rate, c.every, c.log = "127.0.0.1:0", 200, 50*time.Millisecond, slog.New(slog.DiscardHandler)
	return c
}

// stopper cancels once orders are placed.
type stopper struct {
	bytes.Buffer
	stop context.CancelFunc
}

func (s *stopper) Write(b []byte) (int, error) {
	if strings.Contains(string(b), " placed") && !strings.Contains(string(b), "orders   0 placed") {
		s.stop()
	}
	return s.Buffer.Write(b)
}

func TestAnInterruptEndsTheTrafficAndIsProved(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out := &stopper{stop: stop}
	if err := run(ctx, quick(config{redraw: true}), out); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if ctx.Err() == nil || !regexp.MustCompile(`proved   [1-9]\d* orders`).MatchString(out.String()) {
		t.Errorf("it ended, but not as it should:\n%s", out)
	}
}
