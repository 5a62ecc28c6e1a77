package dashtest

import (
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/textparse"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/util/teststorage"
)

// panel is one of deploy/grafana/outbox.json.
type panel struct {
	Title   string
	GridPos struct{ X, Y, W, H int }
	Targets []struct{ RefID, Expr string }
}

func panels(t *testing.T) []panel {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(top, "deploy/grafana/outbox.json"))
	if err != nil {
		t.Fatal(err)
	}
	var board struct{ Panels []panel }
	if err := json.Unmarshal(text, &board); err != nil {
		t.Fatal(err)
	}
	if len(board.Panels) == 0 {
		t.Fatal("there is no panel")
	}
	return board.Panels
}

// began is when the first scrape is stored. The others follow every half minute,
// however fast they come: a rate needs two of them within five minutes.
var began = time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC)

// store keeps the samples of scrapes as Prometheus does.
func store(t *testing.T, scrapes ...string) (*teststorage.TestStorage, time.Time) {
	t.Helper()
	s, at := teststorage.New(t), began
	for i, text := range scrapes {
		at = began.Add(time.Duration(i) * 30 * time.Second)
		a, symbols := s.Appender(t.Context()), labels.NewSymbolTable()
		p, err := textparse.New([]byte(text), "text/plain", symbols, textparse.ParserOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for {
			entry, err := p.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if entry != textparse.EntrySeries {
				continue
			}
			_, _, value := p.Series()
			var series labels.Labels
			p.Labels(&series)
			if _, err := a.Append(0, series, at.UnixMilli(), value); err != nil {
				t.Fatal(err)
			}
		}
		if err := a.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	return s, at
}

// above is a condition on a scrape: a series of that name, with that text in its
// labels, exceeds a value.
func above(name, with string, than float64) func(string) bool {
	return func(line string) bool {
		series, value, _ := strings.Cut(line, "} ")
		v, err := strconv.ParseFloat(value, 64)
		return strings.HasPrefix(series, name+"{") && strings.Contains(series, with) && err == nil && v > than
	}
}

// must are the panels that have something to show, beyond a line at zero, once the
// daemon has delivered, failed, given up, and lost a table for a moment.
var must = map[string]bool{
	"Waiting and being delivered": true, "Age of the oldest due event": true, "Open dead letters": true, "Delivered": true,
	"Failed attempts and events given up": true, "From INSERT or claim to the end of the delivery, p99": true,
	"Duration of a delivery, p99": true, "Destinations that are down or paused": true, "Statements that fail": true,
	"Hot queue: entered, and found full": true,
}

func TestEveryPanelShowsTheMetricsOfARunningDaemon(t *testing.T) {
	d := startDaemon(t)
	scrapes := []string{d.scrape(func(line string) bool { return strings.HasPrefix(line, "outbox_events_by_status{") })}
	for _, one := range []string{"OrderPlaced", "OrderRefused", "OrderFailed", "OrderLate"} {
		d.write(one, 20)
	}
	scrapes = append(scrapes, d.scrape(
		above("outbox_entries_delivered_total", "OrderPlaced", 19), above("outbox_entries_failed_total", "OrderRefused", 19),
		above("outbox_dlq_events_by_event_type_and_status", "OrderRefused", 19), above("outbox_events_rate_total", `status="failed"`, 0),
	))
	d.exec("ALTER TABLE outbox_event RENAME TO lost")
	d.scrape(above("outbox_loop_errors_total", "", 0))
	d.exec("ALTER TABLE lost RENAME TO outbox_event")
	d.write("OrderPlaced", 20)
	scrapes = append(scrapes, d.scrape(
		above("outbox_entries_delivered_total", "OrderPlaced", 39), above("outbox_oldest_event_lag_seconds", "OrderLate", 0),
		func(line string) bool { return line == "outbox_destinations_down 1" },
	))
	samples, at := store(t, scrapes...)
	engine := promql.NewEngine(promql.EngineOpts{Logger: slog.New(slog.DiscardHandler), MaxSamples: 1_000_000, Timeout: time.Minute})
	for _, p := range panels(t) {
		largest := math.Inf(-1)
		for _, target := range p.Targets {
			q, err := engine.NewInstantQuery(t.Context(), samples, nil, target.Expr, at)
			if err != nil {
				t.Errorf("%s, %s: %v", p.Title, target.RefID, err)
				continue
			}
			result := q.Exec(t.Context())
			vector, err := result.Vector()
			if err != nil || len(vector) == 0 {
				t.Errorf("%s, %s: %s shows nothing, error %v", p.Title, target.RefID, target.Expr, err)
			}
			for _, s := range vector {
				if !math.IsNaN(s.F) {
					largest = max(largest, s.F)
				}
			}
			q.Close()
		}
		if must[p.Title] && !(largest > 0) {
			t.Errorf("%s shows nothing but zero: %v", p.Title, largest)
		}
		delete(must, p.Title)
	}
	if len(must) > 0 {
		t.Errorf("there are no panels %v", must)
	}
}

func TestPanelsDoNotOverlap(t *testing.T) {
	taken := map[[2]int]string{}
	for _, p := range panels(t) {
		for x := p.GridPos.X; x < p.GridPos.X+p.GridPos.W; x++ {
			for y := p.GridPos.Y; y < p.GridPos.Y+p.GridPos.H; y++ {
				if other := taken[[2]int{x, y}]; other != "" || x >= 24 {
					t.Fatalf("%s is at %d, %d, where %q is or the grid ends", p.Title, x, y, other)
				}
				taken[[2]int{x, y}] = p.Title
			}
		}
	}
}
