package dburl

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/store/memstore"
)

// told is a commit hook that looks whether the commit has been noted.
type told struct {
	t     *testing.T
	noted *int
	n     int
}

func (*told) Admit([]outbox.Event, time.Time) time.Duration { return 0 }
func (*told) Dropped([]outbox.Written)                      {}
func (h *told) Committed(ws []outbox.Written) {
	h.n += len(ws)
	if *h.noted != h.n {
		h.t.Errorf("%d events were noted when the relay was told of %d", *h.noted, h.n)
	}
}

func TestCommitsAreNotedBeforeTheRelayHearsOfThem(t *testing.T) {
	noted := 0
	hook := &told{t: t, noted: &noted}
	exec := func(context.Context, *memstore.Tx, string, []any) error { return nil }
	w := writerOf(memstore.New(memstore.Config{}), exec)(func(es []outbox.Event) { noted += len(es) }, []outbox.WriterOption{outbox.WithCommitHook(hook)})
	write := func(fail error) error {
		return w.InTx(t.Context(), func(ctx context.Context, tx Tx) error {
			return errors.Join(tx.Write(ctx, outbox.Event{Type: "a", JSON: []byte("1")}, outbox.Event{Type: "b", JSON: []byte("1")}), fail)
		})
	}
	refused := errors.New("refused")
	if err := write(refused); !errors.Is(err, refused) || noted != 0 {
		t.Errorf("error %v, and %d events of a rollback were noted", err, noted)
	}
	if err := write(nil); err != nil || noted != 2 || hook.n != 2 {
		t.Errorf("error %v; %d events were noted, the relay was told of %d, expected 2", err, noted, hook.n)
	}
}
