package daemon

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/daemon/config"
	"github.com/sendoff-go/outbox/sink/httpsink"
	"github.com/sendoff-go/outbox/sink/kafkasink"
	"github.com/sendoff-go/outbox/sink/logsink"
	"github.com/sendoff-go/outbox/sink/natssink"
	"github.com/sendoff-go/outbox/sink/rabbitsink"
	"github.com/sendoff-go/outbox/sink/redissink"
)

// openers make the sinks, by the type of the sender. None needs its server to
// be up.
var openers = map[string]func(s *config.Sender, secure *tls.Config, log *slog.Logger) (sink, error){
	"kafka":     openKafka,
	"rabbit_mq": openRabbit,
	"nats":      openNATS,
	"redis":     openRedis,
	"http":      openHTTP,
	"log":       openLog,
}

// sink is what every sink can do.
type sink interface {
	outbox.Sink
	Close() error
}

// senders are the sinks in use, by their configuration.
type senders map[*config.Sender]*sender

type sender struct {
	sink  outbox.Sink
	bound *bounded
	close func() error
}

// openSenders opens the senders that events use. All that is wrong is told at
// once.
func openSenders(c *config.Config, log *slog.Logger) (senders, error) {
	all := senders{}
	var errs []error
	for _, event := range slices.Sorted(maps.Keys(c.Publisher.Events)) {
		name, s := c.SenderOf(event)
		if s == nil || all[s] != nil {
			continue
		}
		opened, err := openSender(name, s, log)
		if err != nil {
			errs = append(errs, fmt.Errorf("sender %s: %w", name, err))
			opened = &sender{close: func() error { return nil }}
		}
		all[s] = opened
	}
	if len(errs) > 0 {
		return nil, errors.Join(append(errs, all.close())...)
	}
	return all, nil
}

func openSender(name string, s *config.Sender, log *slog.Logger) (*sender, error) {
	secure, err := tlsConfig(s.TLS)
	if err != nil {
		return nil, err
	}
	open := openers[s.Type]
	if open == nil {
		return nil, fmt.Errorf("this build has no %s: it has %s", s.Type, strings.Join(slices.Sorted(maps.Keys(openers)), ", "))
	}
	log = log.With("sender", name)
	opened, err := open(s, secure, log)
	if err != nil {
		return nil, err
	}
	out, counted := bound(name, opened, s.EmergencyTimeout.Std())
	return &sender{out, counted, opened.Close}, nil
}

// unfinished is the number of sends that were cancelled so far or are still
// under way: whether their events arrived is not known.
func (s senders) unfinished() (n int64) {
	for _, one := range s {
		n += one.bound.cut.Load() + one.bound.now.Load()
	}
	return n
}

// cancelled is the number of those that were cancelled so far.
func (s senders) cancelled() (n int64) {
	for _, one := range s {
		n += one.bound.cut.Load()
	}
	return n
}

func (s senders) close() error {
	var errs []error
	for _, one := range s {
		errs = append(errs, one.close())
	}
	return errors.Join(errs...)
}

func openKafka(s *config.Sender, secure *tls.Config, log *slog.Logger) (sink, error) {
	c := kafkasink.Config{
		Brokers: s.Brokers, ClientID: s.ClientID, Timeout: s.EmergencyTimeout.Std(), MaxMessageBytes: int(s.MaxMessage), Logger: log,
	}
	if s.TLS.Enabled {
		c.TLS = secure
	}
	if s.Username != "" {
		c.SASL = kafkasink.SASL{Mechanism: strings.ToUpper(cmp.Or(s.Mechanism, "plain")), User: s.Username, Password: s.Password}
	}
	return kafkasink.Open(c)
}

func openRabbit(s *config.Sender, secure *tls.Config, log *slog.Logger) (sink, error) {
	urls := strings.Split(cmp.Or(s.URL, "amqp://guest:guest@localhost:5672/"), ",")
	for _, u := range urls {
		if err := encrypted(s.TLS, u, "amqp", "amqps"); err != nil {
			return nil, err
		}
	}
	return rabbitsink.Open(rabbitsink.Config{
		URL: urls[0], Nodes: urls[1:], Username: s.Username, Password: s.Password,
		TLS: secure, Timeout: s.EmergencyTimeout.Std(), Logger: log,
	})
}

func openNATS(s *config.Sender, secure *tls.Config, log *slog.Logger) (sink, error) {
	return natssink.Open(natssink.Config{
		URL: cmp.Or(s.URL, "nats://localhost:4222"), User: s.Username, Password: s.Password, Token: s.Token, CredsFile: s.CredsFile,
		Name: s.ClientID, TLS: secure, Timeout: s.EmergencyTimeout.Std(), Logger: log,
	})
}

func openRedis(s *config.Sender, secure *tls.Config, log *slog.Logger) (sink, error) {
	c := redissink.Config{
		URL: s.URL, Addrs: s.Addresses, MasterName: s.MasterName, Username: s.Username, Password: s.Password, TLS: secure,
		MaxLen: int64(s.MaxLength), RequireStream: s.RequireStream, Timeout: s.EmergencyTimeout.Std(), Logger: log,
	}
	if len(c.Addrs) == 0 {
		c.URL = cmp.Or(c.URL, "redis://localhost:6379/0")
	}
	if err := encrypted(s.TLS, c.URL, "redis", "rediss"); err != nil {
		return nil, err
	}
	return redissink.Open(c)
}

func openHTTP(s *config.Sender, secure *tls.Config, log *slog.Logger) (sink, error) {
	if err := encrypted(s.TLS, s.URL, "http", "https"); err != nil {
		return nil, err
	}
	return httpsink.Open(httpsink.Config{
		URL: s.URL, Mode: map[string]httpsink.Mode{"binary": httpsink.Binary, "structured": httpsink.Structured}[s.Mode], Source: s.Source,
		Secrets: s.Secrets, Username: s.Username, Password: s.Password, Headers: s.Headers, TLS: secure,
		Concurrency: s.Concurrency, Timeout: s.RequestTimeout.Std(), BlockPrivate: s.BlockPrivate, Logger: log,
	})
}

func openLog(s *config.Sender, _ *tls.Config, log *slog.Logger) (sink, error) {
	return logsink.Open(logsink.Config{Logger: log, Payload: s.PayloadBytes})
}
