package httpsink

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"time"
)

// Mode is the CloudEvents content mode of requests.
type Mode int

const (
	// Binary sends the payload as it is, and the CloudEvents attributes as
	// headers that begin with ce-.
	Binary Mode = iota
	// Structured sends one JSON object that holds attributes and payload.
	Structured
)

// Config says where events go and how. With the zero value, destinations must
// be absolute URLs.
type Config struct {
	// URL receives the messages whose destination is not an absolute URL.
	// Default: none, and such messages fail.
	URL string
	// Mode is Binary or Structured. Default: Binary.
	Mode Mode
	// Source is the CloudEvents source, a URI reference. Default: urn:outbox.
	Source string
	// Secrets sign the requests. Each is base64, with or without the prefix
	// whsec_; several let receivers rotate from one to the next. Default: requests
	// are not signed.
	Secrets []string
	// Username and Password are sent as basic authentication. Default: none.
	Username, Password string
	// Headers are added to every request, for example Authorization. An event that
	// sets one of them fails permanently. Default: none.
	Headers map[string]string
	// TLS is used for https URLs. Default: the system's roots.
	TLS *tls.Config
	// Concurrency is how many requests of one Send run at once. Default: 8.
	Concurrency int
	// Timeout bounds one request, from dialling to the end of the answer, and a
	// check. Default: 10 s.
	Timeout time.Duration
	// MaxRetryAfter bounds what a Retry-After may ask for. Default: 1 h.
	MaxRetryAfter time.Duration
	// BlockPrivate refuses to connect to addresses that are not public: loopback,
	// private, link-local, special-purpose, cloud-internal and the like, whatever
	// name resolved to them, and also embedded in IPv6. Set it if the URLs come
	// from users. It disables the proxy of the environment. Default: off.
	BlockPrivate bool
	// Logger reports hosts that become unavailable or answer again. Default: none.
	Logger *slog.Logger
}

func (c Config) withDefaults() Config {
	if c.Source == "" {
		c.Source = "urn:outbox"
	}
	if c.Concurrency == 0 {
		c.Concurrency = 8
	}
	if c.Timeout == 0 {
		c.Timeout = 10 * time.Second
	}
	if c.MaxRetryAfter == 0 {
		c.MaxRetryAfter = time.Hour
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c
}

func (c Config) validate() error {
	if c.Concurrency < 0 || c.Timeout < 0 || c.MaxRetryAfter < 0 {
		return errors.New("httpsink: Concurrency, Timeout and MaxRetryAfter must not be negative: leave them zero for their defaults")
	}
	if c.Mode != Binary && c.Mode != Structured {
		return fmt.Errorf("httpsink: Mode is %d: use Binary or Structured", c.Mode)
	}
	if _, err := url.Parse(c.Source); err != nil {
		return fmt.Errorf("httpsink: Source is not a URI reference: %w", err)
	}
	for name, value := range c.Headers {
		if err := checkHeader(name, value); err != nil {
			return fmt.Errorf("httpsink: Headers: %w", err)
		}
	}
	return nil
}

// base returns the URL of messages that name none, or nil. No error shows its
// text, which may contain a password.
func (c Config) base() (*url.URL, error) {
	if c.URL == "" {
		return nil, nil
	}
	u, err := url.Parse(c.URL)
	if err != nil || !isHTTP(u) {
		return nil, errors.New("httpsink: URL cannot be used: write http://host/path or https://host/path")
	}
	return u, nil
}

func isHTTP(u *url.URL) bool {
	return (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

// minSecret is the length in bytes below which a key can be guessed.
const minSecret = 16

// signers returns the keys of the secrets.
func (c Config) signers() ([]signer, error) {
	var out []signer
	for i, secret := range c.Secrets {
		key, err := keyOf(secret)
		if err != nil || len(key) < minSecret {
			return nil, fmt.Errorf("httpsink: secret %d is not whsec_ and at least %d bytes as base64: make one with `openssl rand -base64 32`", i+1, minSecret)
		}
		one, err := newSigner(key)
		if err != nil {
			return nil, fmt.Errorf("httpsink: secret %d: %w", i+1, err)
		}
		out = append(out, one)
	}
	return out, nil
}
