package redissink

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/redis/go-redis/v9"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// away lists the first words of answers that are about the server, not the
// message.
var away = map[string]bool{
	"LOADING": true, "BUSY": true, "MASTERDOWN": true, "READONLY": true, "OOM": true, "MISCONF": true,
	"NOREPLICAS": true, "CLUSTERDOWN": true, "TRYAGAIN": true, "MOVED": true, "ASK": true, "UNBLOCKED": true,
	"NOAUTH": true, "WRONGPASS": true, "NOTREADY": true,
}

// unsent reports whether there was no connection to send a message on. The client
// does not say whether a handshake got no answer.
func unsent(err error) bool {
	var network *net.OpError
	var certificate *tls.CertificateVerificationError
	return errors.As(err, &network) && network.Op == "dial" || errors.As(err, new(*net.DNSError)) ||
		errors.As(err, &certificate) || errors.As(err, new(tls.RecordHeaderError)) || errors.As(err, new(tls.AlertError)) ||
		errors.Is(err, redis.ErrPoolTimeout) || errors.Is(err, redis.ErrPoolExhausted) || errors.Is(err, redis.ErrClosed)
}

// classify returns the outcome of a message to a stream.
func classify(stream string, err error) error {
	if err == nil {
		return nil
	}
	var answer redis.Error
	name := driver.DestinationName(stream)
	switch {
	case errors.Is(err, redis.Nil): // only with NOMKSTREAM
		return fmt.Errorf("redissink: stream %q does not exist: create it (XGROUP CREATE ... MKSTREAM), or leave RequireStream off", name)
	case !errors.As(err, &answer) && unsent(err):
		return outbox.Unavailable(fmt.Errorf("redissink: %w", explain(err)))
	case !errors.As(err, &answer):
		return outbox.Unavailable(driver.Uncertain(fmt.Errorf("redissink: %w", explain(err))))
	}
	word, _, _ := strings.Cut(answer.Error(), " ") // without what the client put before it
	switch {
	case away[word], strings.Contains(answer.Error(), "max number of clients"):
		return outbox.Unavailable(fmt.Errorf("redissink: %w", explain(err)))
	case word == "WRONGTYPE":
		return fmt.Errorf("redissink: key %q is not a stream: name another one in the route, or remove the key: %w", name, driver.DestinationError(err, stream))
	case word == "NOPERM":
		return fmt.Errorf("redissink: the user may not append to %q: grant XADD on that key: %w", name, driver.DestinationError(err, stream))
	}
	return fmt.Errorf("redissink: stream %q: %w", name, driver.DestinationError(err, stream))
}
