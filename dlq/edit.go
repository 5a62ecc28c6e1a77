package dlq

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// ErrGone says that no unresolved letter has the id: it was retried, resolved or
// deleted, or never died.
var ErrGone = errors.New("dlq: no open dead letter has this id")

// ErrConflict says that an event with the id is in the outbox again.
var ErrConflict = errors.New("dlq: an event with this id is in the outbox again")

// Edit retries one letter with another payload and other headers, under the same
// id, and resolves the letter, which keeps the original until it is deleted or
// swept. change gets the event as it died. If an id died more than once, Edit
// takes the latest letter. It refuses an invalid payload with
// [outbox.ErrInvalidEvent] and then changes nothing.
func Edit(ctx context.Context, s driver.DeadLetterStore, act driver.Act, id string, change func(*driver.DeadEdit) error) error {
	if act.By == "" {
		return ErrNobody
	}
	l, found, err := s.GetDead(ctx, id)
	switch {
	case err != nil:
		return err
	case !found || !l.ResolvedAt.IsZero():
		return ErrGone
	}
	died := l.Event.Clone()
	e := driver.DeadEdit{JSON: died.JSON, Bytes: died.Bytes, Headers: died.Headers}
	if err := change(&e); err != nil {
		return err
	}
	if err := checkEdit(&e, max(outbox.MaxPayload, len(l.Event.Payload()))); err != nil {
		return err
	}
	result, err := s.EditDead(driver.WithAct(ctx, act), l.Key(), e)
	switch {
	case err != nil:
		return err
	case result.Status == driver.DeadConflict:
		return ErrConflict
	case result.Status == driver.DeadNotFound:
		return ErrGone
	}
	return nil
}

// checkEdit refuses what a writer would refuse.
func checkEdit(e *driver.DeadEdit, limit int) error {
	switch n := len(e.JSON) + len(e.Bytes); {
	case (e.JSON == nil) == (e.Bytes == nil):
		return fmt.Errorf("%w: give a payload of JSON, or one of bytes", outbox.ErrInvalidEvent)
	case n > limit:
		return fmt.Errorf("%w: the payload has %d bytes, at most %d are allowed", outbox.ErrInvalidEvent, n, limit)
	case e.JSON != nil && (!utf8.Valid(e.JSON) || !json.Valid(e.JSON)):
		return fmt.Errorf("%w: the payload is not valid JSON: correct it, or give it as bytes", outbox.ErrInvalidEvent)
	}
	if _, err := driver.EncodeHeaders(e.Headers); err != nil {
		return fmt.Errorf("%w: %w", outbox.ErrInvalidEvent, err)
	}
	return nil
}
