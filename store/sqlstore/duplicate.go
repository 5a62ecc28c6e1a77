package sqlstore

import (
	"errors"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// errAt is the error of one of several rows.
type errAt struct {
	error
	row int
}

func (e errAt) Unwrap() error { return e.error }

// duplicate finds out which event is already stored.
func (s *Engine) duplicate(events []outbox.Event, err error) error {
	if at := (errAt{}); errors.As(err, &at) {
		return driver.DuplicateID(events[at.row:at.row+1], "", at.error)
	}
	detail := err.Error()
	if s.dialect.Detail != nil {
		detail = s.dialect.Detail(err)
	}
	return driver.DuplicateID(events, detail, err)
}
