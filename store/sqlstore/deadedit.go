package sqlstore

import (
	"context"
	"errors"

	"github.com/sendoff-go/outbox/driver"
)

// errTaken rolls back the edit of a letter whose id is in the outbox.
var errTaken = errors.New("an event of that id is in the outbox")

// EditDead implements [driver.DeadLetterStore]. Resolving the letter first locks
// it: of two edits at once, the second finds it resolved.
func (s *Engine) EditDead(ctx context.Context, key driver.DeadKey, e driver.DeadEdit) (driver.DeadResult, error) {
	result := driver.DeadResult{ID: key.EventID, Status: driver.DeadNotFound}
	headers, err := driver.EncodeHeaders(e.Headers)
	if err != nil {
		return result, err
	}
	var payload, bytes any
	if e.JSON != nil {
		payload = string(e.JSON)
	}
	if e.Bytes != nil {
		bytes = e.Bytes
	}
	key.Open = true
	act, audited := driver.ActOf(ctx)
	err = s.run(ctx, s.personCall("edit a dead letter", func(ctx context.Context, session *Session) error {
		graves, err := s.applied(s.queries.DeadResolve)(ctx, session, []driver.DeadKey{key})
		if err != nil || len(graves) == 0 {
			return err
		}
		n, err := session.Exec(ctx, s.queries.DeadEdit, nil, key.EventID, key.Seq, payload, bytes, textOrNull(string(headers)))
		switch {
		case err != nil:
			return err
		case n == 0:
			return ours(errTaken)
		}
		if result.Status = driver.DeadApplied; audited {
			return session.audit(ctx, act, driver.AuditEdit, "", []string{key.EventID})
		}
		return nil
	}))
	switch {
	case errors.Is(err, errTaken):
		result.Status = driver.DeadConflict
		return result, nil
	case err != nil:
		return driver.DeadResult{}, err
	}
	return result, nil
}
