package pgstore

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/sendoff-go/outbox/store/sqlstore"
)

// bind turns each column into an array literal. Every driver can send text for
// any type of array, in every protocol mode.
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

// Array formats a column of strings, int64s, []bytes, times and nils as a
// PostgreSQL array.
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
			return "", fmt.Errorf("pgstore: cannot put a %T into an array", v)
		}
	}
	out.WriteByte('}')
	return out.String(), nil
}

// arraySize estimates the length of the text.
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

// timestamp formats a time to the microsecond. The zero time sorts before all
// others, even before the infinite one that another program may have written.
func timestamp(t time.Time) string {
	if t.IsZero() {
		return "-infinity"
	}
	return t.UTC().Format("2006-01-02T15:04:05.999999Z07:00")
}
