package otel_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/inbox"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/observe/otel"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/store/memstore"
)

var encoder = attribute.DefaultEncoder()

// collected are the series that a reader gets, as name{label=value,...}, and their
// values; of histograms the number of values.
func collected(t *testing.T, reader sdkmetric.Reader) map[string]float64 {
	t.Helper()
	var all metricdata.ResourceMetrics
	if err := reader.Collect(t.Context(), &all); err != nil {
		t.Fatal(err)
	}
	series := map[string]float64{}
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			switch data := m.Data.(type) {
			case metricdata.Sum[int64]:
				if !data.IsMonotonic {
					t.Errorf("%s is no counter", m.Name)
				}
				for _, p := range data.DataPoints {
					series[fmt.Sprintf("%s{%s}", m.Name, p.Attributes.Encoded(encoder))] = float64(p.Value)
				}
			case metricdata.Gauge[float64]:
				for _, p := range data.DataPoints {
					series[fmt.Sprintf("%s{%s}", m.Name, p.Attributes.Encoded(encoder))] = p.Value
				}
			case metricdata.Histogram[float64]:
				for _, p := range data.DataPoints {
					series[fmt.Sprintf("%s{%s}", m.Name, p.Attributes.Encoded(encoder))] = float64(p.Count)
				}
			default:
				t.Errorf("%s is a %T", m.Name, data)
			}
		}
	}
	return series
}

func TestCountersAndGaugesExistFromTheStart(t *testing.T) {
	reader := sdkmetric.NewManualReader()
	tel := otel.New(otel.Config{MeterProvider: sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader)), Types: []string{"A"}})
	series := collected(t, reader)
	for _, want := range []string{
		"outbox.events_rate{event_type=A,status=processed}", "outbox.events_rate{event_type=other,status=failed}", "outbox.events_by_type_rate{type=recovered}",
		"outbox.dlq_events_rate{event_type=A,status=moved}", "consumed_outbox.events{type=duplicated}", "outbox.loop_errors{loop=claim}",
		"outbox.entries_written{event_type=A}", "outbox.hot_dropped{event_type=A}", "outbox.queue_depth{event_type=A,queue=cold}",
		"outbox.oldest_event_lag{event_type=A}", "outbox.destinations_down{}", "outbox.destinations_paused{}", "outbox.events{}", "outbox.dlq_events{}", "outbox.count_bounded{of=events}", "outbox.oldest_due{}",
	} {
		if v, ok := series[want]; !ok || v != 0 {
			t.Errorf("%s is %v, there: %v", want, v, ok)
		}
	}
	if err := tel.Close(); err != nil {
		t.Fatal(err)
	}
	if left := collected(t, reader); len(left) != 0 {
		t.Errorf("after Close there are %v", left)
	}
}

type unreadable struct{}

func (unreadable) Stats(context.Context) (driver.Stats, error) {
	return driver.Stats{}, errors.New("permission denied")
}

func TestACountThatNeverSucceedsIsAnError(t *testing.T) {
	reader := sdkmetric.NewManualReader()
	otel.New(otel.Config{MeterProvider: sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader)), Store: unreadable{}})
	for want := range 3 {
		if n := collected(t, reader)["outbox.loop_errors{loop=count}"]; n != float64(want+1) {
			t.Errorf("%v failed counts, want %d", n, want+1)
		}
	}
}

func TestARelayAWriterAndAConsumerAreCounted(t *testing.T) {
	reader := sdkmetric.NewManualReader()
	c := otel.Config{MeterProvider: sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader)), Types: []string{"good", "bad"}}
	r := newRig(t, c, relay.Config{Lane: relay.LaneConfig{MaxAttempts: 1}}, func(r *rig) {
		consumer, err := inbox.New(memstore.New(memstore.Config{}), r.tel.Inbox(inbox.Config{Group: "billing"}))
		if err != nil {
			t.Fatal(err)
		}
		r.reg.Handle("good", consumer.Listener(func(context.Context, *memstore.Tx, outbox.Event) error { return nil }))
		r.reg.Handle("bad", func(context.Context, outbox.Event) error { return errors.New("no") })
	})
	r.tel.CountIn(r.store)
	for _, eventType := range []string{"good", "good", "bad", "stranger"} {
		if err := r.write(t.Context(), outbox.Event{Type: eventType, JSON: []byte("1")}); err != nil {
			t.Fatal(err)
		}
	}
	r.once()
	r.tel.Hooks().Breaker(observe.BreakerInfo{Target: "x", Open: true})
	r.tel.Hooks().Paused(observe.PausedInfo{Target: "y", Paused: true})
	series := collected(t, reader)
	for name, want := range map[string]float64{
		"outbox.entries_written{event_type=good}": 2, "outbox.entries_written{event_type=other}": 1,
		"outbox.events_rate{event_type=good,status=processed}": 2, "outbox.entries_delivered{event_type=good}": 2,
		"outbox.events_rate{event_type=bad,status=failed}": 1, "outbox.entries_failed{event_type=bad}": 1, "outbox.dlq_events_rate{event_type=bad,status=moved}": 1,
		"outbox.publish_duration{event_type=good}": 2, "outbox.delivery_latency{event_type=good,path=cold}": 2,
		"consumed_outbox.events{type=consumed}": 2, "outbox.destinations_down{}": 1, "outbox.destinations_paused{}": 1, "outbox.dlq_events{}": 1, "outbox.events{}": 1,
	} {
		if got, ok := series[name]; !ok || got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	for name := range series {
		if strings.Contains(name, "stranger") {
			t.Errorf("a type that nobody named is an attribute: %s", name)
		}
	}
}

// The page has the names of Prometheus in one column and the rule for these.
func TestEachMetricIsOneOfThePage(t *testing.T) {
	page, err := os.ReadFile("../../docs/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	reader := sdkmetric.NewManualReader()
	tel := otel.New(otel.Config{MeterProvider: sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader))})
	tel.Hooks().Delivered(observe.DeliveredInfo{Event: &outbox.Event{}})
	var all metricdata.ResourceMetrics
	if err := reader.Collect(t.Context(), &all); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range all.ScopeMetrics[0].Metrics {
		// As Prometheus translates it.
		name := strings.ReplaceAll(m.Name, ".", "_")
		if m.Unit == "s" {
			name += "_seconds"
		}
		if _, counts := m.Data.(metricdata.Sum[int64]); counts {
			name += "_total"
		}
		names = append(names, name)
	}
	var shown []string
	for _, m := range regexp.MustCompile("`((?:outbox|consumed_outbox)_[a-z_]+)`").FindAllStringSubmatch(string(page), -1) {
		shown = append(shown, m[1])
	}
	slices.Sort(names)
	slices.Sort(shown)
	if shown = slices.Compact(shown); !slices.Equal(names, shown) {
		t.Errorf("there are %q, and the page has %q", names, shown)
	}
}
