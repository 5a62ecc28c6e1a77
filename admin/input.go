package admin

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// body is an answer that has nothing but a body.
type body[T any] struct{ Body T }

// isID reports whether the row of an event can have that id: other programs may
// write any text. MySQL compares its ids with ASCII alone.
func isID(id string) bool {
	return id != "" && len(id) <= outbox.MaxIDLength && !strings.ContainsFunc(id, func(r rune) bool { return r == 0 || r > 127 })
}

// checkID refuses an id that the row of an event may have on some databases, but
// that MySQL cannot compare with.
func checkID(id string) error {
	if strings.ContainsFunc(id, func(r rune) bool { return r > 127 }) {
		return huma.Error422UnprocessableEntity("the id has characters beyond ASCII, which the API does not take: use the command line with --database")
	}
	return nil
}

// checkFilter refuses values that some databases cannot compare with.
func checkFilter(f driver.DeadFilter) error {
	if err := checkTimes("died_after", f.DiedAfter, "died_before", f.DiedBefore); err != nil {
		return err
	}
	return errors.Join(checkText("type", f.Lane), checkText("error", f.Error), checkText("group", f.Group),
		checkText("destination", f.Destination), checkText("tenant", f.Tenant), checkText("key", f.Key))
}

// checkText refuses text that some databases cannot compare with.
func checkText(name, text string) error {
	if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		return huma.Error422UnprocessableEntity(name + " is not text: it has a NUL byte, or is not UTF-8")
	}
	return nil
}

// cursor is a place in a list that is ordered by time and id.
type cursor struct {
	at time.Time
	id string
}

// String is opaque to clients.
func (c cursor) String() string {
	at := binary.BigEndian.AppendUint64(nil, uint64(c.at.UnixMicro())) //nolint:gosec // the same bits come back
	return base64.RawURLEncoding.EncodeToString(append(at, c.id...))
}

// cursorOf names a place in the list of letters; nil is none.
func cursorOf(c *driver.DeadCursor) string {
	if c == nil {
		return ""
	}
	return cursor{c.DiedAt, c.EventID}.String()
}

// letterCursor reads it. No text is the beginning.
func letterCursor(text string) (*driver.DeadCursor, error) {
	c, err := parseCursor(text)
	if c == nil {
		return nil, err
	}
	return &driver.DeadCursor{DiedAt: c.at, EventID: c.id}, nil
}

// parseCursor reads a cursor. No text is the beginning, nil.
func parseCursor(text string) (*cursor, error) {
	if text == "" {
		return nil, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(raw) < 9 || checkText("", string(raw[8:])) != nil {
		return nil, huma.Error422UnprocessableEntity("the cursor is invalid: start again without one")
	}
	at := int64(binary.BigEndian.Uint64(raw)) //nolint:gosec // see above
	if at < 0 || at > 1<<58 {
		return nil, huma.Error422UnprocessableEntity("the cursor is invalid: start again without one")
	}
	return &cursor{time.UnixMicro(at).UTC(), string(raw[8:])}, nil
}
