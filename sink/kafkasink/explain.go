package kafkasink

import (
	"crypto/x509"
	"errors"
	"fmt"
	"strings"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
)

// explain adds to an error of the connection what to do about it.
func explain(err error) error {
	var (
		authority x509.UnknownAuthorityError
		name      x509.HostnameError
		first     *kgo.ErrFirstReadEOF
		hint      string
	)
	switch {
	case errors.Is(err, kerr.SaslAuthenticationFailed):
		hint = "check the user, the password and the mechanism of SASL"
	case errors.Is(err, kerr.UnsupportedSaslMechanism):
		hint = "choose a SASL mechanism that the brokers have enabled"
	case errors.As(err, &authority):
		hint = "name the authority that signed the broker's certificate in RootCAs of TLS (ca-file)"
	case strings.Contains(err.Error(), "tls: bad certificate"): // crypto/tls has no error for it
		hint = "the broker wants a certificate, or another one: set Certificates of TLS (cert-file and key-file)"
	case errors.As(err, &name):
		hint = "use the broker's name, or set ServerName of TLS (server-name)"
	case errors.As(err, &first):
		hint = "set TLS and SASL as this port of the brokers wants them"
	default:
		return err
	}
	return fmt.Errorf("%w: %s", err, hint)
}
