package pgxstore

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/sendoff-go/outbox/store/internal/stored"
	"github.com/sendoff-go/outbox/store/internal/transport"
)

// row reads the columns of an answer one after the other, without a
// destination for each. What it returns as bytes is valid until the next row.
// In the binary format, which all modes but two ask for, it decodes by hand; in
// the text format it leaves that to pgx.
type row struct {
	fields []pgconn.FieldDescription
	values [][]byte
	types  *pgtype.Map
	i      int
	err    error
}

// eachRow reads an answer to its end.
func eachRow(rows pgx.Rows, read func(r *row)) error {
	r := row{types: rows.TypeMap()}
	for rows.Next() {
		if r.fields == nil {
			r.fields = rows.FieldDescriptions()
		}
		r.values, r.i = rows.RawValues(), 0
		read(&r)
		if r.err != nil {
			return transport.Ours{Err: r.err}
		}
	}
	return rows.Err()
}

// next is the next column, and whether it is in the binary format; nil is NULL.
func (r *row) next() (value []byte, binary bool) {
	if r.i >= len(r.values) || r.i >= len(r.fields) {
		r.err = fmt.Errorf("the answer has only %d columns", len(r.values))
		return nil, true
	}
	value, binary = r.values[r.i], r.fields[r.i].Format == pgtype.BinaryFormatCode
	r.i++
	return value, binary
}

// text is a column of characters, which are the same in both formats.
func (r *row) text() []byte {
	value, _ := r.next()
	return value
}

// integer is a column of whole numbers; NULL is 0.
func (r *row) integer() int64 {
	value, isBinary := r.next()
	if isBinary {
		switch len(value) {
		case 0:
			return 0
		case 2:
			return int64(int16(binary.BigEndian.Uint16(value)))
		case 4:
			return int64(int32(binary.BigEndian.Uint32(value)))
		case 8:
			return int64(binary.BigEndian.Uint64(value))
		}
	}
	var n pgtype.Int8
	r.scan(value, &n)
	return n.Int64
}

// boolean is false for NULL.
func (r *row) boolean() bool {
	value, isBinary := r.next()
	if isBinary && len(value) == 1 {
		return value[0] != 0
	}
	var b pgtype.Bool
	r.scan(value, &b)
	return b.Bool
}

// data is a copy of a bytea column; nil is NULL.
func (r *row) data() []byte {
	value, isBinary := r.next()
	if isBinary || value == nil {
		return clone(value)
	}
	var b []byte
	r.scan(value, &b)
	return b
}

// epoch is the distance of PostgreSQL's, the year 2000, from Go's.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).Unix()

// moment is a time in UTC; NULL is the zero time. Infinite ones, which only
// other programs write, are the zero time and the end of time.
func (r *row) moment() time.Time {
	value, isBinary := r.next()
	if isBinary && len(value) == 8 {
		const million = 1_000_000
		if n := int64(binary.BigEndian.Uint64(value)); n != infinity && n != -infinity-1 {
			seconds, rest := n/million, n%million
			return time.Unix(epoch+seconds, rest*1000).UTC()
		}
	}
	var t pgtype.Timestamptz
	r.scan(value, &t)
	switch t.InfinityModifier {
	case pgtype.Infinity:
		return stored.EndOfTime
	case pgtype.NegativeInfinity:
		return time.Time{}
	}
	return t.Time.UTC()
}

// infinity is an infinite timestamp in the binary format.
const infinity = 1<<63 - 1

// place is a row's place in its table as a number.
func (r *row) place() uint64 {
	value, isBinary := r.next()
	if isBinary && len(value) == 6 {
		return locator(binary.BigEndian.Uint32(value), binary.BigEndian.Uint16(value[4:]))
	}
	var p pgtype.TID
	r.scan(value, &p)
	return locator(p.BlockNumber, p.OffsetNumber)
}

// scan decodes the column just read with pgx.
func (r *row) scan(value []byte, to any) {
	if r.err != nil {
		return
	}
	f := r.fields[r.i-1]
	if err := r.types.Scan(f.DataTypeOID, f.Format, value, to); err != nil {
		r.err = fmt.Errorf("column %s: %w", f.Name, err)
	}
}

// clone copies borrowed bytes. Nil stays nil: an empty value is not nil.
func clone(b []byte) []byte {
	if b == nil {
		return nil
	}
	return append(make([]byte, 0, len(b)), b...)
}
