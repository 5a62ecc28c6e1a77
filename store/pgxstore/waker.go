package pgxstore

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/pgstore"
)

// Waker wakes relays through LISTEN. It needs a session, and so its own
// connection that bypasses any pooler. It is safe for concurrent use; each
// [Waker.Listen] has its own connection.
type Waker struct {
	config  *pgx.ConnConfig
	before  func(context.Context, *pgx.ConnConfig) error // nil for none
	channel string
	// quiet is how long a connection may be silent before it is checked: a lost
	// one can look like a quiet one for hours.
	quiet time.Duration
	// patience bounds that check, and connecting.
	patience time.Duration
	wrap     func(ctx context.Context, what string, err error) error
}

var _ driver.Waker = (*Waker)(nil)

// Waker makes a source of wake-ups for this store's tables. Give it a
// configuration from [pgx.ParseConfig] if the pool goes through a pooler.
// Default, for nil: the pool's, with its BeforeConnect.
func (s *Store) Waker(config *pgx.ConnConfig) *Waker {
	w := &Waker{channel: s.channel, quiet: 30 * time.Second, patience: 10 * time.Second, wrap: s.engine.Error}
	if config != nil {
		w.config = config.Copy()
	} else {
		pool := s.pool.Config()
		w.config, w.before = pool.ConnConfig, pool.BeforeConnect
	}
	return w
}

// Channel is the channel of wake-ups: the full name of the event table, or a
// hash of it where that is too long.
func (s *Store) Channel() string { return s.channel }

// Listen implements [driver.Waker]. It wakes all lanes once it listens, because
// it missed what was sent before, and returns when ctx is done or the
// connection is lost; a relay calls it again.
func (w *Waker) Listen(ctx context.Context, wake func(lanes []string)) error {
	conn, err := w.connect(ctx)
	if ctx.Err() != nil && err != nil {
		return nil
	} else if err != nil {
		return w.wrap(ctx, "listen", err)
	}
	defer closeConn(ctx, conn)
	wake(nil)
	for {
		payload, heard, err := w.wait(ctx, conn)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			return w.wrap(ctx, "listen", err)
		case heard:
			wake(pgstore.ParseNotify(payload))
		}
	}
}

func (w *Waker) connect(ctx context.Context) (*pgx.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, w.patience)
	defer cancel()
	config := w.config.Copy()
	if w.before != nil {
		if err := w.before(ctx, config); err != nil {
			return nil, err
		}
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	if _, err := conn.Exec(ctx, "LISTEN "+pgx.Identifier{w.channel}.Sanitize()); err != nil {
		closeConn(ctx, conn)
		return nil, err
	}
	return conn, nil
}

// wait returns the next notification, or after a quiet time whether the
// connection still answers.
func (w *Waker) wait(ctx context.Context, conn *pgx.Conn) (payload string, heard bool, err error) {
	limited, cancel := context.WithTimeout(ctx, w.quiet)
	defer cancel()
	n, err := conn.WaitForNotification(limited)
	switch {
	case err == nil:
		return n.Payload, true, nil
	case ctx.Err() != nil || !pgconn.Timeout(err):
		return "", false, err
	}
	asked, cancel := context.WithTimeout(ctx, w.patience)
	defer cancel()
	if err := conn.Ping(asked); err != nil {
		return "", false, fmt.Errorf("the connection is silent: %w", err)
	}
	return "", false, nil
}

func closeConn(ctx context.Context, conn *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = conn.Close(ctx) // its error does not matter
	select {
	case <-conn.PgConn().CleanupDone():
	case <-ctx.Done():
	}
}
