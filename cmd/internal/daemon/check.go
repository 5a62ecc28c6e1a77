package daemon

import (
	"log/slog"
	"regexp"
	"strings"

	"github.com/sendoff-go/outbox/cmd/internal/daemon/config"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
)

// Check tells what is wrong with a configuration that was read: what only the
// drivers and the sinks know. It waits for no connection. Its error is
// [config.Problems].
func Check(c *config.Config, drivers []dburl.Driver) error {
	d, err := New(c, Options{Drivers: drivers, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	return d.senders.close()
}

func (d *Daemon) checkDatabase() (wrong config.Problems) {
	c := d.config.Database
	if err := dburl.Check(d.options.Drivers, c.URL, ""); err != nil {
		return config.Problems{d.config.Wrong("database.url", ": %v", err)}
	}
	if err := dburl.Check(d.options.Drivers, c.URL, c.Driver); err != nil {
		wrong = append(wrong, d.config.Wrong("database.driver", ": %v", err))
	}
	if c.ListenURL == "" {
		return wrong
	}
	if err := dburl.PGX().Parse(c.ListenURL); err != nil {
		wrong = append(wrong, d.config.Wrong("database.listen-url", ": %v", err))
	}
	return wrong
}

// keys are the keys of what the sinks' errors name.
var keys = map[string]string{
	"Brokers": "brokers", "broker": "brokers", "MaxMessageBytes": "max-message-bytes", "SASL": "sasl-mechanism",
	"URL": "url", "Addrs": "addresses", "Addresses": "addresses", "MaxLen": "max-length", "User": "username", "Username": "username", "Password": "password",
	"Token": "token", "CredsFile": "creds-file", "TLS": "tls", "Timeout": "emergency-timeout",
	"Source": "source", "Headers": "headers", "secret": "secrets", "Concurrency": "concurrency",
	"tls.ca-file": "tls.ca-file", "tls.cert-file": "tls.cert-file", "creds-file": "creds-file",
}

var (
	sinkPrefix = regexp.MustCompile(`^[a-z]+sink: `)
	named      = regexp.MustCompile(`\b(tls\.ca-file|tls\.cert-file|creds-file|[A-Za-z]+)\b`)
)

// senderProblems are the lines of a sink's error, at the keys that they name.
func senderProblems(c *config.Config, s *config.Sender, err error) (wrong config.Problems) {
	at := c.PathOf(s)
	for line := range strings.Lines(err.Error()) {
		text, key := sinkPrefix.ReplaceAllString(strings.TrimSpace(line), ""), ""
		text = named.ReplaceAllStringFunc(text, func(word string) string {
			k := keys[word]
			if key == "" && k != "" {
				key = "." + k
			}
			if k == "" || word == strings.ToLower(word) {
				return word
			}
			return k
		})
		for _, begin := range []string{": ", " is ", " cannot "} { // the path has said it
			if rest, ok := strings.CutPrefix(text, strings.TrimPrefix(key, ".")+begin); ok {
				text = strings.TrimLeft(begin, ": ") + rest
			}
		}
		wrong = append(wrong, c.Wrong(at+key, ": %s", text))
	}
	return wrong
}
