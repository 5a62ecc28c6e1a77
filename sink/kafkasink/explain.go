package kafkasink

import (
	"errors"
	"fmt"
	"strings"

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
	case strings.Contains(err.Error(), "tls: bad certificate"): // crypto/tls has no error for it
		hint = "the broker requires a client certificate, or a different one: set Certificates of TLS (cert-file and key-file)"
	case errors.As(err, &first):
		hint = "set TLS and SASL as this port of the brokers requires"
	default:
		if hint = certhint.Of(err, "broker"); hint == "" {
			return err
		}
	}
	return fmt.Errorf("%w: %s", err, hint)
}
