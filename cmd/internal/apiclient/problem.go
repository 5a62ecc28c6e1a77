package apiclient

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"unicode"

	"github.com/sendoff-go/outbox/cmd/internal/dburl"
)

// refusal is a request that the API refused.
type refusal struct {
	status int
	detail string
}

func (r *refusal) Error() string { return r.detail }

func isStatus(err error, status int) bool {
	var r *refusal
	return errors.As(err, &r) && r.status == status
}

func problem(kind dburl.Kind, advice, format string, args ...any) error {
	return &dburl.Problem{Kind: kind, Err: fmt.Errorf(format, args...), Advice: advice}
}

// Problem adds what could not be done to an error; nil stays nil.
func (c *Remote) Problem(doing string, err error) error {
	var p *dburl.Problem
	switch {
	case err == nil || errors.Is(err, context.Canceled):
		return err
	case doing == "":
		return err
	case !errors.As(err, &p):
		return fmt.Errorf("%s: %w", doing, err)
	case p.Kind == dburl.Usage && !isStatus(err, http.StatusUnprocessableEntity):
		return err
	}
	return &dburl.Problem{Kind: p.Kind, Err: fmt.Errorf("%s: %w", doing, p.Err), Advice: p.Advice}
}

// foreign is the error for a server that is not the API of an outbox.
func (c *Remote) foreign(why string) error {
	return problem(dburl.Usage, "", "the server at %s is not the API of an outbox: %s; check the URL, and outbox.admin of the daemon", c.host, why)
}

// refused is the error for an answer that reports a failure.
func (c *Remote) refused(a answer) error {
	if a.status/100 == 3 {
		to, err := url.Parse(a.location)
		if err != nil || to.Host == "" {
			return c.foreign("it redirects")
		}
		return c.foreign("it redirects to " + clean(to.Scheme+"://"+to.Host))
	}
	var said struct {
		Detail string `json:"detail"`
		Errors []struct {
			Message  string `json:"message"`
			Location string `json:"location"`
		} `json:"errors"`
	}
	if a.kind != "application/problem+json" || json.Unmarshal(a.text, &said) != nil {
		return c.strange(a)
	}
	if strings.HasPrefix(said.Detail, "there is nothing here") { // and not of an id
		return problem(dburl.Other, "", "the API at %s does not have this operation: its version is another one, or the URL has a path too many", c.host)
	}
	detail := cmp.Or(clean(said.Detail), http.StatusText(a.status), fmt.Sprintf("status %d", a.status))
	for _, e := range said.Errors {
		detail += "; " + clean(strings.TrimSpace(e.Location+" "+e.Message))
	}
	r := &refusal{a.status, detail}
	switch a.status {
	case http.StatusUnauthorized:
		if c.token == "" && c.user == "" {
			return problem(dburl.Refused, "pass --token-file, set OUTBOX_API_TOKEN, or write a user and a password into the URL", "the API asks who you are: %w", r)
		}
		return problem(dburl.Refused, "", "the API does not know the token, or the user and password: %w", r)
	case http.StatusForbidden:
		return problem(dburl.Refused, "", "the API refuses this: %w", r)
	case http.StatusUnprocessableEntity: // nothing was done, as for a wrong flag
		return problem(dburl.Usage, "", "%w", r)
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return problem(dburl.Down, "it may be sent again in "+a.retryAfter.String(), "the API answers %d: %w", a.status, r)
	}
	return problem(dburl.Other, "", "%w", r)
}

// strange is the error for an answer that no API of an outbox gives: it comes
// from a proxy in front of it, or from another program.
func (c *Remote) strange(a answer) error {
	switch {
	case bytes.Contains(a.text, []byte("HTTP request to an HTTPS server")):
		return problem(dburl.Usage, "", "the server at %s speaks TLS: write https:// in the API URL", c.host)
	case a.status == http.StatusUnauthorized || a.status == http.StatusForbidden || a.status == http.StatusProxyAuthRequired:
		return problem(dburl.Refused, "", "a server in front of the API at %s refuses the request with status %d: check its rules", c.host, a.status)
	case a.status == http.StatusRequestURITooLong || a.status == http.StatusRequestHeaderFieldsTooLarge:
		return problem(dburl.Usage, "", "the server at %s takes no request that is as long: shorten what you filter by", c.host)
	case a.status >= http.StatusInternalServerError:
		return problem(dburl.Down, "", "the server at %s answers %d %s: check that the daemon behind it runs", c.host, a.status, http.StatusText(a.status))
	}
	return c.foreign(fmt.Sprintf("it answers %d %s", a.status, http.StatusText(a.status)))
}

// unanswered is the error for a request that got no answer.
func (c *Remote) unanswered(ctx context.Context, method string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var about *url.Error
	if errors.As(err, &about) { // the URL in it says nothing
		err = about.Err
	}
	var unknown x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	var record tls.RecordHeaderError
	var dial *net.OpError
	var timeout net.Error
	connected := !errors.As(err, &dial) || dial.Op != "dial"
	switch {
	case errors.As(err, &record), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return problem(dburl.Usage, "", "the server at %s does not speak TLS: write http:// in the API URL, or set outbox.admin.tls of the daemon", c.host)
	case errors.As(err, &unknown):
		return problem(dburl.Refused, "pass the certificate of the authority that signed it with --api-ca", "the certificate of %s is signed by an unknown authority: %w", c.host, err)
	case errors.As(err, &name), errors.As(err, &invalid):
		return problem(dburl.Refused, "use a host that it names in the API URL, or renew it", "the certificate of %s is not valid: %w", c.host, err)
	case errors.As(err, &timeout) && timeout.Timeout():
		err = errors.New("no answer in time")
	}
	advice := "check that the daemon runs, and host and port of the API URL"
	if method != http.MethodGet && connected {
		advice = "the change may have been made: see outbox audit before you repeat it"
	}
	return problem(dburl.Down, advice, "no answer of the API at %s: %w", c.host, err)
}

// clean makes a server's text safe to print on one line of a terminal.
func clean(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text)
	if r := []rune(text); len(r) > 1000 {
		text = string(r[:1000]) + "…"
	}
	return strings.Join(strings.Fields(text), " ")
}
