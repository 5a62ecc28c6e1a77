package rabbitsink

import (
	"crypto/x509"
	"errors"
	"fmt"

	amqp "github.com/rabbitmq/amqp091-go"
)

// explain adds to an error of the connection what to do about it.
func explain(err error) error {
	var (
		authority x509.UnknownAuthorityError
		name      x509.HostnameError
		refusal   *amqp.Error
		hint      string
	)
	switch {
	case errors.As(err, &refusal) && refusal.Code == amqp.AccessRefused:
		hint = "check the user and the password, and the user's rights on the virtual host"
	case errors.As(err, &authority):
		hint = "name the authority that signed the broker's certificate in RootCAs of TLS (ca-file)"
	case errors.As(err, &name):
		hint = "use the broker's name, or set ServerName of TLS (server-name)"
	default:
		return err
	}
	return fmt.Errorf("%w: %s", err, hint)
}
