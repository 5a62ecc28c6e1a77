package testenv

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/url"
	"os"
	"testing"
)

// Secured is a listener of a server that is encrypted and wants a password.
type Secured struct {
	Addr           string // host:port
	User, Password string
	CAFile         string // PEM, the authority to trust

	// Of NATS: a server that wants a token, since one cannot want both.
	Token, TokenAddr string
}

// Secure returns the encrypted listener of a server, under the rules of [URL].
func Secure(t testing.TB, name string) Secured {
	t.Helper()
	URL(t, name)
	text := os.Getenv(variable(name) + "_SECURE")
	if text == "" {
		miss(t, "%s_SECURE is not set: unset %s, so that the scripts start a server, or set it to scheme://user:password@host:port/?ca=FILE", variable(name), variable(name))
	}
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	s := Secured{Addr: u.Host, User: u.User.Username(), CAFile: q.Get("ca"), Token: q.Get("token")}
	s.Password, _ = u.User.Password()
	s.TokenAddr = net.JoinHostPort(u.Hostname(), q.Get("token-port"))
	return s
}

// Trust is what a client needs to believe that the server is the right one.
func (s Secured) Trust(t testing.TB) *tls.Config {
	t.Helper()
	pem, err := os.ReadFile(s.CAFile)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(pem) {
		t.Fatalf("%s has no certificate", s.CAFile)
	}
	return &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
}
