package kafkasink_test

import (
	"crypto/tls"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/sendoff-go/outbox/sink/kafkasink"
)

func TestAConfigThatCannotWorkIsRefused(t *testing.T) {
	brokers := []string{"localhost:9092"}
	for _, tt := range []struct {
		cfg  kafkasink.Config
		want string
	}{
		{kafkasink.Config{}, "Brokers is empty"},
		{kafkasink.Config{Brokers: []string{"localhost"}}, "host:port"},
		{kafkasink.Config{Client: &kgo.Client{}, SASL: kafkasink.SASL{User: "u", Password: "secret"}}, "give those to the client"},
		{kafkasink.Config{Brokers: brokers, Timeout: -1}, "positive"},
		{kafkasink.Config{Brokers: brokers, MaxMessageBytes: 1}, "MaxMessageBytes"},
		{kafkasink.Config{Brokers: brokers, SASL: kafkasink.SASL{Mechanism: "GSSAPI", User: "u"}}, "SCRAM-SHA-512"},
		{kafkasink.Config{Brokers: brokers, SASL: kafkasink.SASL{Mechanism: "PLAIN", Password: "secret"}}, "no User"},
	} {
		s, err := kafkasink.New(tt.cfg)
		if err == nil {
			_ = s.Close()
			t.Errorf("%+v was accepted", tt.cfg)
			continue
		}
		if !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("error %q, expected %q in it and no password", err, tt.want)
		}
	}
}

func TestASinkNeedsNoServerToBeOpened(t *testing.T) {
	for _, mechanism := range []string{"PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"} {
		start := time.Now()
		s, err := kafkasink.New(kafkasink.Config{
			Brokers: []string{"127.0.0.1:1"}, TLS: &tls.Config{MinVersion: tls.VersionTLS12},
			SASL: kafkasink.SASL{Mechanism: mechanism, User: "u", Password: "p"},
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil || time.Since(start) > patience {
			t.Errorf("%s: closed after %s: %v", mechanism, time.Since(start), err)
		}
	}
}
