package certhint

import (
	"crypto/x509"
	"errors"
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
	}
	return ""
}
