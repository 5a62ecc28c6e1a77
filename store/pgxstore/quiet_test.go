package pgxstore

import (
	"context"
	"errors"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/testenv"
)

// line is a connection that goes silent at the third question.
type line struct {
	net.Conn
	listening, asked *atomic.Int64
	second           func() // called at the second question
}

func (l line) Write(b []byte) (int, error) {
	if l.listening.Load() > 0 && l.asked.Add(1) == 2 {
		l.second()
	}
	return l.Conn.Write(b)
}

func (l line) Read(b []byte) (int, error) {
	for {
		n, err := l.Conn.Read(b)
		if l.asked.Load() < 3 || err != nil {
			return n, err
		}
	}
}

func TestAQuietListenerIsAskedWhetherItIsStillThere(t *testing.T) {
	config, err := pgxpool.ParseConfig(testenv.Database(t, testenv.Postgres15))
	if err != nil {
		t.Fatal(err)
	}
	var listening, asked atomic.Int64
	var w *Waker
	dial := config.ConnConfig.DialFunc
	config.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		return line{conn, &listening, &asked, func() { w.patience = 200 * time.Millisecond }}, err // for the third alone
	}
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	w = testenv.Must(New(pool, Config{})).Waker(nil)
	w.quiet, w.patience = 20*time.Millisecond, 2*time.Minute
	err = w.Listen(t.Context(), func([]string) { listening.Add(1) })
	if !errors.Is(err, outbox.ErrStoreDown) || asked.Load() < 3 || listening.Load() != 1 {
		t.Errorf("error %v after %d questions and %d wake-ups: expected ErrStoreDown, 3 and 1", err, asked.Load(), listening.Load())
	}
}
