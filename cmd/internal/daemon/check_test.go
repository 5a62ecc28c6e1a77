package daemon

import (
	"errors"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/cmd/internal/daemon/config"
)

func TestWhatOnlySinksAndDriversKnowIsToldAtItsPlaceInTheFile(t *testing.T) {
	const head = "outbox:\n  database: {url: 'sqlite://x'}\n  publisher:\n    events: {a: {}}\n"
	for yaml, want := range map[string]string{
		head + "    sender: {type: kafka, tls: {enabled: true, ca-file: /none.pem}}":                      "outbox.yaml:5:48: outbox.publisher.sender.tls.ca-file: open /none.pem: no such file",
		head + "    sender: {type: nats, username: a, password: b, token: c}":                             "outbox.yaml:5:26: outbox.publisher.sender.username: set only one of username, token and creds-file",
		head + "    sender: {type: nats, creds-file: /none.creds}":                                        "outbox.yaml:5:26: outbox.publisher.sender.creds-file: stat /none.creds: no such file",
		head + "    sender: {type: redis, url: 'redis://:p4ss@x/y'}":                                      "outbox.yaml:5:27: outbox.publisher.sender.url: cannot be read: write redis://",
		head + "    sender: {type: http, url: 'https://x', secrets: [p4ss]}":                              "outbox.yaml:5:44: outbox.publisher.sender.secrets: secret 1 is not whsec_",
		head + "    sender: {type: http, url: 'https://x', source: ':'}":                                  "outbox.yaml:5:44: outbox.publisher.sender.source: is not a URI reference",
		head + "    sender: {bean-name: b}\n    senders: {b: {type: nats, password: p4ss}}":               "outbox.yaml:6:31: outbox.publisher.senders.b.password: is set and username is not",
		"outbox: {database: {url: 'oracle://me:p4ss@x'}}":                                                 `outbox.yaml:1:21: outbox.database.url: unknown database scheme "oracle"`,
		"outbox: {database: {url: 'mysql://me:p4ss@x'}}":                                                  "outbox.database.url: the database URL names no database",
		"outbox: {database: {url: 'sqlite://x', driver: pgx}}":                                            "outbox.yaml:1:40: outbox.database.driver: sqlite databases have no driver",
		"outbox: {database: {url: 'postgres://x/y', listen-url: 'postgres://me:p4ss@x:y/'}}":              "outbox.yaml:1:44: outbox.database.listen-url: ",
		"outbox: {database: {url: 'postgres://x/y', listen-url: 'postgres://me:p4ss/y@x/'}}":              "outbox.database.listen-url: ",
		head + "    sender: {type: rabbit_mq, url: 'amqp://me:p4ss@x:y/'}":                                "outbox.yaml:5:31: outbox.publisher.sender.url: url 1 cannot be read: write amqp://",
		"outbox: {publisher: {enabled: false}, consumer: {enabled: true}, database: {url: 'oracle://x'}}": `outbox.database.url: unknown database scheme`,
	} {
		c, _, err := config.Read("outbox.yaml", []byte(yaml), nil)
		if err != nil {
			t.Error(err)
			continue
		}
		err = Check(c, drivers)
		var ps config.Problems
		if !errors.As(err, &ps) || len(ps) != 1 || !strings.Contains(ps[0].Error(), want) || strings.Contains(err.Error(), "p4ss") {
			t.Errorf("%s\ngives %v\nwant %s", yaml, err, want)
		}
	}
}

func TestAllThatSinksAndDriversRefuseIsToldAtOnce(t *testing.T) {
	c, _, err := config.Read("outbox.yaml", []byte(`outbox:
  publisher:
    sender: {type: kafka, tls: {enabled: true, ca-file: /none.pem}}
    senders: {n: {type: nats, password: x}}
    events: {a: {}, b: {sender: n}}
  database: {url: 'oracle://x'}
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err = Check(c, drivers); err == nil || strings.Count(err.Error(), "\n") != 2 {
		t.Errorf("got %v", err)
	}
}

func TestWhatIsRightPassesTheCheck(t *testing.T) {
	c, _, err := config.Read("outbox.example.yaml", config.Example(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for name := range c.Publisher.Senders {
		c.Publisher.Events[name] = &config.Event{Sender: name}
	}
	if err := Check(c, drivers); err != nil {
		t.Error(err)
	}
}
