package redissink

import (
	"crypto/x509"
	"errors"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"
)

// explain adds to an error of the connection what to do about it.
func explain(err error) error {
	var (
		authority x509.UnknownAuthorityError
		name      x509.HostnameError
		answer    redis.Error
		hint      string
	)
	switch {
	case errors.As(err, &answer) && (strings.HasPrefix(answer.Error(), "WRONGPASS") || strings.HasPrefix(answer.Error(), "NOAUTH")):
		hint = "check the user and the password"
	case errors.As(err, &authority):
		hint = "name the authority that signed the server's certificate in RootCAs of TLS (ca-file)"
	case strings.Contains(err.Error(), "tls: certificate required"): // crypto/tls has no error for it
		hint = "the server wants a certificate: set Certificates of TLS (cert-file and key-file)"
	case errors.As(err, &name):
		hint = "use the server's name, or set ServerName of TLS (server-name)"
	default:
		return err
	}
	return fmt.Errorf("%w: %s", err, hint)
}
