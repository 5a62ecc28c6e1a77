package daemon

import (
	"cmp"
	"crypto/tls"
	"log/slog"
	"strings"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/cmd/internal/daemon/config"
	"github.com/sendoff-go/outbox/sink/hazelcastsink"
	"github.com/sendoff-go/outbox/sink/httpsink"
	"github.com/sendoff-go/outbox/sink/kafkasink"
	"github.com/sendoff-go/outbox/sink/logsink"
	"github.com/sendoff-go/outbox/sink/natssink"
	"github.com/sendoff-go/outbox/sink/rabbitsink"
	"github.com/sendoff-go/outbox/sink/redissink"
)

// sink is what every sink can do.
type sink interface {
	outbox.Sink
	Close() error
}

// opener makes the sink of a sender. It does not need the server to be up.
type opener func(s *config.Sender, secure *tls.Config, log *slog.Logger) (sink, error)

// openers are by the type of the sender.
var openers = map[string]opener{
	"kafka":     opening(kafkaConfig, kafkasink.New),
	"rabbit_mq": opening(rabbitConfig, rabbitsink.New),
	"nats":      opening(natsConfig, natssink.New),
	"redis":     opening(redisConfig, redissink.New),
	"hazelcast": opening(hazelcastConfig, hazelcastsink.New),
	"http":      opening(httpConfig, httpsink.New),
	"log":       opening(logConfig, logsink.New),
}

func opening[C any, S sink](configure func(*config.Sender, *tls.Config, *slog.Logger) C, open func(C) (S, error)) opener {
	return func(s *config.Sender, secure *tls.Config, log *slog.Logger) (sink, error) {
		return open(configure(s, secure, log))
	}
}

func kafkaConfig(s *config.Sender, secure *tls.Config, log *slog.Logger) kafkasink.Config {
	c := kafkasink.Config{
		Brokers: s.Brokers, ClientID: s.ClientID, Timeout: s.EmergencyTimeout.Std(), MaxMessageBytes: int(s.MaxMessage), Logger: log,
	}
	if s.TLS.Enabled {
		c.TLS = secure
	}
	if s.Username != "" {
		c.SASL = kafkasink.SASL{Mechanism: strings.ToUpper(cmp.Or(s.Mechanism, "plain")), User: s.Username, Password: s.Password}
	}
	return c
}

func rabbitConfig(s *config.Sender, secure *tls.Config, log *slog.Logger) rabbitsink.Config {
	urls := strings.Split(cmp.Or(s.URL, "amqp://guest:guest@localhost:5672/"), ",")
	return rabbitsink.Config{
		URL: urls[0], Nodes: urls[1:], Username: s.Username, Password: s.Password, ClientID: s.ClientID,
		DefaultExchange: s.DefaultExchange, TLS: secure, Timeout: s.EmergencyTimeout.Std(), Logger: log,
	}
}

func natsConfig(s *config.Sender, secure *tls.Config, log *slog.Logger) natssink.Config {
	return natssink.Config{
		URL: cmp.Or(s.URL, "nats://localhost:4222"), User: s.Username, Password: s.Password, Token: s.Token, CredsFile: s.CredsFile,
		Name: s.ClientID, TLS: secure, Timeout: s.EmergencyTimeout.Std(), Logger: log,
	}
}

func redisConfig(s *config.Sender, secure *tls.Config, log *slog.Logger) redissink.Config {
	c := redissink.Config{
		URL: s.URL, Addrs: s.Addresses, MasterName: s.MasterName, Username: s.Username, Password: s.Password, TLS: secure,
		MaxLen: int64(s.MaxLength), RequireStream: s.RequireStream, Timeout: s.EmergencyTimeout.Std(), Logger: log,
	}
	if len(c.Addrs) == 0 {
		c.URL = cmp.Or(c.URL, "redis://localhost:6379/0")
	}
	return c
}

func hazelcastConfig(s *config.Sender, secure *tls.Config, log *slog.Logger) hazelcastsink.Config {
	c := hazelcastsink.Config{
		Addresses: s.Addresses, ClusterName: s.ClusterName, Username: s.Username, Password: s.Password, TLS: secure,
		Unisocket: s.Unisocket, Reliable: s.Reliable, Timeout: s.EmergencyTimeout.Std(), Logger: log,
	}
	if len(c.Addresses) == 0 {
		c.Addresses = []string{"localhost:5701"}
	}
	return c
}

func httpConfig(s *config.Sender, secure *tls.Config, log *slog.Logger) httpsink.Config {
	return httpsink.Config{
		URL: s.URL, Mode: map[string]httpsink.Mode{"binary": httpsink.Binary, "structured": httpsink.Structured}[s.Mode], Source: s.Source,
		Secrets: s.Secrets, Username: s.Username, Password: s.Password, Headers: s.Headers, TLS: secure,
		Concurrency: s.Concurrency, Timeout: s.RequestTimeout.Std(), BlockPrivate: s.BlockPrivate, Logger: log,
	}
}

func logConfig(s *config.Sender, _ *tls.Config, log *slog.Logger) logsink.Config {
	return logsink.Config{Logger: log, Payload: s.PayloadBytes}
}
