package redissink

import (
	"crypto/tls"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/sinkrig"
	"github.com/sendoff-go/outbox/internal/testenv"
)

// encrypted returns a configuration for the encrypted port of the server.
func encrypted(t *testing.T) Config {
	t.Helper()
	s := testenv.Secure(t, testenv.Redis)
	return Config{URL: "rediss://" + s.Addr + "/0", TLS: s.TLS(t), Username: s.User, Password: s.Password}
}

func TestAnACLUserWorksOverTLS(t *testing.T) {
	client := dial(t)
	stream := newStream(t, client)
	s := open(t, encrypted(t))
	if err := s.Send(t.Context(), []outbox.Message{message(stream)}); err != nil && err[0] != nil {
		t.Fatal(err)
	}
	if n := client.XLen(t.Context(), stream).Val(); n != 1 {
		t.Errorf("%d entries", n)
	}
}

func TestAWrongLoginOrAuthorityIsUnavailableAndSaysWhatToDo(t *testing.T) {
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
			cfg := encrypted(t)
			c.change(&cfg)
			sinkrig.Away(t, open(t, cfg), message("orders"), c.want)
		})
	}
}

func TestAMissingClientCertificateIsUnavailable(t *testing.T) {
	cfg := encrypted(t)
	cfg.TLS.Certificates = nil
	sinkrig.AwayAndSays(t, open(t, cfg), message("orders"), "cert-file")
}
