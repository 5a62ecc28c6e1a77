package apiclient

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/sendoff-go/outbox/cmd/internal/dburl"
)

// The time limits. A request is answered within the time limits of the store,
// which are shorter.
const (
	connectTimeout = 10 * time.Second
	requestTimeout = time.Minute
)

// Options say where an API is, and who calls it.
type Options struct {
	// URL is the server's, without /api. It may have a user and a password.
	URL string
	// Token is a bearer token; "" for none.
	Token string
	// CA is a file with PEM certificates to trust besides the system's; "" for
	// none.
	CA string
}

// Remote is an outbox behind an API. It is safe for concurrent use.
type Remote struct {
	base           string // without a slash at its end
	host           string // for people
	token          string
	user, password string
	http           *http.Client
}

// New makes a client. It connects to nothing.
func New(o Options) (*Remote, error) {
	u, err := url.Parse(o.URL)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		// The reason would quote a part of the URL, which may be part of a
		// password.
		return nil, usage("the API URL is invalid: write it as https://host:port, and escape special characters in a password: %%40 for @, %%3A for :, %%2F for / and %%25 for %%")
	}
	if u.RawQuery != "" || u.Fragment != "" {
		return nil, usage("the API URL has a part after ? or #: leave that out")
	}
	c := &Remote{token: o.Token, host: u.Host}
	if u.User != nil {
		c.user = u.User.Username()
		c.password, _ = u.User.Password()
		if c.token != "" {
			return nil, usage("the API URL has a user, and there is a token: pass one of them")
		}
	}
	if strings.ContainsFunc(c.token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, usage("the token contains a space or another invalid character: check what was passed")
	}
	u.User = nil
	u.Path = strings.TrimSuffix(strings.TrimSuffix(u.Path, "/"), "/api")
	c.base = strings.TrimSuffix(u.String(), "/")
	trusted, err := roots(o.CA)
	if err != nil {
		return nil, err
	}
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.TLSClientConfig = &tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS12}
	t.DialContext = (&net.Dialer{Timeout: connectTimeout}).DialContext
	t.TLSHandshakeTimeout = connectTimeout
	c.http = &http.Client{
		Transport: t, Timeout: requestTimeout,
		// The target of a redirect must not get the credentials.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c, nil
}

// roots are the trusted certificates; nil: those of the system.
func roots(file string) (*x509.CertPool, error) {
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, usage("cannot read the certificates to trust: %w", err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(text) {
		return nil, usage("%s has no certificate in PEM: pass the file of whoever signed the server's", file)
	}
	return pool, nil
}

// Close closes idle connections.
func (c *Remote) Close() error {
	c.http.CloseIdleConnections()
	return nil
}

// sign adds the credentials to a request.
func (c *Remote) sign(r *http.Request) {
	switch {
	case c.token != "":
		r.Header.Set("Authorization", "Bearer "+c.token)
	case c.user != "" || c.password != "":
		r.SetBasicAuth(c.user, c.password)
	}
}

// wait waits, or returns the error of a context that ends first.
func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func usage(format string, args ...any) error { return problem(dburl.Usage, "", format, args...) }
