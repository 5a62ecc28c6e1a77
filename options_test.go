package outbox_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox"
)

func TestANilOptionChangesNothing(t *testing.T) {
	w := outbox.NewWriter(newStore(), nil, outbox.WithCommitHook(nil), outbox.WithLogger(nil),
		outbox.WithWriteHooks(outbox.WriteHook{AfterCommit: func([]outbox.Event) { panic("after commit") }}))
	if _, err := write(t, w, valid()); err != nil { // and the panic goes no further
		t.Error(err)
	}
	reg := outbox.NewRegistry()
	reg.Handle("a", answers("a"), nil)
	reg.HandleBatch("b", nil, nil)
	reg.Route("c", &sink{}, nil)
	outbox.Define[string]("Order", "d", nil).Handle(reg, nil)
	if reg.Lookup("", "a") == nil || reg.Lookup("", "c") == nil || reg.Lookup("Order", "d") == nil {
		t.Error("a registration is missing")
	}
}

func TestAWriterTellsThatItHasOneCommitHook(t *testing.T) {
	for _, hooks := range []int{1, 2} {
		var log bytes.Buffer
		opts := []outbox.WriterOption{outbox.WithLogger(slog.New(slog.NewTextHandler(&log, nil)))}
		for range hooks {
			opts = append(opts, outbox.WithCommitHook(&hook{}))
		}
		outbox.NewWriter(newStore(), opts...)
		if told := strings.Count(log.String(), "several commit hooks"); told != hooks-1 {
			t.Errorf("%d hooks gave the log %q", hooks, log.String())
		}
	}
}
