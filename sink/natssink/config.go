package natssink

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
)

// Config describes a server and how to connect to it. Either URL or Client is
// required.
type Config struct {
	// Client is an existing connection. The caller still owns it: Close ends the
	// sink but not the connection. One that buffers messages while disconnected
	// (the client's default) sends them later although the sink has reported them
	// as failed; the server drops what the relay then resends. Of the other fields
	// only Timeout, DialTimeout and Window may be set with it. Default: the sink
	// makes its own connection in the background, and again whenever it is lost.
	Client *nats.Conn
	// URL is one server or several, separated by commas, for example
	// "nats://a:4222,nats://b:4222".
	URL string
	// TLS encrypts the connection; nil leaves that to the URL (tls://).
	TLS *tls.Config
	// At most one of User (with Password), Token and CredsFile is set.
	User, Password string
	Token          string
	// CredsFile is the path of a credentials file with a JWT and its key.
	CredsFile string
	// Name is the name of this client in the server's monitoring.
	// Default "outbox".
	Name string
	// Timeout is the limit of a Send whose context ends later or never.
	// Default 30 s.
	Timeout time.Duration
	// DialTimeout is the limit of one attempt to connect, and how long a Send
	// waits for a connection that is lost. Default 5 s.
	DialTimeout time.Duration
	// Window is how many messages may be in flight without an answer.
	// Default 4096.
	Window int
	// Logger gets the events of the connection. Default: none.
	Logger *slog.Logger
}

const (
	defaultTimeout     = 30 * time.Second
	defaultDialTimeout = 5 * time.Second
	defaultWindow      = 4096
)

func (c Config) withDefaults() Config {
	if c.Name == "" {
		c.Name = "outbox"
	}
	if c.Timeout == 0 {
		c.Timeout = defaultTimeout
	}
	if c.DialTimeout == 0 {
		c.DialTimeout = defaultDialTimeout
	}
	if c.Window == 0 {
		c.Window = defaultWindow
	}
	return c
}

func (c Config) validate() error {
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("natssink: "+format, args...))
	}
	if c.URL == "" && c.Client == nil {
		bad("URL is empty: set it, for example to nats://localhost:4222, or set Client")
	}
	for i, server := range strings.Split(c.URL, ",") {
		// The URL is not shown, since it may contain a password.
		if u, err := url.Parse(strings.TrimSpace(server)); c.URL != "" && (err != nil || u.Host == "") {
			bad("server %d of URL is not of the form nats://host:port", i+1)
		}
	}
	credentials := 0
	for _, s := range []string{c.User, c.Token, c.CredsFile} {
		if s != "" {
			credentials++
		}
	}
	if credentials > 1 {
		bad("set only one of User, Token and CredsFile")
	}
	if c.Password != "" && c.User == "" {
		bad("Password is set and User is not")
	}
	if c.Timeout < 0 || c.DialTimeout < 0 || c.Window < 0 {
		bad("Timeout is %s, DialTimeout %s and Window %d: they must be positive", c.Timeout, c.DialTimeout, c.Window)
	}
	return errors.Join(errs...)
}

// ofTheClient refuses settings that need a connection of the sink's own.
func (c Config) ofTheClient() error {
	if c.Client != nil && (c.URL != "" || c.TLS != nil || c.User != "" || c.Password != "" || c.Token != "" || c.CredsFile != "" || c.Name != "" || c.Logger != nil) {
		return errors.New("natssink: Client is set together with URL, TLS, User, Password, Token, CredsFile, Name or Logger: give those to the connection")
	}
	return nil
}

// connect makes the sink's own connection, in the background.
func (c Config) connect() (*nats.Conn, *dialer, error) {
	d := &dialer{timeout: c.DialTimeout}
	nc, err := nats.Connect(c.URL, c.options(d)...)
	if err != nil {
		return nil, nil, fmt.Errorf("natssink: %w", err)
	}
	d.opened.Store(true)
	return nc, d, nil
}

func (c Config) options(d *dialer) []nats.Option {
	opts := []nats.Option{
		nats.Name(c.Name),
		nats.SetCustomDialer(d),
		nats.Timeout(c.DialTimeout),
		nats.RetryOnFailedConnect(true),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(250 * time.Millisecond),
		nats.ReconnectJitter(100*time.Millisecond, 250*time.Millisecond),
		nats.IgnoreAuthErrorAbort(), // credentials may be fixed while the relay runs
		// Nothing is buffered: a message that could not be sent is reported, and the
		// relay sends it again.
		nats.ReconnectBufSize(-1),
		nats.FlusherTimeout(c.DialTimeout),
		nats.ReconnectOnFlusherError(),
		nats.PingInterval(5 * time.Second),
		nats.MaxPingsOutstanding(2),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { c.log("natssink: connection error", err) }),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) { c.log("natssink: disconnected", err) }),
	}
	if c.TLS != nil {
		opts = append(opts, nats.Secure(c.TLS))
	}
	switch {
	case c.User != "":
		opts = append(opts, nats.UserInfo(c.User, c.Password))
	case c.Token != "":
		opts = append(opts, nats.Token(c.Token))
	case c.CredsFile != "":
		opts = append(opts, nats.UserCredentials(c.CredsFile))
	}
	return opts
}

func (c Config) log(msg string, err error) {
	if c.Logger != nil && err != nil {
		c.Logger.Warn(msg, "error", shownPermission(err))
	}
}

// dialer refuses to dial until connect has returned, so that a silent server
// does not block it: the client then dials in the background.
type dialer struct {
	timeout time.Duration
	opened  atomic.Bool
	last    atomic.Pointer[error] // of the last attempt, nil after success
}

var errNotYet = errors.New("not connected yet")

// Dial implements the client's interface.
func (d *dialer) Dial(network, address string) (net.Conn, error) {
	if !d.opened.Load() {
		return nil, errNotYet
	}
	conn, err := net.DialTimeout(network, address, d.timeout) //nolint:noctx // the interface has no context
	if err != nil {
		d.last.Store(&err)
		return nil, err
	}
	d.last.Store(nil)
	return conn, nil
}
