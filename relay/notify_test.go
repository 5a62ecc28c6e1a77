package relay_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/store/memstore"
)

// slowNotifier takes its time, and notes what it was told.
type slowNotifier struct {
	takes time.Duration
	told  [][]string
}

func (n *slowNotifier) Notify(ctx context.Context, lanes []string) error {
	slices.Sort(lanes)
	select {
	case <-time.After(n.takes):
	case <-ctx.Done():
		return ctx.Err()
	}
	n.told = append(n.told, lanes)
	return nil
}

// commits writes an event of each type in one transaction.
func commits(t *testing.T, n *relay.Notifier, types ...string) {
	t.Helper()
	w := outbox.NewWriter(memstore.New(memstore.Config{}), n.OnCommit())
	err := w.InTx(t.Context(), func(ctx context.Context, tx *memstore.Tx) error {
		for _, name := range types {
			if _, err := w.Write(ctx, tx, outbox.Event{Type: name, JSON: []byte("1")}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestFlushWaitsForTheLastNotification(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		to := &slowNotifier{takes: time.Second}
		n := relay.NewNotifier(to, nil)
		if err := n.Flush(t.Context()); err != nil {
			t.Errorf("nothing to send: %v", err)
		}
		commits(t, n, "A")
		synctest.Wait() // A is under way; what comes now goes together
		commits(t, n, "B", "C")
		commits(t, n, "B")
		if err := n.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		if len(to.told) != 2 || !slices.Equal(to.told[1], []string{"B", "C"}) {
			t.Errorf("told %v, want A alone and then B and C together", to.told)
		}
	})
}

func TestFlushEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := relay.NewNotifier(&slowNotifier{takes: time.Minute}, nil)
		commits(t, n, "A")
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := n.Flush(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v, want the deadline", err)
		}
		pass(time.Minute)
	})
}

// A process that ends does not wait for the commits of others to stop.
func TestFlushDoesNotWaitForLaterCommits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := relay.NewNotifier(&slowNotifier{takes: 10 * time.Millisecond}, nil)
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		commits(t, n, "A")
		go func() {
			for ctx.Err() == nil {
				commits(t, n, "B")
				<-time.After(time.Millisecond)
			}
		}()
		pass(100 * time.Millisecond)
		limited, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		began := time.Now()
		if err := n.Flush(limited); err != nil || time.Since(began) > 50*time.Millisecond {
			t.Errorf("%v after %s", err, time.Since(began))
		}
		stop()
		pass(time.Second)
	})
}
