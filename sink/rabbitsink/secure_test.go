package rabbitsink

import (
	"crypto/tls"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/sinkrig"
	"github.com/sendoff-go/outbox/internal/testenv"
)

// encrypted returns a configuration for the encrypted port of the broker.
func encrypted(t *testing.T) Config {
	t.Helper()
	s := testenv.Secure(t, testenv.RabbitMQ)
	return Config{URL: "amqps://" + s.Addr + "/", TLS: s.TLS(t), Username: s.User, Password: s.Password}
}

func TestAPasswordWorksOverTLS(t *testing.T) {
	b := dialBroker(t)
	exchange := b.exchange()
	b.queue(exchange, "#", nil)
	delivered(t, open(t, encrypted(t)).Send(t.Context(), []outbox.Message{message(exchange, "a")}))
}

func TestAWrongLoginOrAuthorityIsUnavailableAndSaysWhatToDo(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Config)
		want   string
	}{
		// The broker takes seconds to refuse these, and a busy one may need more than
		// the sink gives it.
		"password":       {func(c *Config) { c.Password, c.DialTimeout = "wrong", patience }, "check the user and the password"},
		"user":           {func(c *Config) { c.Username, c.DialTimeout = "nobody", patience }, "check the user and the password"},
		"authority":      {func(c *Config) { c.TLS = &tls.Config{MinVersion: tls.VersionTLS12} }, "RootCAs"},
		"name":           {func(c *Config) { c.TLS.ServerName = "elsewhere" }, "ServerName"},
		"no certificate": {func(c *Config) { c.TLS.Certificates = nil }, "cannot connect"}, // the broker says nothing
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // time passes
			cfg := encrypted(t)
			c.change(&cfg)
			sinkrig.Away(t, open(t, cfg), message("orders", "a"), c.want)
		})
	}
}
