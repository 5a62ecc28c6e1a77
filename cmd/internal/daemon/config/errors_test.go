package config

import (
	"fmt"
	"strings"
	"testing"
)

func equal(a, b any) bool { return fmt.Sprint(a) == fmt.Sprint(b) }

func TestAllErrorsComeAtOnceWithLineColumnAndTheNearestKey(t *testing.T) {
	got := refused(t, `outbox:
  publisher:
    senders:
      main: {type: rabbit}
    defaults:
      batchSize: 5
      fixed-delay: 2 sec
      max-retrys: 1
      max-retries: abc
      backoff: 5
    max-retries: 4
    events:
      a: {topic: [x], sender: mian}
spring: 1
`)
	want := []string{
		`outbox.yaml:4:20: outbox.publisher.senders.main.type "rabbit": did you mean rabbit_mq?`,
		`outbox.yaml:6:7: unknown key batchSize in outbox.publisher.defaults: did you mean batch-size?`,
		`outbox.yaml:7:20: outbox.publisher.defaults.fixed-delay "2 sec": not a duration: write 10s,`,
		`outbox.yaml:8:7: unknown key max-retrys in outbox.publisher.defaults: did you mean max-retries?`,
		`outbox.yaml:9:20: outbox.publisher.defaults.max-retries "abc": not a whole number`,
		`outbox.yaml:10:16: outbox.publisher.defaults.backoff is a table: `,
		`outbox.yaml:11:5: unknown key max-retries in outbox.publisher: did you mean outbox.publisher.defaults.max-retries?`,
		`outbox.yaml:13:18: outbox.publisher.events.a.topic must be a string, not a list`,
		`outbox.yaml:13:23: outbox.publisher.events.a.sender "mian" is not an entry of outbox.publisher.senders: did you mean main?`,
		`outbox.yaml:14:1: unknown key spring: all keys belong under outbox:`,
	}
	lines := strings.Split(got, "\n")
	if len(lines) != len(want) {
		t.Errorf("%d lines, want %d:\n%s", len(lines), len(want), got)
	}
	for i := range min(len(lines), len(want)) {
		if !strings.HasPrefix(lines[i], want[i]) {
			t.Errorf("line %d is\n%s\nand not\n%s", i, lines[i], want[i])
		}
	}
}

func TestWhatNoSingleKeyCanTellIsChecked(t *testing.T) {
	for _, c := range []struct{ name, yaml, want string }{
		{"both off", "outbox: {publisher: {enabled: false}}", "outbox.yaml:1:22: outbox.publisher.enabled is false, and so is outbox.consumer.enabled"},
		{"a sender without a type", "outbox: {publisher: {sender: {url: x}}}", "outbox.publisher.sender.type is missing: use one of kafka, "},
		{"a key of another type", "outbox: {publisher: {sender: {type: kafka, url: 'x://y'}}}", "1:44: outbox.publisher.sender.url does not apply to type kafka, only to rabbit_mq, "},
		{"a table of another type", "outbox: {publisher: {sender: {type: log, tls: {enabled: true}}}}", "outbox.publisher.sender.tls does not apply to type log"},
		{"http without an address", "outbox: {publisher: {sender: {type: http}}}", "outbox.publisher.sender.url is missing"},
		{"a bean that is not there", "outbox: {publisher: {sender: {bean-name: x}}}", `outbox.publisher.sender.bean-name "x" is not an entry`},
		{"a bean of another type", "outbox: {publisher: {sender: {type: kafka, bean-name: x}, senders: {x: {type: log}}}}", "type is kafka, but bean-name chooses the sender x of type log"},
		{"keys beside a bean", "outbox: {publisher: {sender: {bean-name: x, brokers: [a]}, senders: {x: {type: kafka}}}}", "sender.brokers would be ignored"},
		{"an event with a header of its sender", "outbox: {publisher: {sender: {type: http, url: 'http://x', headers: {X-A: b}}, events: {a: {headers: {x-a: c}}}}}", "outbox.publisher.events.a.headers.x-a is also a header of its sender"},
		{"an event with credentials beside its sender's", "outbox: {publisher: {sender: {type: http, url: 'http://x', username: u}, events: {a: {headers: {Authorization: c}}}}}", "outbox.publisher.events.a.headers.Authorization is also a header of its sender"},
		{"TLS that is off", "outbox: {publisher: {sender: {type: kafka, tls: {ca-file: a}}}}", "sender.tls.enabled is false"},
		{"half a certificate", "outbox: {publisher: {sender: {type: kafka, tls: {enabled: true, cert-file: a}}}}", "cert-file and key-file together"},
		{"a short timeout for Kafka", "outbox: {publisher: {sender: {type: kafka, emergency-timeout: 500ms}}}", "1:44: outbox.publisher.sender.emergency-timeout is 500ms: Kafka needs at least 1s"},
		{"a broker without a port", "outbox: {publisher: {sender: {type: kafka, brokers: [a:1, localhost]}}}", `outbox.publisher.sender.brokers "localhost" is not host:port: write localhost:9092`},
		{"no broker", "outbox: {publisher: {sender: {type: kafka, brokers: []}}}", "outbox.publisher.sender.brokers is empty"},
		{"a URL and addresses", "outbox: {publisher: {senders: {r: {type: redis, url: 'redis://x', addresses: ['y:1']}}}}", "outbox.publisher.senders.r.addresses and url are both set"},
		{"a member without a port", "outbox: {publisher: {sender: {type: hazelcast, addresses: [a]}}}", `outbox.publisher.sender.addresses "a" is not host:port: write a:5701`},
		{"no scheme", "outbox: {publisher: {sender: {type: rabbit_mq, url: 'localhost:5672'}}}", "1:48: outbox.publisher.sender.url is not a URL: write amqp://"},
		{"no scheme for http", "outbox: {publisher: {sender: {type: http, url: example.com/hook}}}", "outbox.publisher.sender.url is not a URL: write https://"},
		{"another scheme", "outbox: {publisher: {sender: {type: http, url: 'ftp://x'}}}", "outbox.publisher.sender.url begins with ftp://, which type http does not support"},
		{"TLS without a URL", "outbox: {publisher: {sender: {type: redis, tls: {enabled: true}}}}", "set url to one that begins with rediss://"},
		{"TLS and a plain URL", "outbox: {publisher: {sender: {type: http, url: 'http://x', tls: {enabled: true}}}}", "sender.tls.enabled is true, but url begins with http://: write https://"},
		{"a key of nothing", "outbox: {publisher: {events: {a: {key: customer-id}}}}", `1:35: outbox.publisher.events.a.key "customer-id": use header:NAME or one of aggregate-id, `},
		{"a key of no header", "outbox: {publisher: {events: {a: {key: 'header:'}}}}", "names no header"},
		{"a bad pattern", "outbox: {publisher: {events: {'a[': {}}}}", "is not a valid pattern"},
		{"a long type", "outbox: {publisher: {events: {" + strings.Repeat("x", 129) + ": {}}}}", "has 129 characters"},
		{"a bad table", "outbox: {tables: {event: 'x; DROP'}}", "use 1 to 48 ASCII letters"},
		{"one table twice", "outbox: {tables: {event: a, control: a}}", `"a" is also the name of outbox.tables.event`},
		{"ids that are forgotten at once", "outbox: {consumer: {enabled: true, clean-up: {ttl: 0}}}", "1:47: outbox.consumer.clean-up.ttl is 0s: an event that is redelivered later takes effect again"},
		{"a bad address", "outbox: {admin: {addr: localhost}}", "is not host:port"},
		{"a bean in an entry", "outbox: {publisher: {senders: {a: {type: log, bean-name: b}}}}", "unknown key bean-name in outbox.publisher.senders.a"},
		{"too few elements", "outbox: {publisher: {metrics: {gauge: {cache: {ttls: [1s]}}}}}", "has 1 elements: it must have 3"},
		{"too small", "outbox: {publisher: {defaults: {batch-size: 0}}}", "too small: at least 1"},
		{"too large", "outbox: {publisher: {defaults: {backoff: {jitter: 2}}}}", "too large: at most 1"},
		{"negative", "outbox: {lease: -5s}", "not a duration"},
		{"an entry without a name", "outbox: {publisher: {events: {'': {}}}}", "has no name"},
		{"two documents", "outbox: {}\n---\nx: 1\n", "outbox.yaml:3:1: the file holds a second document"},
		{"no YAML", "outbox: [1\n", "outbox.yaml:1:9: invalid YAML"},
		{"a key twice", "outbox: {}\noutbox: {}\n", "outbox.yaml:2:1: invalid YAML: mapping key \"outbox\" already defined"},
		{"an alias of nothing", "outbox: {publisher: {events: {a: *b}}}", "there is no anchor &b"},
		{"a table merged into itself", "outbox: {publisher: {defaults: &a {<<: *a}}}", "merged (<<) into itself"},
		{"a list at the top", "[1]", "the file is a table"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := refused(t, c.yaml); !strings.Contains(got, c.want) {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestAMisspeltKeyIsNotAlsoReportedAsMissing(t *testing.T) {
	_, _, err := Read("outbox.yaml", []byte("outbox: {database: {ulr: 'sqlite://x'}}"), nil)
	if err == nil || strings.Contains(err.Error(), "missing") || !strings.Contains(err.Error(), "did you mean url?") {
		t.Errorf("got %v", err)
	}
}

func TestAFileThatIsNotYAMLIsNotAlsoReportedForWhatItLacks(t *testing.T) {
	for _, yaml := range []string{"outbox: [1\n", "outbox:\n  database: {url: 'sqlite://x'}\n  database: {}\n"} {
		_, _, err := Read("outbox.yaml", []byte(yaml), nil)
		if err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "invalid YAML") {
			t.Errorf("got %v", err)
		}
	}
}

func TestAMissingDatabaseNamesItsVariable(t *testing.T) {
	_, _, err := Read("", nil, nil)
	if err == nil || !strings.Contains(err.Error(), "set it, or OUTBOX_DATABASE_URL") {
		t.Errorf("got %v", err)
	}
}

func TestAFileThatIsNotThereIsNamed(t *testing.T) {
	_, _, err := Load("testdata/none.yaml", nil)
	if err == nil || err.Error() != "testdata/none.yaml: cannot read the file: no such file or directory" {
		t.Errorf("got %v", err)
	}
}

func FuzzReadingNeverPanicsAndNeverAcceptsWhatItCannotPrint(f *testing.F) {
	for _, s := range []string{"", "outbox:", "outbox: {publisher: {events: {a: {topic: b}}}}", "a: &a [*a]", "outbox: {lease: 1d}", string(Example())} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, content string) {
		c, _, err := Read("outbox.yaml", []byte(content), []string{"OUTBOX_DATABASE_URL=sqlite://x"})
		if err != nil {
			return
		}
		if _, _, err := Read("printed.yaml", c.Print(), nil); err != nil {
			t.Errorf("%v\n%s", err, c.Print())
		}
	})
}

func TestPatternsThatMatchEquallyAreRefusedAtTheLaterOne(t *testing.T) {
	const head = "outbox:\n  publisher:\n    sender: {type: log}\n    events:\n"
	_, _, err := Read("outbox.yaml", []byte(head+"      '*-order': {}\n      order-*: {}\n      order-x*: {}\n"), []string{"OUTBOX_DATABASE_URL=sqlite://x"})
	want := `outbox.yaml:6:7: outbox.publisher.events.order-*: the patterns "*-order" and "order-*" match some event types equally: make one of them longer, or name those types`
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}
