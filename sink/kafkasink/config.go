package kafkasink

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// Config describes a cluster and how to connect to it. Either Brokers or Client
// is required.
type Config struct {
	// Client is an existing client. The caller still owns it: Close ends the sink
	// but not the client. It should have the [ClientOptions], and must not be
	// transactional. Of the other fields only Timeout, DialTimeout and Logger may
	// be set with it. Default: the sink makes its own client.
	Client *kgo.Client
	// Brokers are some of the cluster's brokers, as host:port.
	Brokers []string
	// TLS encrypts the connections; nil leaves them unencrypted. ServerName
	// defaults to the name of each broker.
	TLS *tls.Config
	// SASL authenticates the client. Default: no authentication.
	SASL SASL
	// ClientID is the name that the brokers see. Default "outbox".
	ClientID string
	// Timeout is the limit of a Send whose context ends later or never. A Send
	// whose context ends earlier leaves records in the client, which may deliver
	// them until this time is over. At least 1 s. Default 30 s.
	Timeout time.Duration
	// DialTimeout is the limit of one attempt to connect. A Send that gets no
	// answer for twice that time checks whether any broker can be reached, and
	// ends if all refuse. Default 5 s.
	DialTimeout time.Duration
	// MaxMessageBytes is the largest batch of records, and so the largest record
	// with its headers, before compression. It must not exceed the brokers'
	// message.max.bytes or the topics' max.message.bytes. Default 1,000,012, which
	// brokers accept by default; a payload of 1 MiB needs more on both sides.
	MaxMessageBytes int
	// Dial makes the connections, for example through a tunnel; TLS runs on top.
	// Default: net.Dialer.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Logger gets the client's warnings, its other messages at debug level, and
	// records whose timestamp the topic rejects. Default: none.
	Logger *slog.Logger
}

func (c Config) withDefaults() Config {
	if c.ClientID == "" {
		c.ClientID = "outbox"
	}
	if c.Timeout == 0 {
		c.Timeout = defaultTimeout
	}
	if c.DialTimeout == 0 {
		c.DialTimeout = defaultDialTimeout
	}
	if c.MaxMessageBytes == 0 {
		c.MaxMessageBytes = 1_000_012
	}
	return c
}

const (
	defaultTimeout     = 30 * time.Second
	defaultDialTimeout = 5 * time.Second
)

func (c Config) validate() error {
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("kafkasink: "+format, args...))
	}
	if c.Client == nil && len(c.Brokers) == 0 {
		bad("Brokers is empty: name at least one as host:port, or set Client")
	}
	for _, b := range c.Brokers {
		if host, port, err := net.SplitHostPort(b); err != nil || host == "" || port == "" {
			bad("broker %q is not of the form host:port", b)
		}
	}
	if c.Timeout < time.Second || c.DialTimeout < 0 {
		bad("Timeout is %s and DialTimeout is %s: Timeout must be at least 1s, and DialTimeout must be positive", c.Timeout, c.DialTimeout)
	}
	if c.MaxMessageBytes < 512 || c.MaxMessageBytes > 1<<30 {
		bad("MaxMessageBytes is %d: it must be between 512 and %d", c.MaxMessageBytes, 1<<30)
	}
	return errors.Join(errs...)
}

// ofTheClient refuses settings that need a client of the sink's own.
func (c Config) ofTheClient() error {
	if c.Client != nil && (len(c.Brokers) > 0 || c.TLS != nil || c.SASL != SASL{} || c.ClientID != "" || c.MaxMessageBytes != 0 || c.Dial != nil) {
		return errors.New("kafkasink: Client is set together with Brokers, TLS, SASL, ClientID, MaxMessageBytes or Dial: give those to the client")
	}
	return nil
}

// client makes the sink's own client, which connects on first use.
func (c Config) client() (*kgo.Client, error) {
	opts := append(ClientOptions(),
		kgo.SeedBrokers(c.Brokers...),
		kgo.ClientID(c.ClientID),
		kgo.ProducerBatchMaxBytes(int32(c.MaxMessageBytes)),
		kgo.RecordDeliveryTimeout(c.Timeout),
		kgo.Dialer(c.dialer()),
	)
	mechanism, err := c.SASL.mechanism()
	if err != nil {
		return nil, err
	}
	if mechanism != nil {
		opts = append(opts, kgo.SASL(mechanism))
	}
	if c.Logger != nil {
		opts = append(opts, kgo.WithLogger(logger{c.Logger}))
	}
	client, err := kgo.NewClient(opts...)
	if err != nil {
		return nil, fmt.Errorf("kafkasink: %w", err)
	}
	return client, nil
}

func (c Config) dialer() func(ctx context.Context, network, address string) (net.Conn, error) {
	dial := c.Dial
	if dial == nil {
		dial = (&net.Dialer{}).DialContext
	}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		ctx, cancel := context.WithTimeout(ctx, c.DialTimeout)
		defer cancel()
		conn, err := dial(ctx, network, address)
		if err != nil || c.TLS == nil {
			return conn, err
		}
		config := c.TLS.Clone()
		if config.ServerName == "" {
			config.ServerName, _, _ = net.SplitHostPort(address)
		}
		secure := tls.Client(conn, config)
		if err := secure.HandshakeContext(ctx); err != nil {
			_ = conn.Close()
			return nil, err
		}
		return secure, nil
	}
}
