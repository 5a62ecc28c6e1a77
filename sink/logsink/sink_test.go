package logsink_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/sink/logsink"
	"github.com/sendoff-go/outbox/sinktest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// keeper is a log that keeps its records as messages. Payloads are whole, since
// the suite checks them.
type keeper struct {
	mu  sync.Mutex
	got []sinktest.Arrival
}

func (*keeper) Enabled(context.Context, slog.Level) bool { return true }
func (k *keeper) WithAttrs([]slog.Attr) slog.Handler     { return k }
func (k *keeper) WithGroup(string) slog.Handler          { return k }

func (k *keeper) Handle(_ context.Context, r slog.Record) error {
	a := sinktest.Arrival{Received: outbox.Received{Payload: []byte{}}}
	r.Attrs(func(attr slog.Attr) bool {
		switch attr.Key {
		case "event_id":
			a.EventID = attr.Value.String()
		case "event_type":
			a.EventType = attr.Value.String()
		case "key":
			a.Key = attr.Value.String()
		case "payload":
			a.Payload = []byte(attr.Value.String())
		case "headers":
			a.Headers = attr.Value.Any().(map[string]string)
		}
		return true
	})
	k.mu.Lock()
	defer k.mu.Unlock()
	k.got = append(k.got, a)
	return nil
}

// The laws about bytes are left out: a log holds text.
func TestSink(t *testing.T) {
	open := func(testing.TB) sinktest.Subject {
		k := &keeper{}
		s, err := logsink.New(logsink.Config{Logger: slog.New(k), Payload: outbox.MaxPayload, Headers: true})
		if err != nil {
			t.Fatal(err)
		}
		return sinktest.Subject{
			Sink: s, Destination: "log", Keyed: true,
			Receive: func(int, time.Duration) []sinktest.Arrival {
				k.mu.Lock()
				defer k.mu.Unlock()
				return k.got[:len(k.got):len(k.got)]
			},
		}
	}
	for _, law := range sinktest.Laws() {
		if law.Applies != nil && !law.Applies(open(t)) || strings.Contains(law.Name, "byte for byte") ||
			strings.Contains(law.Name, "larger than a message") || strings.Contains(law.Name, "largest payload") {
			continue
		}
		t.Run(law.Name, func(t *testing.T) {
			s := open(t)
			s.MaxPayload = outbox.MaxPayload
			law.Check(t, s)
		})
	}
}

func TestPayloadAndHeadersAreLoggedOnlyIfAskedFor(t *testing.T) {
	e := outbox.Event{Type: "OrderPlaced", JSON: []byte(`{"card":"4711"}`)}
	e.ID, e.AggregateID = "id-1", "7"
	m := outbox.Message{Event: e, Destination: "orders", Key: "7", Headers: map[string]string{"token": "4711"}}
	for _, c := range []struct {
		cfg  logsink.Config
		want map[string]any
	}{
		{logsink.Config{}, map[string]any{
			"level": "INFO", "msg": "outbox: event", "event_id": "id-1", "event_type": "OrderPlaced",
			"destination": "orders", "key": "7", "aggregate_id": "7", "bytes": 15.0,
		}},
		{logsink.Config{Payload: 8, Headers: true, Level: slog.LevelWarn}, map[string]any{
			"level": "WARN", "msg": "outbox: event", "event_id": "id-1", "event_type": "OrderPlaced",
			"destination": "orders", "key": "7", "aggregate_id": "7", "bytes": 15.0,
			"payload": `{"card":`, "headers": map[string]any{"token": "4711"},
		}},
	} {
		var out bytes.Buffer
		c.cfg.Logger = slog.New(slog.NewJSONHandler(&out, nil))
		s, err := logsink.New(c.cfg)
		if err != nil {
			t.Fatal(err)
		}
		s.Send(t.Context(), []outbox.Message{m})
		var got map[string]any
		if err := json.Unmarshal(out.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		delete(got, "time")
		gotText, _ := json.Marshal(got)
		wantText, _ := json.Marshal(c.want)
		if !bytes.Equal(gotText, wantText) {
			t.Errorf("logged %s, want %s", gotText, wantText)
		}
	}
}

// onLogger makes a sink on a logger.
func onLogger(t *testing.T, l *slog.Logger) *logsink.Sink {
	t.Helper()
	s, err := logsink.New(logsink.Config{Logger: l})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestNoSecretOfADestinationIsLogged(t *testing.T) {
	var out bytes.Buffer
	s := onLogger(t, slog.New(slog.NewTextHandler(&out, nil)))
	m := outbox.Message{Event: outbox.Event{Type: "a", JSON: []byte(`{}`)}, Destination: "https://me:p4ss@host/p4ss?token=p4ss"}
	if errs := s.Send(t.Context(), []outbox.Message{m}); errs != nil {
		t.Fatal(errs)
	}
	if got := out.String(); strings.Contains(got, "p4ss") || !strings.Contains(got, "https://*****@host/*****") {
		t.Errorf("logged %s", got)
	}
}

func TestALoggerWithAHigherLevelLosesNoEvent(t *testing.T) {
	var out bytes.Buffer
	s := onLogger(t, slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelError})))
	if errs := s.Send(t.Context(), []outbox.Message{{Event: outbox.Event{Type: "OrderPlaced", JSON: []byte(`{}`)}}}); errs != nil || !strings.Contains(out.String(), "event_type=OrderPlaced") {
		t.Errorf("answered %v and logged %q", errs, out.String())
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestALogThatCannotBeWrittenIsUnavailable(t *testing.T) {
	s := onLogger(t, slog.New(slog.NewTextHandler(full{}, nil)))
	errs := s.Send(t.Context(), []outbox.Message{{Event: outbox.Event{Type: "OrderPlaced", JSON: []byte(`{}`)}}})
	if len(errs) != 1 || !outbox.IsUnavailable(errs[0]) {
		t.Errorf("answered %v", errs)
	}
}

func ExampleNew() {
	handler := slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}})
	sink, err := logsink.New(logsink.Config{Logger: slog.New(handler)})
	if err != nil {
		log.Fatal(err)
	}
	registry := outbox.NewRegistry()
	registry.Route("*", sink, outbox.To("orders"))

	event := outbox.Event{Type: "OrderPlaced", JSON: []byte(`{"total":12}`)}
	event.ID = "01J"
	driver.DestinationOf(registry.Lookup("", "OrderPlaced")).Deliver(context.Background(), []outbox.Event{event})
	// Output: level=INFO msg="outbox: event" event_id=01J event_type=OrderPlaced destination=orders bytes=12
}
