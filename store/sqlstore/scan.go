package sqlstore

import (
	"fmt"
	"strconv"
	"time"

	"github.com/sendoff-go/outbox/store/internal/stored"
)

// moment reads a time: a time.Time, microseconds since 1970, or NULL, which is
// the zero time.
type moment struct{ time.Time }

func (m *moment) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		m.Time = time.Time{}
	case time.Time:
		m.Time = v.UTC()
	case int64:
		m.Time = time.UnixMicro(v).UTC()
	case float64:
		m.Time = time.UnixMicro(int64(v)).UTC()
	case string:
		return m.parse(v)
	case []byte:
		return m.parse(string(v))
	default:
		return fmt.Errorf("cannot read a %T as a time", src)
	}
	return nil
}

// parse reads what only other programs write: PostgreSQL's infinite times, and
// times that a driver returns as text.
func (m *moment) parse(s string) error {
	switch s {
	case "-infinity":
		m.Time = time.Time{}
		return nil
	case "infinity":
		m.Time = stored.EndOfTime
		return nil
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		m.Time = time.UnixMicro(n).UTC()
		return nil
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02 15:04:05.999999999-07", "2006-01-02 15:04:05.999999999"} {
		if t, err := time.Parse(layout, s); err == nil {
			m.Time = t.UTC()
			return nil
		}
	}
	return fmt.Errorf("cannot read %q as a time", s)
}

// data reads text or bytes. It is nil only for NULL: an empty value is not nil.
type data []byte

func (d *data) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		*d = nil
	case []byte:
		*d = append(make([]byte, 0, len(v)), v...)
	case string:
		*d = []byte(v)
	default:
		return fmt.Errorf("cannot read a %T as text", src)
	}
	return nil
}

// text reads a string; NULL is the empty string.
type text string

func (t *text) Scan(src any) error {
	var d data
	if err := d.Scan(src); err != nil {
		return err
	}
	*t = text(d)
	return nil
}

// flag reads a boolean or 0 or 1; NULL is false.
type flag bool

func (f *flag) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		*f = false
	case bool:
		*f = flag(v)
	case int64:
		*f = v != 0
	case []byte: // some drivers return numbers as text
		*f = string(v) != "0"
	default:
		return fmt.Errorf("cannot read a %T as a boolean", src)
	}
	return nil
}
