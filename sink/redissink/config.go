package redissink

import (
	"crypto/tls"
	"errors"
	"log/slog"
	"time"

	"github.com/redis/go-redis/v9"
)

// Config says where the server is and how entries are written. One of URL, Addrs
// and Client is required.
type Config struct {
	// Client is an existing client. The caller still owns it: Close ends the sink
	// but not the client. It should have ContextTimeoutEnabled: without it, a
	// batch that timed out keeps its connection until the client's own
	// ReadTimeout. Whatever its MaxRetries and MaxRedirects, it does not resend a
	// batch whose answer was lost. The fields from URL to Connections must not be
	// set with it. Default: the sink makes its own client.
	Client redis.UniversalClient
	// URL is redis://user:password@host:port/db, rediss:// for TLS, or unix://.
	URL string
	// Addrs are the hosts and ports of the nodes of a cluster, or, with
	// MasterName, of the sentinels.
	Addrs      []string
	MasterName string
	// Username, Password and DB replace those of the URL. Default: none, and
	// database 0.
	Username, Password string
	DB                 int
	// TLS is used with Addrs and with rediss:// URLs. Default: none with Addrs,
	// the system's roots with rediss://.
	TLS *tls.Config
	// Connections is how many batches may be in flight to one server. Default: 8.
	Connections int

	// MaxLen trims a stream to about that many entries as it grows; readers have
	// to keep up. Default: streams are not trimmed.
	MaxLen int64
	// RequireStream fails messages whose stream does not exist. It needs Redis
	// 6.2. Default: the first message creates the stream.
	RequireStream bool
	// Timeout bounds a Send, in addition to its context. Default: 30 s.
	Timeout time.Duration
	// DialTimeout bounds one attempt to connect, and a check. Default: 5 s.
	DialTimeout time.Duration
	// Logger reports when the server becomes unavailable and when it is back.
	// Default: none.
	Logger *slog.Logger
}

func (c Config) withDefaults() Config {
	if c.Connections == 0 {
		c.Connections = 8
	}
	if c.Timeout == 0 {
		c.Timeout = 30 * time.Second
	}
	if c.DialTimeout == 0 {
		c.DialTimeout = 5 * time.Second
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c
}

func (c Config) validate() error {
	if c.Connections < 0 || c.MaxLen < 0 || c.Timeout < 0 || c.DialTimeout < 0 {
		return errors.New("redissink: Connections, MaxLen, Timeout and DialTimeout must not be negative: leave them zero for their defaults")
	}
	return nil
}

// ofTheClient refuses settings that need a client of the sink's own.
func (c Config) ofTheClient() error {
	if c.Client != nil && (c.URL != "" || len(c.Addrs) > 0 || c.MasterName != "" || c.Username != "" || c.Password != "" || c.DB != 0 || c.TLS != nil || c.Connections != 0) {
		return errors.New("redissink: Client is set together with URL, Addrs, MasterName, Username, Password, DB, TLS or Connections: give those to the client")
	}
	return nil
}

// client makes the sink's own client. It does not retry by itself (see
// addition): it cannot know whether an entry was written, so the relay decides.
func (c Config) client() (redis.UniversalClient, error) {
	switch {
	case c.URL == "" && len(c.Addrs) == 0:
		return nil, errors.New("redissink: no server: set URL, for example redis://localhost:6379/0, Addrs for a cluster, or Client")
	case c.URL != "" && len(c.Addrs) > 0:
		return nil, errors.New("redissink: URL and Addrs are both set: set one of them")
	case len(c.Addrs) > 0:
		return redis.NewUniversalClient(&redis.UniversalOptions{
			Addrs: c.Addrs, MasterName: c.MasterName, IsClusterMode: c.MasterName == "",
			Username: c.Username, Password: c.Password, DB: c.DB, TLSConfig: c.TLS,
			MaxRetries: -1, DialTimeout: c.DialTimeout, DialerRetries: 1, ReadTimeout: c.Timeout, WriteTimeout: c.Timeout,
			ContextTimeoutEnabled: true, PoolSize: c.Connections, PoolTimeout: c.Timeout,
		}), nil
	}
	o, err := redis.ParseURL(c.URL)
	if err != nil { // its text may contain the password
		return nil, errors.New("redissink: URL cannot be read: write redis://user:password@host:port/db, with %XX for special characters in the password")
	}
	if c.Username != "" || c.Password != "" {
		o.Username, o.Password = c.Username, c.Password
	}
	if c.DB != 0 {
		o.DB = c.DB
	}
	if c.TLS != nil {
		if o.TLSConfig == nil {
			return nil, errors.New("redissink: TLS is set but URL does not begin with rediss://: write rediss://, or leave TLS out")
		}
		o.TLSConfig = c.TLS
	}
	o.MaxRetries, o.DialTimeout, o.DialerRetries = -1, c.DialTimeout, 1
	o.ReadTimeout, o.WriteTimeout, o.ContextTimeoutEnabled = c.Timeout, c.Timeout, true
	o.PoolSize, o.PoolTimeout = c.Connections, c.Timeout
	return redis.NewClient(o), nil
}
