package kafkasink

import (
	"errors"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/sendoff-go/outbox/sink/internal/certhint"
)

// explain adds advice to a connection error.
func explain(err error) error {
	var (
		first *kgo.ErrFirstReadEOF
		hint  string
	)
	switch {
	case errors.Is(err, kerr.SaslAuthenticationFailed):
		hint = "check the user, the password and the mechanism of SASL"
	case errors.Is(err, kerr.UnsupportedSaslMechanism):
		hint = "choose a SASL mechanism that the brokers have enabled"
	case errors.As(err, &first):
		hint = "set TLS and SASL as this port of the brokers requires"
	}
	return certhint.Add(err, "broker", hint)
}
