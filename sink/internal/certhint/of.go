package certhint

import (
	"crypto/x509"
	"errors"
	"fmt"
	"strings"
)

// Of returns what to do about err, a failure to connect to a peer such as
// "broker" or "server"; "" if err is not about its certificate.
func Of(err error, peer string) string {
	var (
		authority x509.UnknownAuthorityError
		name      x509.HostnameError
	)
	switch {
	case errors.As(err, &authority):
		return "name the CA that signed the " + peer + "'s certificate in RootCAs of TLS (ca-file)"
	case errors.As(err, &name):
		return "use the " + peer + "'s name, or set ServerName of TLS (server-name)"
	case strings.Contains(err.Error(), "tls: certificate required"), // crypto/tls has no error for these
		strings.Contains(err.Error(), "tls: bad certificate"):
		return "the " + peer + " requires a client certificate, or a different one: set Certificates of TLS (cert-file and key-file)"
	}
	return ""
}

// Add adds a hint to err, or what [Of] knows if that is empty.
func Add(err error, peer, hint string) error {
	if hint == "" {
		hint = Of(err, peer)
	}
	if hint == "" {
		return err
	}
	return fmt.Errorf("%w: %s", err, hint)
}
