package inbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/observe"
)

// Config configures a consumer. The zero value of every field but Group means
// the default that the field documents.
type Config struct {
	// Group names the consumer group: each group has each event once. Required,
	// at most 128 printable ASCII characters without spaces.
	Group string
	// EventID returns the id of a message, as anything that [ID] accepts.
	// Default: EventID of the message or, if that is empty, its header
	// [outbox.HeaderEventID].
	EventID func(m outbox.Received) (any, error)

	// Retention is how long ids are kept, by the database's clock. Default 24 h.
	Retention time.Duration
	// KeepForever keeps ids until something else removes them. Default: they
	// are kept for Retention.
	KeepForever bool
	// DeadLetters is how long a dead letter of these events may wait for its
	// replay, and Redelivery how far back the broker can redeliver, for example
	// retention.ms of a Kafka topic. A warning is logged if Retention is
	// shorter. Default: unknown, no warning.
	DeadLetters, Redelivery time.Duration
	// CleanInterval is the pause between two removals of ids past their
	// retention. Default 5 s. CleanBatch ids are removed at a time, without a
	// pause while batches are full. Default 1000.
	CleanInterval time.Duration
	CleanBatch    int

	// Cache is consulted before the database. Default: none.
	Cache Cache
	// CacheTTL is how long an entry of the cache lasts, counted from before its
	// transaction began. It must be shorter than Retention. Default: half of
	// Retention, and 24 h with KeepForever.
	CacheTTL time.Duration
	// CacheTimeout bounds each call to the cache. Default 250 ms.
	CacheTimeout time.Duration

	// Around runs around [Consumer.Consume] and [Consumer.ConsumeBatch], which go
	// on with the context that it returns. The function that it returns is called
	// at the end with the number of messages that were new, and the error; it may
	// be nil. Around must be safe for concurrent use, and must not change or keep
	// the messages. Default: none.
	Around func(ctx context.Context, ms []outbox.Received) (context.Context, func(fresh int, err error))
	// Hooks observe the consumer. Default: none.
	Hooks observe.Hooks
	// Logger is for warnings and errors. Default: slog.Default().
	Logger *slog.Logger
}

func (c Config) withDefaults() Config {
	if c.EventID == nil {
		c.EventID = eventID
	}
	c.Retention = cmp.Or(c.Retention, 24*time.Hour)
	c.CleanInterval = cmp.Or(c.CleanInterval, 5*time.Second)
	c.CleanBatch = cmp.Or(c.CleanBatch, 1000)
	if c.KeepForever {
		c.CacheTTL = cmp.Or(c.CacheTTL, 24*time.Hour)
	}
	c.CacheTTL = cmp.Or(c.CacheTTL, c.Retention/2)
	c.CacheTimeout = cmp.Or(c.CacheTimeout, 250*time.Millisecond)
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	return c
}

func (c Config) validate() error {
	errs := []error{driver.CheckConsumed(c.Group)}
	bad := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf("inbox: "+format, args...))
		}
	}
	bad(c.Retention > 0, "Retention is %s: give a positive time, or set KeepForever", c.Retention)
	bad(c.DeadLetters >= 0 && c.Redelivery >= 0, "DeadLetters and Redelivery must not be negative")
	bad(c.CleanInterval > 0 && c.CleanBatch > 0, "CleanInterval and CleanBatch must be positive")
	bad(c.CacheTTL > 0 && c.CacheTimeout > 0, "CacheTTL and CacheTimeout must be positive")
	bad(c.KeepForever || c.CacheTTL < c.Retention,
		"CacheTTL is %s: it must be shorter than Retention (%s), or the cache would know what the ledger has forgotten", c.CacheTTL, c.Retention)
	return errors.Join(errs...)
}

// warn logs that events may come back after their ids were removed.
func (c Config) warn() {
	for _, horizon := range []struct {
		what string
		may  time.Duration
	}{
		{"dead letters may wait longer than the retention of consumed ids", c.DeadLetters},
		{"the broker can redeliver for longer than the retention of consumed ids", c.Redelivery},
	} {
		if !c.KeepForever && c.Retention < horizon.may {
			c.Logger.Warn("inbox: "+horizon.what+": an event that comes back after that has its effect again: raise Retention",
				"group", c.Group, "retention", c.Retention, "horizon", horizon.may)
		}
	}
}
