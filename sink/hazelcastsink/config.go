package hazelcastsink

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"time"

	"github.com/hazelcast/hazelcast-go-client"
	"github.com/hazelcast/hazelcast-go-client/cluster"
	"github.com/hazelcast/hazelcast-go-client/types"
)

// Config says where the cluster is and how messages are published. Addresses is
// required.
type Config struct {
	// Addresses are hosts of members, with their ports. Default port: 5701. The
	// client finds the other members through any of them.
	Addresses []string
	// ClusterName must be that of the cluster. Default: dev, as Hazelcast's.
	ClusterName string
	// Username and Password are for clusters of the Enterprise Edition with
	// security. Default: none.
	Username, Password string
	// TLS encrypts connections, which takes the Enterprise Edition or a proxy in
	// front of the members. The certificates of all members must have its
	// ServerName, by default the host of the first address. Default: none.
	TLS *tls.Config
	// Unisocket connects to one of Addresses only, for members that cannot be
	// reached at the addresses that they know of each other. Default: the client
	// connects to every member.
	Unisocket bool

	// Reliable publishes to reliable topics, whose messages the cluster keeps in
	// a ring buffer with backups. Listeners must then use a reliable topic too.
	// Default: plain topics.
	Reliable bool
	// Timeout bounds a Send, in addition to its context. Default: 30 s.
	Timeout time.Duration
	// DialTimeout bounds one attempt to connect, a check, and how long a Send
	// waits for a connection. Default: 5 s.
	DialTimeout time.Duration
	// Logger reports when the cluster becomes unavailable and when it is back,
	// and, at the debug level, what the client says. Default: none.
	Logger *slog.Logger
}

func (c Config) withDefaults() Config {
	addresses := make([]string, len(c.Addresses))
	for i, a := range c.Addresses {
		if _, _, err := net.SplitHostPort(a); err != nil {
			a = net.JoinHostPort(a, "5701")
		}
		addresses[i] = a
	}
	c.Addresses = addresses
	if c.TLS != nil && c.TLS.ServerName == "" && len(addresses) > 0 {
		c.TLS = c.TLS.Clone() // the client needs a name
		c.TLS.ServerName, _, _ = net.SplitHostPort(addresses[0])
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
	var errs []error
	if len(c.Addresses) == 0 {
		errs = append(errs, errors.New("hazelcastsink: no address: set Addresses, for example to hazelcast-1:5701"))
	}
	for _, a := range c.Addresses {
		if host, _, err := net.SplitHostPort(a); err != nil || host == "" {
			errs = append(errs, fmt.Errorf("hazelcastsink: address %q has no host: write host:port", a))
		}
	}
	if c.Timeout < 0 || c.DialTimeout < 0 {
		errs = append(errs, errors.New("hazelcastsink: Timeout and DialTimeout must not be negative: leave them zero for their defaults"))
	}
	return errors.Join(errs...)
}

// Heartbeats find a connection that is dead although nobody has closed it.
const (
	heartbeatInterval = 5 * time.Second
	heartbeatTimeout  = 20 * time.Second
)

// client returns the settings of a client that calls f whenever it gains or
// loses the cluster. It reconnects by itself: a client that is started anew for
// each attempt leaves goroutines behind whenever the attempt fails.
func (c Config) client(log *clientLog, addresses []string, f func(connected bool)) hazelcast.Config {
	var h hazelcast.Config
	h.Logger.CustomLogger = log
	h.Cluster.Name = c.ClusterName
	h.Cluster.Security.Credentials.Username = c.Username
	h.Cluster.Security.Credentials.Password = c.Password
	h.Cluster.Unisocket = c.Unisocket
	h.Cluster.HeartbeatInterval = types.Duration(heartbeatInterval)
	h.Cluster.HeartbeatTimeout = types.Duration(heartbeatTimeout)
	h.Cluster.InvocationTimeout = types.Duration(c.Timeout)
	h.Cluster.Network.Addresses = addresses
	h.Cluster.Network.ConnectionTimeout = types.Duration(c.DialTimeout)
	h.Cluster.ConnectionStrategy.ReconnectMode = cluster.ReconnectModeOn
	h.Cluster.ConnectionStrategy.Retry = cluster.ConnectionRetryConfig{
		InitialBackoff: types.Duration(100 * time.Millisecond), MaxBackoff: types.Duration(time.Second), Multiplier: 1.5,
	}
	if c.TLS != nil {
		h.Cluster.Network.SSL.Enabled = true
		h.Cluster.Network.SSL.SetTLSConfig(c.TLS)
	}
	h.AddLifecycleListener(func(e hazelcast.LifecycleStateChanged) {
		switch e.State {
		case hazelcast.LifecycleStateConnected:
			f(true)
		case hazelcast.LifecycleStateDisconnected:
			f(false)
		}
	})
	return h
}
