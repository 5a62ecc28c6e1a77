package config

import (
	"strings"
	"testing"
)

func TestURLsArePrintedWithoutTheirSecrets(t *testing.T) {
	for url, want := range map[string]string{
		"postgres://me:p4ss@db:5432/shop?sslmode=require&sslpassword=p4ss": "postgres://me:*****@db:5432/shop?sslmode=require&sslpassword=*****",
		"postgres://me@db/shop":                   "postgres://me@db/shop",
		"sqlite://data/shop.db?_key=p4ss":         "sqlite://data/shop.db?_key=*****",
		"mysql://me:p4/ss@db/shop":                "mysql://*****",
		"host=db password=p4ss":                   "*****",
		"https://example.com/hook?token=p4ss&a=b": "https://example.com/*****",
		"redis://:p4ss@cache:6379/0":              "redis://:*****@cache:6379/0",
		"nats://p4ss@h:4222,tls://p4ss@i:4222":    "nats://*****@h:4222,tls://*****@i:4222",
		"https://p4ss@example.com/hook":           "https://*****@example.com/*****",
		"https://host/services/p4ss?code=1&sig=2": "https://host/*****",
		"amqp://me@h/v?auth=p4ss&heartbeat=1":     "amqp://me@h/v?auth=*****&heartbeat=1",
		"":                                        "",

		// A password with a character that separates.
		"postgres://me:2024,p4ss@host/db":            "postgres://me:*****@host/db",
		"postgres://me:2024/p4ss@host/db":            "postgres://*****",
		"postgres://me:2024#p4ss@host/db":            "postgres://*****",
		"postgres://me:2024?p4ss@host/db":            "postgres://*****",
		"postgres://me:2@24:p4ss@host/db":            "postgres://me:*****@host/db",
		"postgres://me:p4ss@h1:5432,h2:5432/db":      "postgres://me:*****@h1:5432,h2:5432/db",
		"nats://h1:4222,me:p4ss@h2:4222":             "nats://h1:*****@h2:4222",
		"amqp://me:2,p4ss@h/v, amqp://me:2,p4ss@i/v": "amqp://me:*****@h/v, amqp://me:*****@i/v",
		"unix://me:p4ss@/run/redis.sock":             "unix://me:*****@/run/redis.sock",
		"mysql://me:p4%zzss@db/shop":                 "mysql://me:*****@db/shop",
		"redis://[::1]:6379/0":                       "redis://[::1]:6379/0",
		"redis://host:p4ss/0":                        "redis://*****",

		// A parameter that is spelt in another way, or has no name.
		"postgres://h/db?p%61ssword=p4ss":      "postgres://h/db?p%61ssword=*****",
		"postgres://h/db?p%zzssword=p4ss":      "postgres://h/db?p%zzssword=*****",
		"postgres://h/db?a=1;password=p4ss":    "postgres://h/db?a=*****",
		"postgres://h/db?a=1%26password=p4ss":  "postgres://h/db?a=*****",
		"postgres://h/db?p4ss&sslmode=require": "postgres://h/db?*****&sslmode=require",
		"postgres://h/db?user=me@corp":         "postgres://*****",
		"postgres://h/db#p4ss":                 "postgres://h/db#*****",

		// Hosts, and what should have been a URL.
		"kafka:9092":                      "kafka:9092",
		"[::1]:9092":                      "[::1]:9092",
		"urn:outbox":                      "urn:outbox",
		"me:p4ss@kafka:9092":              "*****",
		"https:/hooks.example.com/p4ss":   "*****",
		"hooks.example.com/services/p4ss": "hooks.example.com/*****",
	} {
		got := maskAddress(url)
		if got != want {
			t.Errorf("%s is printed as %s, want %s", url, got, want)
		}
		if again := maskAddress(got); again != got {
			t.Errorf("%s is printed as %s, and that as %s", url, got, again)
		}
	}
}

func TestNoKeyIsPrintedWithASecret(t *testing.T) {
	for _, publisher := range []string{
		"events: {a: {topic: 'https:/hooks.example.com/services/p4ss'}}",
		"events: {a: {topic: 'https:host/p4ss'}}",
		"events: {a: {topic: 'hooks.example.com/services/p4ss'}}",
		"events: {a: {topic: 'host/x?p4ss'}}",
		"sender: {type: redis, addresses: ['h:6379'], master-name: 'redis://:p4ss@h:6379'}",
		"sender: {type: http, url: 'https://h', source: 'https://me:p4ss@h/x'}",
		"sender: {type: http, url: 'https://h', username: 'https://me:p4ss@h/x'}",
		"sender: {type: nats, url: 'nats://h?p%61ssword=p4ss'}",
		"sender: {type: nats, client-id: 'nats://me:p4ss@h'}",
		"sender: {type: rabbit_mq, url: 'amqp://me:2024%2Cp4ss@h'}",
	} {
		c := read(t, "outbox: {publisher: {"+publisher+"}}")
		if got := string(c.Print()); strings.Contains(got, "p4ss") {
			_, line, _ := strings.Cut(got[:strings.Index(got, "p4ss")+4], "publisher:")
			t.Errorf("%s: printed is %s", publisher, line[strings.LastIndex(line, "\n")+1:])
		}
	}
}

func TestOrdinaryNamesArePrintedAsTheyAre(t *testing.T) {
	c := read(t, `
outbox:
  publisher:
    sender: {type: kafka, brokers: ["kafka-1:9092", "[::1]:9092"], tls: {enabled: true, ca-file: /etc/outbox/ca.pem}}
    senders:
      r: {type: redis, addresses: ["10.0.0.1:6379", "redis.example.com:6379"], username: me@example.com}
      h: {type: http, url: "https://h"}
    events: {a: {topic: orders.placed}, b: {topic: a/b}, c: {topic: exchange/routing.key}, d: {topic: "app:orders"}}
`)
	got := string(c.Print())
	for _, want := range []string{
		`"kafka-1:9092"`, `"[::1]:9092"`, "/etc/outbox/ca.pem", `"10.0.0.1:6379"`, `"redis.example.com:6379"`, "me@example.com",
		"urn:outbox", "orders.placed", "a/b", "exchange/routing.key", "app:orders",
	} {
		if !strings.Contains(got, strings.Trim(want, `"`)) {
			t.Errorf("%s is not printed", want)
		}
	}
}

func TestNoProblemQuotesASecret(t *testing.T) {
	for outbox, want := range map[string]string{
		"publisher: {sender: {type: kafka, brokers: ['me:p4ss@kafka:9092']}}":         "without a scheme, a path or a login",
		"publisher: {sender: {type: kafka, brokers: ['kafka://me:p4ss@kafka:9092']}}": "without a scheme, a path or a login",
		"publisher: {sender: {type: kafka, brokers: 'me:p4ss,p4ss@kafka:9092'}}":      "without a scheme, a path or a login",
		"publisher: {sender: {type: kafka, brokers: ['me:p4ss']}}":                    "without a scheme, a path or a login",
		"publisher: {sender: {type: redis, addresses: ['redis://:p4ss@h:6379']}}":     "without a scheme, a path or a login",
		"publisher: {sender: {type: redis, addresses: 'redis://:p4ss,p4ss@h:6379'}}":  "without a scheme, a path or a login",
		"publisher: {sender: {type: kafka, brokers: ['kafka']}}":                      "write kafka:9092",
		"publisher: {sender: {type: nats, url: 'me:p4ss@h/?next=http://x'}}":          "write nats://host:4222",
		"publisher: {sender: {type: nats, url: 'ftp://h'}}":                           "begins with ftp://",
		"admin: {addr: 'https://me:p4ss@h:80/'}":                                      "is not host:port",
	} {
		_, _, err := Read("outbox.yaml", []byte("outbox: {"+outbox+"}"), []string{"OUTBOX_DATABASE_URL=sqlite://x"})
		if err == nil || strings.Contains(err.Error(), "p4ss") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want ...%s...", outbox, err, want)
		}
	}
}
