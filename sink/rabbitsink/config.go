package rabbitsink

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/sendoff-go/outbox"
)

// Config says where the broker is. Only URL is required.
type Config struct {
	// URL is amqp://user:password@host:port/vhost, or amqps:// for TLS.
	URL string
	// Nodes are URLs of more nodes of the cluster, tried in turn when one is down.
	// Default: none.
	Nodes []string
	// Username and Password replace those of the URLs. Default: the URL's own.
	Username, Password string
	// ClientID is the name of the connections, as the broker shows it.
	// Default: "outbox".
	ClientID string
	// TLS is used with amqps:// URLs. Default: the system's roots.
	TLS *tls.Config
	// DefaultExchange sends through the default exchange: the destination is then
	// the name of a queue, as is the event type if a route names no destination.
	// Default: the destination is an exchange.
	DefaultExchange bool
	// RoutingKey computes the routing key. It must be safe for concurrent use.
	// Default: the event type; with DefaultExchange it is not called.
	RoutingKey func(outbox.Message) string
	// Channels is how many batches may be in flight at once; others wait.
	// Default: 8.
	Channels int
	// Timeout bounds a Send, in addition to its context. Default: 30 s.
	Timeout time.Duration
	// DialTimeout bounds one attempt to connect, and a check. Default: 10 s.
	DialTimeout time.Duration
	// Heartbeat is the interval of AMQP heartbeats, in whole seconds.
	// Default: 10 s.
	Heartbeat time.Duration
	// Logger reports connections that are made, blocked or lost. Default: none.
	Logger *slog.Logger
}

func (c Config) withDefaults() Config {
	if c.RoutingKey == nil {
		c.RoutingKey = func(m outbox.Message) string { return m.Event.Type }
	}
	if c.ClientID == "" {
		c.ClientID = "outbox"
	}
	if c.Channels == 0 {
		c.Channels = 8
	}
	if c.Timeout == 0 {
		c.Timeout = 30 * time.Second
	}
	if c.DialTimeout == 0 {
		c.DialTimeout = 10 * time.Second
	}
	if c.Heartbeat == 0 {
		c.Heartbeat = 10 * time.Second
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c
}

func (c Config) validate() error {
	if c.URL == "" {
		return errors.New("rabbitsink: no URL: set one, for example amqp://guest:guest@localhost:5672/")
	}
	if c.Channels < 0 || c.Timeout < 0 || c.DialTimeout < 0 || c.Heartbeat < 0 {
		return errors.New("rabbitsink: Channels, Timeout, DialTimeout and Heartbeat must not be negative: leave them zero for their defaults")
	}
	if c.Heartbeat < time.Second {
		return fmt.Errorf("rabbitsink: Heartbeat is %s: it must be at least 1s", c.Heartbeat)
	}
	return nil
}

// urls returns the URLs of the nodes, with the credentials. No error shows
// them: they may contain a password.
func (c Config) urls() ([]string, error) {
	var out []string
	for i, text := range append([]string{c.URL}, c.Nodes...) {
		u, err := url.Parse(text)
		if err != nil {
			return nil, fmt.Errorf("rabbitsink: URL %d cannot be read: write amqp://user:password@host:port/vhost, with %%XX for special characters in the password", i+1)
		}
		if c.Username != "" {
			u.User = url.UserPassword(c.Username, c.Password)
		}
		if _, err := amqp.ParseURI(u.String()); err != nil {
			return nil, fmt.Errorf("rabbitsink: URL of %s: %w", u.Host, err)
		}
		if c.TLS != nil && u.Scheme != "amqps" {
			return nil, fmt.Errorf("rabbitsink: TLS is set but the URL of %s does not begin with amqps://: write amqps://, or leave TLS out", u.Host)
		}
		out = append(out, u.String())
	}
	return out, nil
}
