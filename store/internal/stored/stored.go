package stored

import (
	"errors"
	"math"
	"time"

	"github.com/sendoff-go/outbox"
)

var (
	// earliest is the first time that every database can store. An event that
	// was due earlier is still due.
	earliest = time.Date(1000, 1, 1, 0, 0, 0, 0, time.UTC)
	// EndOfTime is the last time that a Go time and every column can hold.
	EndOfTime = time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)
)

// DueAt keeps a stored time from being earlier than the one asked for. The zero
// time stays.
func DueAt(t time.Time, resolution time.Duration) time.Time {
	switch {
	case t.IsZero():
		return t
	case t.Before(earliest):
		return earliest
	}
	if down := t.Truncate(resolution); down.Before(t) {
		return down.Add(resolution)
	}
	return t
}

// OccurredAt is when an event occurred; other programs may leave it out.
func OccurredAt(occurred, created time.Time) time.Time {
	if occurred.IsZero() {
		return created
	}
	return occurred
}

// Micros rounds a duration up to what the database can keep, so that nothing is
// due or free too early.
func Micros(d, resolution time.Duration) int64 {
	r := int64(resolution)
	return (int64(d) + r - 1) / r * r / int64(time.Microsecond)
}

// Duration converts a database's microseconds, whose range is larger than Go's.
func Duration(micros int64) time.Duration {
	const most = math.MaxInt64 / int64(time.Microsecond)
	return time.Duration(min(max(micros, -most), most)) * time.Microsecond
}

// AtMost converts a limit for the statements.
func AtMost(limit int) int64 { return int64(min(limit, math.MaxInt32)) }

var (
	errNoPayload    = errors.New("the row has no payload: neither payload nor payload_bytes is set")
	errTwoPayloads  = errors.New("the row has two payloads: both payload and payload_bytes are set")
	errEmptyPayload = errors.New("payload is empty text, which is not JSON")
)

// Problem says why the payload of a row cannot be read. It does not validate
// JSON.
func Problem(e *outbox.Event) error {
	switch {
	case e.JSON == nil && e.Bytes == nil:
		return errNoPayload
	case e.JSON != nil && e.Bytes != nil:
		return errTwoPayloads
	case e.JSON != nil && len(e.JSON) == 0:
		return errEmptyPayload
	}
	return nil
}
