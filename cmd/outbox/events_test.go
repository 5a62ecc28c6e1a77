package main

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
)

// untilWritten ends something with the first line that is written.
type untilWritten struct {
	strings.Builder
	end context.CancelFunc
}

func (u *untilWritten) Write(p []byte) (int, error) {
	defer u.end()
	return u.Builder.Write(p)
}

func TestTailShowsWhatIsWrittenFromNowOn(t *testing.T) {
	address := "sqlite://" + filepath.Join(t.TempDir(), "shop.db")
	if code, _, errs := call(t.Context(), "migrate", "up", "--database", address); code != exitOK {
		t.Fatal(errs)
	}
	var f outboxFlags
	f.url = address
	err := f.with(t.Context(), false, func(ctx context.Context, db *dburl.Handle) error {
		write := func(eventType string) {
			t.Helper()
			if err := db.Writer().InTx(ctx, func(ctx context.Context, tx dburl.Tx) error {
				return tx.Write(ctx, outbox.Event{Type: eventType, JSON: []byte(`{"n":1}`)})
			}); err != nil {
				t.Fatal(err)
			}
		}
		write("before")
		following, end := context.WithCancel(ctx)
		out := untilWritten{end: end}
		tailing := tail{app: &app{stdout: &out, stderr: &out}, db: direct{db}, out: listOutput{text}, payloads: true}
		if es, more, err := tailing.next(following); len(es) > 0 || more || err != nil {
			t.Errorf("%d events, more %t, error %v: want none at first", len(es), more, err)
		}
		write("after")
		if err := tailing.follow(following); err != nil {
			t.Error(err)
		}
		if got := out.String(); !strings.Contains(got, `  after  -  {"n":1}`) || strings.Contains(got, "before") || strings.Count(got, "\n") != 1 {
			t.Errorf("tail printed %q", got)
		}
		if es, _, err := tailing.next(t.Context()); len(es) > 0 || err != nil {
			t.Errorf("%d events again, error %v", len(es), err)
		}
		tailing.payload = "$.n=2"
		write("other")
		if es, _, err := tailing.next(t.Context()); len(es) > 0 || err != nil {
			t.Errorf("%d events, error %v; want none, since none has that payload", len(es), err)
		}
		tailing.payload = "$.n=1"
		if es, _, err := tailing.next(t.Context()); len(es) != 1 || err != nil {
			t.Errorf("%d events, error %v; want the one with that payload", len(es), err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
