package dlq_test

import (
	"errors"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/dlq"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/memkit"
)

func TestAnEditSeesWhatDiedAndChangesOneLetter(t *testing.T) {
	store, ids := dead(t, 2)
	err := dlq.Edit(t.Context(), store, ann, ids[0], func(e *driver.DeadEdit) error {
		if string(e.JSON) != "1" {
			t.Errorf("it died with %s", e.JSON)
		}
		e.JSON = []byte("2")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if open, resolved := memkit.Count(t, store, driver.DeadFilter{}), memkit.Count(t, store, driver.DeadFilter{Resolved: true}); open != 1 || resolved != 1 {
		t.Errorf("%d open and %d resolved letters, want one of each", open, resolved)
	}
}

func TestAnEditThatCannotBeIsRefusedAndChangesNothing(t *testing.T) {
	store, ids := dead(t, 1)
	errOwn := errors.New("changed my mind")
	for name, c := range map[string]struct {
		id   string
		act  driver.Act
		edit func(*driver.DeadEdit) error
		want error
	}{
		"nobody":       {ids[0], driver.Act{}, func(*driver.DeadEdit) error { return nil }, dlq.ErrNobody},
		"no such id":   {"nope", ann, func(*driver.DeadEdit) error { return nil }, dlq.ErrGone},
		"given up":     {ids[0], ann, func(*driver.DeadEdit) error { return errOwn }, errOwn},
		"no payload":   {ids[0], ann, func(e *driver.DeadEdit) error { e.JSON = nil; return nil }, outbox.ErrInvalidEvent},
		"two payloads": {ids[0], ann, func(e *driver.DeadEdit) error { e.Bytes = []byte{}; return nil }, outbox.ErrInvalidEvent},
		"not JSON":     {ids[0], ann, func(e *driver.DeadEdit) error { e.JSON = []byte("{"); return nil }, outbox.ErrInvalidEvent},
		"too large": {ids[0], ann, func(e *driver.DeadEdit) error {
			e.JSON, e.Bytes = nil, make([]byte, outbox.MaxPayload+1)
			return nil
		}, outbox.ErrInvalidEvent},
		"a header without a name": {ids[0], ann, func(e *driver.DeadEdit) error { e.Headers = map[string]string{"": "x"}; return nil }, outbox.ErrInvalidEvent},
	} {
		if err := dlq.Edit(t.Context(), store, c.act, c.id, c.edit); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", name, err, c.want)
		}
	}
	if n := memkit.Count(t, store, driver.DeadFilter{}); n != 1 {
		t.Errorf("%d open letters, want 1", n)
	}
}
