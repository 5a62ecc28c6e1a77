package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// manualEnv is what the manual's examples leave to the application around them.
var manualEnv = []string{
	"OUTBOX_DATABASE_URL=sqlite://shop.db",
	"OUTBOX_PUBLISHER_SENDERS={customKafkaTemplate: {type: kafka, brokers: ['kafka:9092']}}",
}

func read(t *testing.T, content string, env ...string) *Config {
	t.Helper()
	c, _, err := Read("outbox.yaml", []byte(content), append(env, "OUTBOX_DATABASE_URL=sqlite://shop.db"))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// refused is the lines of what is wrong.
func refused(t *testing.T, content string, env ...string) string {
	t.Helper()
	_, _, err := Read("outbox.yaml", []byte(content), append(env, "OUTBOX_DATABASE_URL=sqlite://shop.db"))
	if err == nil {
		t.Fatal("nothing is wrong with it")
	}
	return err.Error()
}

func manual(t *testing.T, name string) *Config {
	t.Helper()
	c, _, err := Load(filepath.Join("testdata", "manual", name+".yaml"), manualEnv)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestEveryExampleOfTheManualIsRead(t *testing.T) {
	files, err := filepath.Glob("testdata/manual/*.yaml")
	if err != nil || len(files) != 17 {
		t.Fatalf("%d examples, want 17: %v", len(files), err)
	}
	for _, file := range files {
		if _, _, err := Load(file, manualEnv); err != nil {
			t.Error(err)
		}
	}
}

func TestTheManualsKeysHaveTheManualsMeaning(t *testing.T) {
	full := manual(t, "producer-full")
	if full.ThreadPool != 5 || !full.Tables.AutoCreate || full.Publisher.Sender.Type != "kafka" {
		t.Errorf("got %+v", full)
	}
	created, deleted := full.Publisher.Events["order-created"], full.Publisher.Events["order-deleted"]
	if created.Topic != "orders" || created.BatchSize != 100 || created.FixedDelay.Std() != time.Second || created.InitialDelay.Std() != 30*time.Second {
		t.Errorf("order-created is %+v", created)
	}
	if deleted.Backoff.Enabled || deleted.Backoff.Delay.Std() != 10*time.Second || deleted.BatchSize != 50 {
		t.Errorf("order-deleted is %+v", deleted)
	}
	if got := full.Publisher.Metrics.Gauge.Cache.TTLs; !slices.Equal(got, []Duration{Duration(60 * time.Second), Duration(60 * time.Second), Duration(30 * time.Second)}) {
		t.Errorf("ttls are %v", got)
	}
	if ttl := full.Publisher.CleanUp.TTL.Std(); ttl != time.Hour {
		t.Errorf("ttl is %s", ttl)
	}

	events := manual(t, "events").Publisher.Events
	if e := events["order-created"]; e.MaxRetries != 5 || e.Backoff.Delay.Std() != 5*time.Second || e.Backoff.Multiplier != 2 {
		t.Errorf("order-created is %+v", e)
	}
	if e := events["notification-sent"]; e.Topic != "notifications" || e.MaxRetries != 3 || e.Backoff.Multiplier != 3 {
		t.Errorf("notification-sent is %+v", e)
	}

	chosen := manual(t, "sender")
	if name, s := chosen.SenderOf("x"); name != "customKafkaTemplate" || s.Brokers[0] != "kafka:9092" {
		t.Errorf("bean-name chose %s %+v", name, s)
	}
	if c := manual(t, "consumer-full"); c.Publisher.Enabled || !c.Consumer.Enabled || c.Consumer.CleanUp.TTL.Std() != 24*time.Hour {
		t.Errorf("got %+v", c)
	}
}

func TestDefaultsAreTheManualsButForThoseWeName(t *testing.T) {
	c := read(t, "")
	d := c.Publisher.Defaults
	if d.BatchSize != 50 || d.FixedDelay.Std() != 2*time.Second || d.MaxRetries != 3 || !d.Backoff.Enabled ||
		d.Backoff.Delay.Std() != 10*time.Second || d.Backoff.Multiplier != 3 || d.Backoff.Jitter != 0 || d.Backoff.MaxDelay != 0 {
		t.Errorf("defaults are %+v", d)
	}
	if c.Publisher.Sender.EmergencyTimeout.Std() != 120*time.Second || c.Publisher.StuckRecovery.MaxBatchTime.Std() != 300*time.Second {
		t.Errorf("timeouts are %s and %s", c.Publisher.Sender.EmergencyTimeout, c.Publisher.StuckRecovery.MaxBatchTime)
	}
	// Ours: no initial delays, a day of retention.
	root.visit(nil, func(path []string, k *key) {
		if strings.HasSuffix(k.name, "initial-delay") && k.def != "0s" {
			t.Errorf("%s is %s", dotted(path), k.def)
		}
	})
	if c.Publisher.CleanUp.TTL.Std() != 24*time.Hour || c.Consumer.CleanUp.TTL.Std() != 24*time.Hour || c.Publisher.CleanUp.BatchSize != 100 {
		t.Errorf("clean-up is %+v and %+v", c.Publisher.CleanUp, c.Consumer.CleanUp)
	}
}

func TestAnEventTakesWhatItLeavesOutFromDefaultsWhereverTheyStand(t *testing.T) {
	c := read(t, `
outbox:
  publisher:
    events:
      order-created: {topic: orders, backoff: {multiplier: 1.5}}
      order-*:
    defaults: {max-retries: 7, backoff: {delay: 1s}}
`, "OUTBOX_PUBLISHER_DEFAULTS_FIXED_DELAY=250ms")
	for name, factor := range map[string]float64{"order-created": 1.5, "order-*": 3} {
		e := c.Publisher.Events[name]
		if e == nil || e.MaxRetries != 7 || e.Backoff.Delay.Std() != time.Second || e.FixedDelay.Std() != 250*time.Millisecond || e.Backoff.Multiplier != factor {
			t.Errorf("%s is %+v", name, e)
		}
	}
}

func TestAnchorsAndMergedTablesWork(t *testing.T) {
	c := read(t, `
x-fast: &fast {fixed-delay: 100ms, batch-size: 7}
outbox:
  publisher:
    events:
      a: *fast
      b:
        <<: *fast
        batch-size: 8
`)
	a, b := c.Publisher.Events["a"], c.Publisher.Events["b"]
	if a.BatchSize != 7 || b.BatchSize != 8 || b.FixedDelay.Std() != 100*time.Millisecond {
		t.Errorf("got %+v and %+v", a, b)
	}
}

func TestHostAndPortInsideBracesAreAText(t *testing.T) {
	c := read(t, `outbox: {publisher: {sender: {type: kafka, brokers: [a:9092, "b:9092", c:1]}, events: {x: {topic: a:b:c}}}}`)
	if got := strings.Join(c.Publisher.Sender.Brokers, " "); got != "a:9092 b:9092 c:1" || c.Publisher.Events["x"].Topic != "a:b:c" {
		t.Errorf("got %s and %s", got, c.Publisher.Events["x"].Topic)
	}
	if got := refused(t, `outbox: {publisher: {sender: {type: kafka, brokers: [a: 9092]}}}`); !strings.Contains(got, "must be a string, not a table") {
		t.Errorf("got %s", got)
	}
}

func TestAddressesThatTheSinksTakeAreRight(t *testing.T) {
	for _, sender := range []string{
		"type: http, url: 'https://x/hook?a=1,2'", "type: http, url: 'HTTPS://x', tls: {ca-file: a}", "type: nats, url: 'nats://a:4222, tls://b:4222'",
		"type: rabbit_mq, url: 'amqp://a,amqp://b'", "type: redis, url: 'unix:///run/redis.sock'", "type: redis, addresses: ['a:1'], tls: {enabled: true}",
		"type: nats, tls: {enabled: true}", "type: hazelcast, tls: {enabled: true}", "type: hazelcast, addresses: ['a:5701', '[::1]:5701']", "type: kafka, brokers: ['[::1]:9092'], emergency-timeout: 1s",
	} {
		read(t, "outbox: {publisher: {sender: {"+sender+"}}}")
	}
}

func TestTheExampleFileIsTheOneTheProgramMakes(t *testing.T) {
	const file = repository + "outbox.example.yaml"
	if os.Getenv("UPDATE_EXAMPLE") != "" {
		if err := os.WriteFile(file, Example(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(Example()) {
		t.Errorf("%s differs from what `outbox config example` prints: run UPDATE_EXAMPLE=1 go test ./cmd/internal/daemon/config", file)
	}
}

func TestTheExampleFileHasEveryKeyWithItsDefault(t *testing.T) {
	d := readDocument("example", Example())
	if len(d.problems) > 0 {
		t.Fatal(d.problems)
	}
	seen := map[*key]bool{}
	for _, s := range d.settings {
		seen[s.key] = true
		def := []string{s.key.def}
		if s.key.kind == list {
			def = words(s.key.def)
		}
		if s.key.kind == entries || s.key.kind == pairs || s.key.example != "" || (s.key.name == "url" && s.path[2] == "senders") || s.key.name == "topic" {
			continue
		}
		got, _, err := s.key.value(s.texts)
		want, _, _ := s.key.value(def)
		if err == nil && want != nil && !equal(got, want) {
			t.Errorf("%s is %v, its default is %v", dotted(s.path), got, want)
		}
	}
	root.visit([]string{"outbox"}, func(path []string, k *key) {
		// The keys of a sender stand once for each type that has them.
		if ofSender := len(path) > 2 && path[2] == "sender" && k.senders != nil; !ofSender && path[len(path)-2] != "tls" && k.kind != table && !seen[k] {
			t.Errorf("%s is not in the example", dotted(path))
		}
		if k.doc == "" {
			t.Errorf("%s has no line about it", dotted(path))
		}
	})
	if _, _, err := Read("example", Example(), nil); err != nil {
		t.Error(err)
	}
}
