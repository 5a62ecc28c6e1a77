package pgstore

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/sendoff-go/outbox/store/sqlstore"
)

// bind makes an array literal of each column. A text is what every driver can
// send for any type of array, in every protocol mode.
func bind(b sqlstore.Batch) ([]any, error) {
	args := make([]any, len(b))
	for i, column := range b {
		text, err := array(column)
		if err != nil {
			return nil, err
		}
		args[i] = text
	}
	return args, nil
}

// Array is a column of strings, int64s, []bytes, times and nils as the text of
// a PostgreSQL array.
func array(column []any) (string, error) {
	var out strings.Builder
	out.Grow(arraySize(column))
	out.WriteByte('{')
	for i, v := range column {
		if i > 0 {
			out.WriteByte(',')
		}
		switch v := v.(type) {
		case nil:
			out.WriteString("NULL")
		case string:
			writeQuoted(&out, v)
		case int64:
			out.WriteString(strconv.FormatInt(v, 10))
		case []byte:
			out.WriteString(`"\\x`)
			_, _ = hex.NewEncoder(&out).Write(v) // a Builder takes everything
			out.WriteByte('"')
		case time.Time:
			writeQuoted(&out, timestamp(v))
		default:
			return "", fmt.Errorf("pgstore: a %T cannot stand in an array", v)
		}
	}
	out.WriteByte('}')
	return out.String(), nil
}

// arraySize is about what the text will have.
func arraySize(column []any) int {
	n := 2
	for _, v := range column {
		switch v := v.(type) {
		case string:
			n += len(v) + len(v)/8 + 3
		case []byte:
			n += 2*len(v) + 6
		default:
			n += 24
		}
	}
	return n
}

// writeQuoted writes an element in quotes, inside which only quotes and
// backslashes mean something.
func writeQuoted(out *strings.Builder, s string) {
	out.WriteByte('"')
	for {
		i := strings.IndexAny(s, `"\`)
		if i < 0 {
			break
		}
		out.WriteString(s[:i])
		out.WriteByte('\\')
		out.WriteByte(s[i])
		s = s[i+1:]
	}
	out.WriteString(s)
	out.WriteByte('"')
}

// timestamp is a time to the microsecond; the zero time lies before all others,
// also before the infinite one that another program may have written.
func timestamp(t time.Time) string {
	if t.IsZero() {
		return "-infinity"
	}
	return t.UTC().Format("2006-01-02T15:04:05.999999Z07:00")
}
