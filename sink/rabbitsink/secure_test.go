package rabbitsink

import (
	"crypto/tls"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/testenv"
)

// encrypted is a configuration for the encrypted port of the broker.
func encrypted(t *testing.T) Config {
	t.Helper()
	s := testenv.Secure(t, testenv.RabbitMQ)
	return Config{URL: "amqps://" + s.Addr + "/", TLS: s.Trust(t), Username: s.User, Password: s.Password}
}

func TestAPasswordIsTakenOverTLS(t *testing.T) {
	b := dialBroker(t)
	exchange := b.exchange()
	b.queue(exchange, "#", nil)
	delivered(t, open(t, encrypted(t)).Send(t.Context(), []outbox.Message{message(exchange, "a")}))
}

func TestALoginOrAnAuthorityThatIsWrongIsUnavailableAndSaysWhatToDo(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Config)
		want   string
	}{
		"password":  {func(c *Config) { c.Password = "wrong" }, "check the user and the password"},
		"user":      {func(c *Config) { c.Username = "nobody" }, "check the user and the password"},
		"authority": {func(c *Config) { c.TLS = &tls.Config{MinVersion: tls.VersionTLS12} }, "RootCAs"},
		"name":      {func(c *Config) { c.TLS.ServerName = "elsewhere" }, "ServerName"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // the broker takes seconds to refuse a password
			cfg := encrypted(t)
			c.change(&cfg)
			s := open(t, cfg)
			err := s.Send(t.Context(), []outbox.Message{message("orders", "a")})[0]
			if !outbox.IsUnavailable(err) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("answer %v, expected unavailable and %q", err, c.want)
			}
			if err := s.Check(t.Context()); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("check %v, expected %q", err, c.want)
			}
		})
	}
}
