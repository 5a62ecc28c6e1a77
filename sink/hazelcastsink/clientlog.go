package hazelcastsink

import (
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/hazelcast/hazelcast-go-client/logger"
)

// clientLog takes the lines that a client logs. It is the only place where a
// client that tries to connect says why it cannot.
type clientLog struct {
	to *slog.Logger

	mu   sync.Mutex
	last string
	at   time.Time
}

// Log implements [logger.Logger].
func (l *clientLog) Log(weight logger.Weight, text func() string) {
	if weight > logger.WeightWarn {
		return
	}
	line, _, _ := strings.Cut(text(), "\n") // without a stack trace of Java
	l.to.Debug("hazelcastsink: the client says", "text", line)
	if weight > logger.WeightError {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last, l.at = line, time.Now()
}

// err returns the last error, nil if there was none.
func (l *clientLog) err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.last == "" {
		return nil
	}
	return errors.New(l.last)
}

// silent reports whether the client has said nothing since then.
func (l *clientLog) silent(since time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.at.Before(since)
}
