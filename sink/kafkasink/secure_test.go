package kafkasink_test

import (
	"crypto/tls"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/internal/sinkrig"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/sink/kafkasink"
)

// secured returns a configuration for the encrypted listener.
func secured(t *testing.T, mechanism string) kafkasink.Config {
	t.Helper()
	s := testenv.Secure(t, testenv.Kafka)
	return kafkasink.Config{
		Brokers: []string{s.Addr}, TLS: s.TLS(t), Timeout: 10 * time.Minute,
		SASL: kafkasink.SASL{Mechanism: mechanism, User: s.User, Password: s.Password},
	}
}

func TestEveryMechanismWorksOverTLS(t *testing.T) {
	for _, mechanism := range []string{"PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"} {
		t.Run(mechanism, func(t *testing.T) {
			s := open(t, secured(t, mechanism))
			topic := newTopic(t, 1, nil)
			mustSend(t, s, message(topic, "k", "hello"))
			if err := s.Check(t.Context()); err != nil {
				t.Error(err)
			}
			if got := consume(t, topic).records(1, patience); len(got) != 1 || string(got[0].Value) != "hello" {
				t.Errorf("got %v", got)
			}
		})
	}
}

func TestAWrongLoginOrAuthorityIsUnavailableAndSaysWhatToDo(t *testing.T) {
	password := func(c *kafkasink.Config) { c.SASL.Password = "wrong" }
	for name, c := range map[string]struct {
		mechanism string
		change    func(*kafkasink.Config)
		want      string
	}{
		"password of PLAIN":         {"PLAIN", password, "check the user, the password"},
		"password of SCRAM-SHA-256": {"SCRAM-SHA-256", password, "check the user, the password"},
		"password of SCRAM-SHA-512": {"SCRAM-SHA-512", password, "check the user, the password"},
		"user":                      {"SCRAM-SHA-256", func(c *kafkasink.Config) { c.SASL.User = "nobody" }, "check the user, the password"},
		"authority":                 {"PLAIN", func(c *kafkasink.Config) { c.TLS = &tls.Config{MinVersion: tls.VersionTLS12} }, "RootCAs"},
		"name":                      {"PLAIN", func(c *kafkasink.Config) { c.TLS.ServerName = "elsewhere" }, "ServerName"},
		"no TLS":                    {"PLAIN", func(c *kafkasink.Config) { c.TLS = nil }, "plaintext connection speaking to a tls endpoint"},
		"no SASL":                   {"PLAIN", func(c *kafkasink.Config) { c.SASL = kafkasink.SASL{} }, "set TLS and SASL"},
		"TLS on the plain port":     {"PLAIN", func(c *kafkasink.Config) { c.Brokers = []string{broker(t)} }, "set TLS and SASL"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := secured(t, c.mechanism)
			c.change(&cfg)
			s := open(t, cfg)
			start := time.Now()
			sinkrig.Away(t, s, message("orders", "k", "hello"), c.want)
			if took := time.Since(start); took > patience {
				t.Errorf("it took %s of a Timeout of %s", took, cfg.Timeout)
			}
		})
	}
}

func TestAMissingClientCertificateIsUnavailable(t *testing.T) {
	cfg := secured(t, "PLAIN")
	cfg.TLS.Certificates = nil
	sinkrig.AwayAndSays(t, open(t, cfg), message("orders", "k", "hello"), "cert-file")
}
