package config

import (
	"strings"
	"testing"
	"time"
)

func TestWhatIsPrintedReadsAsTheSameAndHidesSecrets(t *testing.T) {
	c := read(t, `
outbox:
  instance-name: "yes"
  publisher:
    max-bytes: 3KiB
    sender: {type: rabbit_mq, url: "amqps://me:p4ss@mq:5672/v", password: p4ss, tls: {enabled: on}}
    senders:
      hook: {type: http, url: "https://h/?token=p4ss", secrets: [p4ss, p4ss], headers: {Authorization: "Bearer p4ss", "X-A": p4ss}}
      "a.b": {type: nats, url: "nats://u:p4ss@n1:4222,nats://u:p4ss@n2:4222"}
    events: {"*": {topic: "${X:$$}{literal"}, "a: b": {sender: a.b}, c: {sender: hook, topic: "https://p4ss@h/p4ss?sig=p4ss", headers: {X-Auth: p4ss}}, d: {sender: hook, topic: /p4ss}}
    metrics: {gauge: {cache: {ttls: [1ms, 1500ms, 1d]}}}
`)
	first := string(c.Print())
	if strings.Contains(first, "p4ss") || !strings.Contains(first, "amqps://me:*****@mq:5672/v") {
		t.Errorf("got\n%s", first)
	}
	again, _, err := Read("printed.yaml", []byte(first), nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, first)
	}
	if second := string(again.Print()); second != first {
		t.Errorf("printed again it is\n%s\nand not\n%s", second, first)
	}
	if again.InstanceName != "yes" || again.Publisher.Events["*"].Topic != c.Publisher.Events["*"].Topic || again.Publisher.MaxBytes != 3<<10 {
		t.Errorf("got %+v", again)
	}
}

func TestTimesAreReadAsSpringReadsThem(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"10s": 10 * time.Second, "500ms": 500 * time.Millisecond, "1500": 1500 * time.Millisecond, "0": 0,
		"5m": 5 * time.Minute, "24h": 24 * time.Hour, "1d": 24 * time.Hour, "3us": 3 * time.Microsecond, "7ns": 7,
		"PT10S": 10 * time.Second, "pt1h30m": 90 * time.Minute, "P1D": 24 * time.Hour, "P1DT0.5S": 24*time.Hour + 500*time.Millisecond,
		"1m30s": 90 * time.Second, "1.5s": 1500 * time.Millisecond, " 2S ": 2 * time.Second,
	} {
		got, err := ParseDuration(text)
		if err != nil || got.Std() != want {
			t.Errorf("%q is %s, %v; want %s", text, got, err, want)
		}
		if again, err := ParseDuration(got.String()); err != nil || again != got {
			t.Errorf("%q is printed as %s, which is %s", text, got, again)
		}
	}
	for _, text := range []string{"", "s", "-1s", "+1s", "1 s", "1.5", "10 seconds", "P", "PT", "P1", "1w", "1e3s", "99999999999d", "PT1H30"} {
		if d, err := ParseDuration(text); err == nil {
			t.Errorf("%q is %s", text, d)
		}
	}
}

func TestSizesAreReadAsSpringReadsThem(t *testing.T) {
	for text, want := range map[string]Size{"64MB": 64 << 20, "1KiB": 1024, "512": 512, "3 gb": 3 << 30, "10B": 10} {
		if got, err := ParseSize(text); err != nil || got != want {
			t.Errorf("%q is %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "MB", "-1", "1TB", "1.5MB", "99999999999999999999", "9999999999999GB"} {
		if got, err := ParseSize(text); err == nil {
			t.Errorf("%q is %d", text, got)
		}
	}
}

func TestWhatHasNoEffectIsNotedOnceWithItsReason(t *testing.T) {
	_, notes, err := Read("outbox.yaml", []byte("outbox: {publisher: {dlq: {enabled: false, transfer-to-fixed-delay: 1s, transfer-to-initial-delay: 2s}}}"), []string{"OUTBOX_DATABASE_URL=sqlite://x"})
	all := strings.Join(notes, "\n")
	if err != nil || strings.Count(all, "an event becomes a dead letter when its last attempt fails") != 1 || !strings.Contains(all, "ignored: outbox.publisher.dlq.enabled: ") || !strings.Contains(all, "is empty: nothing is sent") {
		t.Errorf("%v\n%s", err, all)
	}
}

// The example is how people begin. It sets every key, and asks for nothing.
func TestTheExampleCausesNoNotes(t *testing.T) {
	if _, notes, err := Read("outbox.yaml", Example(), nil); err != nil || len(notes) > 0 {
		t.Errorf("%v\n%s", err, strings.Join(notes, "\n"))
	}
}

func TestATopicThatAWebhookIgnoresIsNoted(t *testing.T) {
	for topic, want := range map[string]int{"orders": 1, "/orders": 0, "https://y/orders": 0, "''": 0} {
		_, notes, err := Read("outbox.yaml", []byte("outbox: {publisher: {sender: {type: http, url: 'https://x'}, events: {a: {topic: "+topic+"}}}}"), []string{"OUTBOX_DATABASE_URL=sqlite://x"})
		if err != nil || len(notes) != want {
			t.Errorf("%s: %v %q", topic, err, notes)
		}
	}
}

func TestALoginWithoutEncryptionIsNoted(t *testing.T) {
	for sender, want := range map[string]int{
		"{type: kafka, brokers: ['k:9092'], username: u, password: p4ss}":                                      1,
		"{type: kafka, brokers: ['k:9092'], username: u, password: p4ss, sasl-mechanism: scram-sha-512}":       1,
		"{type: kafka, brokers: ['localhost:9092', 'k:9092'], username: u, password: p4ss}":                    1,
		"{type: kafka, brokers: ['k:9092'], username: u, password: p4ss, tls: {enabled: true}}":                0,
		"{type: kafka, brokers: ['localhost:9092', '127.0.0.2:9092', '[::1]:1'], username: u, password: p4ss}": 0,
		"{type: kafka, brokers: ['k:9092']}":                                                                   0,
		"{type: rabbit_mq, url: 'amqp://u:p4ss@mq:5672/'}":                                                     1,
		"{type: rabbit_mq, url: 'amqps://u:p4ss@mq:5671/'}":                                                    0,
		"{type: rabbit_mq}": 0,
		"{type: rabbit_mq, url: 'amqp://localhost,amqp://mq', username: u, password: p4ss}": 1,
		"{type: nats, url: 'nats://n:4222', token: p4ss}":                                   1,
		"{type: nats, url: 'nats://p4ss@n:4222'}":                                           1,
		"{type: nats, url: 'tls://p4ss@n:4222'}":                                            0,
		"{type: nats, url: 'nats://n:4222', token: p4ss, tls: {enabled: true}}":             0,
		"{type: redis, url: 'redis://:p4ss@r:6379/0'}":                                      1,
		"{type: redis, url: 'rediss://:p4ss@r:6379/0'}":                                     0,
		"{type: redis, addresses: ['r:1'], password: p4ss}":                                 1,
		"{type: redis, url: 'unix://u:p4ss@/run/redis.sock'}":                               0,
		"{type: hazelcast, addresses: ['h:5701'], username: u, password: p4ss}":             1,
		"{type: hazelcast, username: u, password: p4ss}":                                    0,
		"{type: http, url: 'http://h/', username: u, password: p4ss}":                       1,
		"{type: http, url: 'http://h/', headers: {authorization: p4ss}}":                    1,
		"{type: http, url: 'http://h/', headers: {x-shop: a}}":                              0,
		"{type: http, url: 'https://u:p4ss@h/'}":                                            0,
	} {
		_, notes, err := Read("outbox.yaml", []byte("outbox: {publisher: {sender: "+sender+", events: {a: {}, b: {}}}}"), []string{"OUTBOX_DATABASE_URL=sqlite://x"})
		all := strings.Join(notes, "\n")
		if err != nil || len(notes) != want || strings.Contains(all, "p4ss") || want > 0 && !strings.Contains(all, "outbox.publisher.sender sends its login and its events unencrypted: ") {
			t.Errorf("%s: %v %q", sender, err, notes)
		}
	}
}
