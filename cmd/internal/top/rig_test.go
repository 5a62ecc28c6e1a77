package top

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// shop is an outbox whose relay delivers ten events a second and announces itself
// every five. It is safe for concurrent use.
type shop struct {
	start time.Time

	mu    sync.Mutex
	reads int
	err   error
}

func (s *shop) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
}

func (s *shop) Status(context.Context) (admin.Status, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reads++
	return state(s.start, time.Now()), s.err
}

func (s *shop) Alerts(context.Context, driver.AlertFilter, int) ([]admin.Alert, error) {
	return alertsOf(s.start), nil
}

func (s *shop) Problem(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", doing, err)
}

func (s *shop) read() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reads
}

var errDown = errors.New("the database is down")

func alertsOf(start time.Time) []admin.Alert {
	over, later := start, start.Add(24*time.Hour)
	return []admin.Alert{
		{Severity: driver.SeverityCritical, Text: "The destination \x1b[2Jbilling is down", RaisedAt: start},
		{Severity: driver.SeverityWarning, Text: "over", RaisedAt: start, ResolvedAt: &over},
		{Severity: driver.SeverityWarning, Text: "muted", RaisedAt: start, MutedUntil: &later},
	}
}

// state is that of the shop at some time.
func state(start, now time.Time) admin.Status {
	seen := start.Add(now.Sub(start).Truncate(5 * time.Second))
	n := int64(10 * seen.Sub(start).Seconds())
	_, below := driver.AgeBounds(driver.AgeBucket(10 * time.Millisecond))
	since := start
	return admin.Status{
		Lane: admin.Lane{Type: "*", Waiting: admin.Count{N: 12345, More: true}, Held: admin.Count{N: 7}, Dead: admin.Count{N: 42}, OldestDue: 75},
		Types: []admin.Lane{
			{Type: "OrderPlaced", Waiting: admin.Count{N: 3}},
			{Type: "InvoiceRequested", Waiting: admin.Count{N: 12000}, Dead: admin.Count{N: 42}, OldestDue: 75},
			{Type: "evil\x1b]0;\a\n", Waiting: admin.Count{N: 1}, OldestDue: 3},
		},
		Relays: []admin.Relay{{
			Owner: "shop-1/19b126712371326e", Version: "v1.2.3", StartedAt: start.Add(-time.Hour), SeenAt: seen, Types: []string{"OrderPlaced", "InvoiceRequested"},
			Figures: admin.Figures{Workers: 4, Held: 7, Busy: float64(n) / 10, Types: []admin.TypeFigures{
				{Type: "OrderPlaced", Delivered: n, Hot: n, Ages: []admin.AgeBucket{{Below: below.Seconds(), N: n}}},
				{Type: "InvoiceRequested", Failed: n / 5},
			}},
		}},
		Paused: []string{},
		Destinations: []admin.Destination{
			{Name: "billing", State: admin.DestinationDown, DownSince: &since, Reason: "connection\nrefused", Types: []string{"InvoiceRequested"}},
			{Name: "fine", State: admin.DestinationDelivering},
			{Name: "mail", State: admin.DestinationPaused, PausedBy: "Ada"},
		},
	}
}

// watched is a view of the shop after half a minute.
func watched(t *testing.T) View {
	t.Helper()
	start := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	w := &watch{from: &shop{}}
	for i := range 16 {
		at := start.Add(time.Duration(i) * Refresh)
		w.note(state(start, at), alertsOf(start), nil, at)
	}
	if !w.view.Known {
		t.Fatal("no rates are known")
	}
	return w.view
}

func missing(t *testing.T, text string, wanted ...string) {
	t.Helper()
	for _, want := range wanted {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}
