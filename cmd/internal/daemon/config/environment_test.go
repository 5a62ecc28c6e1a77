package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestEveryKeyHasATwinOfItsOwn(t *testing.T) {
	twins := map[string]string{}
	root.visit([]string{"outbox"}, func(path []string, k *key) {
		name := Twin(path...)
		if other := twins[name]; other != "" {
			t.Errorf("%s is the twin of %s and %s", name, other, dotted(path))
		}
		twins[name] = dotted(path)
	})
	c := read(t, `outbox: {publisher: {defaults: {max-retries: 1}}}`, "OUTBOX_PUBLISHER_DEFAULTS_MAX_RETRIES=9",
		"OUTBOX_PUBLISHER_SENDER_TYPE=kafka", "OUTBOX_PUBLISHER_SENDER_BROKERS=a:1, b:2", "OUTBOX_ADMIN_ADDR=",
		"OUTBOX_PUBLISHER_METRICS_GAUGE_CACHE_TTLS=[1s, 2s, 3s]")
	if c.Publisher.Defaults.MaxRetries != 9 || strings.Join(c.Publisher.Sender.Brokers, "|") != "a:1|b:2" || c.Publisher.Metrics.Gauge.Cache.TTLs[2].Std() != 3*time.Second {
		t.Errorf("got %+v", c.Publisher)
	}
}

func TestTheTwinOfATableOfEntriesIsYAMLAndThatOfAnEntryItsName(t *testing.T) {
	c := read(t, `outbox: {publisher: {sender: {type: log}, events: {order-created: {topic: a}}}}`,
		"OUTBOX_PUBLISHER_EVENTS={invoice.paid: {topic: b}}",
		"OUTBOX_PUBLISHER_EVENTS_ORDER_CREATED_TOPIC=orders",
		"OUTBOX_PUBLISHER_EVENTS_INVOICE_PAID_MAX_RETRIES=0")
	if got := c.Publisher.Events["order-created"].Topic; got != "orders" {
		t.Errorf("topic is %s", got)
	}
	if e := c.Publisher.Events["invoice.paid"]; e.Topic != "b" || e.MaxRetries != 0 {
		t.Errorf("got %+v", e)
	}
}

func TestHeadersOfASenderAreTheUsersOwn(t *testing.T) {
	c := read(t, `outbox: {publisher: {sender: {type: http, url: "http://x", headers: {Authorization: "${T}", X-N: 5}}}}`,
		"T=Bearer x", "OUTBOX_PUBLISHER_SENDER_HEADERS={X-M: '${T}'}")
	h := c.Publisher.Sender.Headers
	if len(h) != 3 || h["Authorization"] != "Bearer x" || h["X-N"] != "5" || h["X-M"] != "${T}" {
		t.Errorf("got %v", h)
	}
	if got := refused(t, `outbox: {publisher: {sender: {type: http, url: "http://x", headers: [a]}}}`); !strings.Contains(got, "outbox.publisher.sender.headers is a table") {
		t.Errorf("got %s", got)
	}
}

func TestATwinThatIsWrongIsNamed(t *testing.T) {
	got := refused(t, "", "OUTBOX_LEASE=long", "OUTBOX_PUBLISHER_EVENTS={a: {topik: b}}")
	for _, want := range []string{`OUTBOX_LEASE: outbox.lease "long": not a duration`, `OUTBOX_PUBLISHER_EVENTS:1:6: unknown key topik in outbox.publisher.events.a: did you mean topic?`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nis not in\n%s", want, got)
		}
	}
}

func TestATwinOfTwoEntriesIsRefused(t *testing.T) {
	got := refused(t, "outbox: {publisher: {events: {a-b: {}, a.b: {}}}}", "OUTBOX_PUBLISHER_EVENTS_A_B_TOPIC=x")
	if !strings.Contains(got, "OUTBOX_PUBLISHER_EVENTS_A_B_TOPIC: is ambiguous: it means both") {
		t.Errorf("got %s", got)
	}
}

func TestAVariableThatIsNearlyATwinIsNoted(t *testing.T) {
	for name, near := range map[string]string{
		"OUTBOX_PUBLISHER_DEFAULTS_MAX_RETRYS": "OUTBOX_PUBLISHER_DEFAULTS_MAX_RETRIES",
		"OUTBOX_ADMIN_ADRR":                    "OUTBOX_ADMIN_ADDR",
		"OUTBOX_LOG_LEVLL":                     "OUTBOX_LOG_LEVEL",
		"OUTBOX_LEESE":                         "OUTBOX_LEASE",
	} {
		_, notes, err := Read("", nil, []string{"OUTBOX_DATABASE_URL=sqlite://x", name + "=1"})
		if all := strings.Join(notes, "\n"); err != nil || !strings.Contains(all, name+" is ignored: no key has that name: did you mean "+near+"?") {
			t.Errorf("%v %s", err, all)
		}
	}
}

func TestVariablesThatAreNoTwinsAreLeftAlone(t *testing.T) {
	_, notes, err := Read("outbox.yaml", []byte("outbox: {database: {url: '${OUTBOX_DB}'}, publisher: {sender: {type: log}, events: {a: {}}}}"), []string{
		"OUTBOX_DB=sqlite://x", "OUTBOX_CONFIG=outbox.yaml", "OUTBOX_API_URL=https://x", "OUTBOX_API_TOKEN=x", "OUTBOX_API_CA=x", "OUTBOX_TEST_POSTGRES15=x", "OUTBOX_SERVICE_HOST=10.0.0.1", "OUTBOX_SERVICE_PORT_HTTP=80",
		"OUTBOX_PORT=tcp://10.0.0.1:9464", "OUTBOX_PORT_9464_TCP_ADDR=10.0.0.1", "OUTBOX_LEASE=", "OUTBOXES=1",
	})
	if err != nil || len(notes) > 0 {
		t.Errorf("%v %q", err, notes)
	}
}

func TestValuesAreExpanded(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "secret"), []byte("p4ss\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, _, err := Read(filepath.Join(folder, "outbox.yaml"), []byte(`
outbox:
  database: {url: "postgres://u:${file:secret}@${HOST}/${NAME:shop}"}
  instance-name: $${literal}
  publisher:
    defaults: {max-retries: "${RETRIES:-4}"}
    sender: {type: kafka, brokers: ["${HOST}:9092"]}
`), []string{"HOST=db", "OUTBOX_TABLES_SCHEMA="})
	if err != nil {
		t.Fatal(err)
	}
	if c.Database.URL != "postgres://u:p4ss@db/shop" || c.InstanceName != "${literal}" || c.Publisher.Defaults.MaxRetries != 4 || c.Publisher.Sender.Brokers[0] != "db:9092" {
		t.Errorf("got %+v", c)
	}
}

func TestWhatCannotBeExpandedIsReportedWithoutItsContent(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "secret"), []byte("p4ss"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, err := Read(filepath.Join(folder, "outbox.yaml"), []byte(`outbox:
  lease: ${file:secret}
  database: {url: "${NONE}"}
  instance-name: ${file:none}
  drain-timeout: ${OPEN
`), []string{"OUTBOX_PUBLISHER_SENDER_PASSWORD=p4ss"})
	got := err.Error()
	if strings.Contains(got, "p4ss") {
		t.Errorf("the secret is in %s", got)
	}
	for _, want := range []string{"2:10: outbox.lease \"${file:secret}\": not a duration", "3:19: outbox.database.url: the environment variable NONE is not set", "4:18: outbox.instance-name: open ", "5:18: outbox.drain-timeout: ${ without }"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nis not in\n%s", want, got)
		}
	}
}
