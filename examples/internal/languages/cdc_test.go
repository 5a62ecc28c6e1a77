package languages

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/sink/kafkasink"
)

// The record of the order that was placed first is in Debezium's snapshot of the
// table, the second one in the log, and the one that was rolled back in neither.
func TestDebeziumReadsTheTableAsItsConfigurationSays(t *testing.T) {
	testenv.Control(t, testenv.Postgres15) // it is restarted, to log what Debezium needs
	obtain(t, "cdc", []string{"javac", "mvn"})
	printed, err := sample(t, "", "cdc")
	if err != nil {
		t.Fatalf("%v\n%s", err, printed)
	}
	if want := "order 4712: card declined, so neither the order nor its event exists\n"; !strings.Contains(printed, want) {
		t.Errorf("it did not print %q", want)
	}
	_, text, _ := strings.Cut(printed, "what Debezium would write to Kafka:\n")
	records := strings.Split("\n"+strings.TrimSpace(text), "\ntopic: ")[1:]
	if len(records) != 2 {
		t.Fatalf("%d records, want 2:\n%s", len(records), printed)
	}
	var ids []string
	for i, want := range []struct{ topic, key, value string }{
		{"outbox.event.Order, from the snapshot", "4711", `{"id":"4711","total":12}`},
		{"outbox.event.Order, from the log", "4713", `{"id":"4713","total":30}`},
	} {
		topic, r := record(t, records[i])
		if topic != want.topic || string(r.Key) != want.key || string(r.Value) != want.value {
			t.Errorf("%s, %s, %s, want %+v", topic, r.Key, r.Value, want)
		}
		// A consumer takes it for a message of a relay.
		m := kafkasink.Message(r)
		if m.EventID == "" || m.EventID != m.Headers["id"] || m.EventType != "OrderPlaced" ||
			m.Headers["outbox_aggregate_type"] != "Order" || m.Headers["outbox_aggregate_id"] != want.key ||
			m.Headers["outbox_tenant_id"] != "acme" || m.Headers["outbox_headers"] != `{"source":"web"}` {
			t.Errorf("received %+v", m)
		}
		ids = append(ids, m.EventID)
	}
	if ids[0] == ids[1] {
		t.Errorf("both have the id %s", ids[0])
	}
}

// record reads what the sample printed of one: its topic, and then the rest.
func record(t *testing.T, text string) (topic string, r *kgo.Record) {
	t.Helper()
	r = new(kgo.Record)
	for i, line := range strings.Split(text, "\n") {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch {
		case i == 0:
			topic = line
		case name == "key":
			r.Key = []byte(strings.TrimSpace(value))
		case name == "value":
			r.Value = []byte(value)
		default:
			r.Headers = append(r.Headers, kgo.RecordHeader{Key: name, Value: []byte(value)})
		}
	}
	return topic, r
}

// Every column that the configuration names, and none that holds a claim, is one
// that a writer fills in.
func TestTheConnectorNamesColumnsOfWriters(t *testing.T) {
	text, err := os.ReadFile("../../cdc/connector.json")
	if err != nil {
		t.Fatal(err)
	}
	var connector struct{ Config map[string]string }
	if err := json.Unmarshal(text, &connector); err != nil {
		t.Fatal(err)
	}
	columns := []string{"event_id", "event_type", "aggregate_type", "aggregate_id", "tenant_id", "correlation_id", "payload", "headers"}
	var named []string
	for key, value := range connector.Config {
		switch {
		case strings.Contains(key, ".table.field.event."), strings.HasSuffix(key, ".route.by.field"):
			named = append(named, value)
		case strings.HasSuffix(key, ".additional.placement"):
			for part := range strings.SplitSeq(value, ",") {
				column, header, _ := strings.Cut(part, ":header:outbox_")
				if header != column && column != "headers" {
					t.Errorf("%s is the header %s", column, header)
				}
				named = append(named, column)
			}
		}
	}
	slices.Sort(named)
	slices.Sort(columns)
	if named = slices.Compact(named); !slices.Equal(named, columns) {
		t.Errorf("it names %q, want %q", named, columns)
	}
}
