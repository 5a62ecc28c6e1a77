package admin

import (
	"encoding/base64"
	"encoding/binary"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"github.com/sendoff-go/outbox/driver"
)

// body is an answer that has nothing but a body.
type body[T any] struct{ Body T }

// isID reports whether an event can have that id.
func isID(id string) bool { return driver.CheckConsumed("any", id) == nil }

// checkText refuses what not every database can compare with.
func checkText(name, text string) error {
	if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		return huma.Error422UnprocessableEntity(name + " is not text: it has a NUL byte, or is not UTF-8")
	}
	return nil
}

// cursorAfter names the place behind a letter.
func cursorAfter(l *driver.DeadLetter) string {
	at := binary.BigEndian.AppendUint64(nil, uint64(l.DiedAt.UnixMicro())) //nolint:gosec // the same bits come back
	return base64.RawURLEncoding.EncodeToString(append(at, l.Event.ID...))
}

// parseCursor reads it. No text is the beginning.
func parseCursor(text string) (*driver.DeadCursor, error) {
	if text == "" {
		return nil, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(raw) < 9 || !isID(string(raw[8:])) {
		return nil, huma.Error422UnprocessableEntity("cursor is not one that this server gave: begin without one")
	}
	at := int64(binary.BigEndian.Uint64(raw)) //nolint:gosec // see above
	if at < 0 || at > 1<<58 {
		return nil, huma.Error422UnprocessableEntity("cursor is not one that this server gave: begin without one")
	}
	return &driver.DeadCursor{DiedAt: time.UnixMicro(at).UTC(), EventID: string(raw[8:])}, nil
}
