package outbox

import (
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"
)

// maxDeliverAfter keeps now plus the delay inside every column.
const maxDeliverAfter = 100 * 365 * 24 * time.Hour

// The limits of what may be written. They are checked before any SQL is sent,
// so an event that exceeds one leaves the transaction untouched.
const (
	MaxPayload       = 1 << 20  // bytes of JSON or Bytes; [WithMaxPayload] changes it
	MaxHeaders       = 64 << 10 // bytes of all headers, encoded as JSON
	MaxIDLength      = 36       // printable ASCII characters
	MaxTypeLength    = 128      // characters, like all that follow
	MaxAggregateType = 64
	MaxAggregateID   = 128
	MaxTenantID      = 64
	MaxCorrelationID = 128
	MaxTraceID       = 128
)

// validate reports what is wrong with an event whose defaults are filled in.
func validate(e *Event, maxPayload int) error {
	if e.err != nil {
		return invalid(e, "%w", e.err)
	}
	if e.Type == "" {
		return invalid(e, "Type is empty: say what happened, for example \"OrderPlaced\"")
	}
	if err := checkID(e); err != nil {
		return err
	}
	for _, f := range [...]struct {
		name, value string
		limit       int
	}{
		{"Type", e.Type, MaxTypeLength},
		{"AggregateType", e.AggregateType, MaxAggregateType},
		{"AggregateID", e.AggregateID, MaxAggregateID},
		{"TenantID", e.TenantID, MaxTenantID},
		{"CorrelationID", e.CorrelationID, MaxCorrelationID},
		{"TraceID", e.TraceID, MaxTraceID},
	} {
		if err := checkText(e, f.name, f.value, f.limit); err != nil {
			return err
		}
	}
	if err := checkPayload(e, maxPayload); err != nil {
		return err
	}
	if !e.AvailableAt.IsZero() && e.DeliverAfter != 0 {
		return invalid(e, "AvailableAt and DeliverAfter are both set: set one of them")
	}
	if e.DeliverAfter < 0 {
		return invalid(e, "DeliverAfter is negative (%s): leave it zero to deliver at once", e.DeliverAfter)
	}
	return checkTimes(e)
}

func checkID(e *Event) error {
	if len(e.ID) > MaxIDLength {
		return invalid(e, "ID has %d characters, at most %d are allowed", len(e.ID), MaxIDLength)
	}
	for i := range len(e.ID) {
		if c := e.ID[i]; c <= ' ' || c > '~' {
			return invalid(e, "ID has byte 0x%02x at %d: only printable ASCII without spaces is allowed", c, i)
		}
	}
	return nil
}

func checkText(e *Event, name, value string, limit int) error {
	if len(value) > limit && utf8.RuneCountInString(value) > limit {
		return invalid(e, "%s has %d characters, at most %d are allowed", name, utf8.RuneCountInString(value), limit)
	}
	for i, r := range value {
		if r == 0 {
			return invalid(e, "%s has a NUL byte at %d, which not every database can store: remove it", name, i)
		}
		if r == utf8.RuneError && !utf8.ValidString(value) {
			return invalid(e, "%s is not valid UTF-8: encode it, or put the bytes into the payload", name)
		}
	}
	return nil
}

func checkPayload(e *Event, limit int) error {
	switch {
	case e.JSON != nil && e.Bytes != nil:
		return invalid(e, "JSON and Bytes are both set: set one of them")
	case e.JSON == nil && e.Bytes == nil:
		return invalid(e, "no payload: set JSON, or Bytes (which may be empty but not nil)")
	case len(e.Payload()) > limit:
		return invalid(e, "the payload has %d bytes, at most %d are allowed: store it elsewhere and send a reference, or raise the writer's WithMaxPayload", len(e.Payload()), limit)
	case e.JSON != nil && !utf8.Valid(e.JSON):
		return invalid(e, "JSON is not valid UTF-8: use Bytes for other encodings")
	case e.JSON != nil && !json.Valid(e.JSON):
		return invalid(e, "JSON is not valid JSON: use Bytes for other formats")
	}
	return nil
}

// checkTimes refuses times that a database column cannot hold.
func checkTimes(e *Event) error {
	for _, f := range [...]struct {
		name string
		at   time.Time
	}{{"OccurredAt", e.OccurredAt}, {"AvailableAt", e.AvailableAt}} {
		if year := f.at.UTC().Year(); !f.at.IsZero() && (year < 1000 || year > 9998) {
			return invalid(e, "%s is in the year %d: it must lie between 1000 and 9998", f.name, year)
		}
	}
	if e.DeliverAfter > maxDeliverAfter {
		return invalid(e, "DeliverAfter is %s: at most %s is allowed", e.DeliverAfter, maxDeliverAfter)
	}
	return nil
}

func invalid(e *Event, format string, args ...any) error {
	return fmt.Errorf("%w: event %q of type %q: %w", ErrInvalidEvent, e.ID, e.Type, fmt.Errorf(format, args...))
}
