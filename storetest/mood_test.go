package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/store/memstore"
)

// mood is what keeps a database from answering as usual. Several clients may share
// one.
type mood struct {
	stays bool // once it is bad

	mu    sync.Mutex
	meets func(ctx context.Context, reads bool, limit time.Duration) error // nil: a good one
}

func (m *mood) become(meets func(ctx context.Context, reads bool, limit time.Duration) error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.meets = meets
}

func (m *mood) recover() {
	if !m.stays {
		m.become(nil)
	}
}

// meet returns what becomes of a call, and nil if it is made.
func (b *broken) meet(ctx context.Context, reads bool) error {
	b.mood.mu.Lock()
	meets := b.mood.meets
	b.mood.mu.Unlock()
	if meets == nil {
		return nil
	}
	err := meets(ctx, reads, b.limit)
	if err != nil && b.mistake != nil {
		return b.mistake(err)
	}
	return err
}

// waits is the mood of a database that gives no answer. A call has a limit of its
// own, if it is more than 0.
func waits(ctx context.Context, _ bool, limit time.Duration) error {
	over := make(<-chan time.Time)
	if limit > 0 {
		over = time.After(limit)
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-over:
		return fmt.Errorf("%w: %w", outbox.ErrStoreDown, context.DeadlineExceeded)
	}
}

var errRefused = errors.New("refused")

// onChanges leaves calls that change nothing alone.
func onChanges(meets func(ctx context.Context, reads bool, limit time.Duration) error) func(context.Context, bool, time.Duration) error {
	return func(ctx context.Context, reads bool, limit time.Duration) error {
		if reads {
			return nil
		}
		return meets(ctx, reads, limit)
	}
}

func refuses(context.Context, bool, time.Duration) error { return errRefused }

// moods adds what needs a database in a bad mood to a subject. Another is another
// client of a memstore, with the defect.
func moods(s *Subject[*memstore.Tx], b *broken, another func(*memstore.Store) *broken) {
	s.LockTable = func(testing.TB) func() {
		b.mood.become(onChanges(waits))
		return b.mood.recover
	}
	s.Hasty = func(testing.TB) Store[*memstore.Tx] {
		hasty := another(b.Store)
		hasty.mood = b.mood
		return hasty
	}
	s.Silent = func(testing.TB) (Store[*memstore.Tx], func() func()) {
		own := another(memstore.New(memstore.Config{}))
		return own, func() func() {
			own.mood.become(waits)
			return own.mood.recover
		}
	}
	s.NoRights = func(testing.TB) Store[*memstore.Tx] {
		own := another(memstore.New(memstore.Config{}))
		own.mood.become(refuses)
		return own
	}
	s.Refuse = func(testing.TB) func() {
		b.mood.become(onChanges(refuses))
		return b.mood.recover
	}
}
