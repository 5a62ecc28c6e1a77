package testenv

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/url"
	"os"
	"testing"
)

// Secured is a listener of a server that uses TLS and requires a password and a
// client certificate.
type Secured struct {
	Addr           string // host:port
	User, Password string
	CAFile         string // PEM, the authority to trust
	CertFile       string // PEM, the client's certificate
	KeyFile        string // PEM, its key

	// For NATS: a server that requires a token, since one cannot require both,
	// and the program, for servers with other requirements.
	Token, TokenAddr, Program string
}

// Secure returns the encrypted listener of a server, under the rules of [URL].
func Secure(t testing.TB, name string) Secured {
	t.Helper()
	URL(t, name)
	text := os.Getenv(variable(name) + "_SECURE")
	if text == "" {
		miss(t, "%s_SECURE is not set: unset %s, so that the scripts start a server, or set it to scheme://user:password@host:port/?ca=FILE&cert=FILE&key=FILE", variable(name), variable(name))
	}
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	s := Secured{
		Addr: u.Host, User: u.User.Username(), Token: q.Get("token"), Program: q.Get("program"),
		CAFile: q.Get("ca"), CertFile: q.Get("cert"), KeyFile: q.Get("key"),
	}
	s.Password, _ = u.User.Password()
	s.TokenAddr = net.JoinHostPort(u.Hostname(), q.Get("token-port"))
	return s
}

// TLS returns what a client needs to authenticate the server and itself.
func (s Secured) TLS(t testing.TB) *tls.Config {
	t.Helper()
	pem, err := os.ReadFile(s.CAFile)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(pem) {
		t.Fatalf("%s has no certificate", s.CAFile)
	}
	own, err := tls.LoadX509KeyPair(s.CertFile, s.KeyFile)
	if err != nil {
		t.Fatal(err)
	}
	return &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{own}, MinVersion: tls.VersionTLS12}
}
