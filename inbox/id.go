package inbox

import (
	"encoding/hex"
	"fmt"
	"reflect"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// ID makes the id of an event from a string, from bytes, from a UUID, or from
// anything with a String method. Bytes are the text of the id or, if they are
// 16 bytes that are no such text, a UUID; a UUID becomes its usual text in
// lower case. Ids are compared byte for byte. A value that is missing or cannot
// be an id is refused with [outbox.ErrInvalidID].
func ID(v any) (string, error) {
	id, err := text(v)
	if err != nil {
		return "", fmt.Errorf("%w: %w", outbox.ErrInvalidID, err)
	}
	// Any valid group will do.
	if err := driver.CheckConsumed("-", id); err != nil {
		return "", err
	}
	return id, nil
}

func text(v any) (string, error) {
	value := reflect.ValueOf(v)
	if v == nil || ((value.Kind() == reflect.Pointer || value.Kind() == reflect.Interface) && value.IsNil()) {
		return "", fmt.Errorf("event id is missing: it is nil")
	}
	switch v := v.(type) {
	case string:
		return v, nil
	case []byte:
		return bytesText(v)
	case [16]byte:
		return uuidText(v)
	case fmt.Stringer:
		return stringer(v)
	}
	switch {
	case value.Kind() == reflect.String:
		return value.String(), nil
	case value.Kind() == reflect.Slice && value.Type().Elem().Kind() == reflect.Uint8:
		return bytesText(value.Bytes())
	case value.Kind() == reflect.Array && value.Type().ConvertibleTo(reflect.TypeFor[[16]byte]()):
		return uuidText(value.Convert(reflect.TypeFor[[16]byte]()).Interface().([16]byte))
	}
	return "", fmt.Errorf("event id is a %T: give a string, []byte, a UUID, or anything with a String method", v)
}

// bytesText distinguishes text from a UUID: the ninth byte of a UUID has its
// highest bit set, which no byte of the text of an id has.
func bytesText(b []byte) (string, error) {
	if len(b) == 16 && driver.CheckConsumed("-", string(b)) != nil {
		return uuidText([16]byte(b))
	}
	return string(b), nil
}

func uuidText(u [16]byte) (string, error) {
	if u == ([16]byte{}) {
		return "", fmt.Errorf("event id is a UUID of zeros: it was never set")
	}
	var s [36]byte
	hex.Encode(s[:8], u[:4])
	hex.Encode(s[9:13], u[4:6])
	hex.Encode(s[14:18], u[6:8])
	hex.Encode(s[19:23], u[8:10])
	hex.Encode(s[24:], u[10:])
	s[8], s[13], s[18], s[23] = '-', '-', '-', '-'
	return string(s[:]), nil
}

// stringer also refuses the zero UUID of any package.
func stringer(v fmt.Stringer) (string, error) {
	value := reflect.ValueOf(v)
	if value.Kind() == reflect.Array && value.Len() == 16 && value.IsZero() {
		return "", fmt.Errorf("event id is a %T of zeros: it was never set", v)
	}
	return v.String(), nil
}

// eventID is the default of [Config.EventID].
func eventID(m outbox.Received) (any, error) {
	if m.EventID != "" {
		return m.EventID, nil
	}
	if id := m.Headers[outbox.HeaderEventID]; id != "" {
		return id, nil
	}
	return nil, fmt.Errorf("%w: the message has no id: neither EventID nor the header %s is set", outbox.ErrInvalidID, outbox.HeaderEventID)
}

// MessageError says which message of a batch was refused, so that the caller
// can set it aside and consume the others.
type MessageError struct {
	Index int // in the batch
	Err   error
}

// Error implements error.
func (e *MessageError) Error() string {
	return fmt.Sprintf("inbox: message %d cannot be consumed: %v", e.Index, e.Err)
}

// Unwrap returns the reason.
func (e *MessageError) Unwrap() error { return e.Err }
