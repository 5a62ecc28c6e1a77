package pgxstore

import (
	"bytes"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/sendoff-go/outbox/store/internal/stored"
)

// column is a row of one column, as the server sends it in that format.
func column(t *testing.T, oid uint32, format int16, value any) *row {
	t.Helper()
	types := pgtype.NewMap()
	raw, err := types.Encode(oid, format, value, []byte{})
	if err != nil {
		t.Fatal(err)
	}
	return &row{types: types, values: [][]byte{raw}, fields: []pgconn.FieldDescription{{Name: "c", DataTypeOID: oid, Format: format}}}
}

// Both formats are read: all modes but exec and the simple protocol ask for
// the binary one.
func TestColumnsAreReadInBothFormats(t *testing.T) {
	moments := []time.Time{
		{}, time.Unix(0, 0).UTC(), time.Date(1999, 12, 31, 23, 59, 59, 999_999_000, time.UTC),
		time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC), time.Date(1000, 1, 1, 0, 0, 0, 1000, time.UTC),
	}
	for _, format := range []int16{pgtype.BinaryFormatCode, pgtype.TextFormatCode} {
		for _, n := range []int64{0, 1, -1, 1 << 40, -1 << 63, 1<<63 - 1} {
			if got := column(t, pgtype.Int8OID, format, n).integer(); got != n {
				t.Errorf("format %d: %d became %d", format, n, got)
			}
			if short := int32(n); int64(short) == n {
				if got := column(t, pgtype.Int4OID, format, short).integer(); got != n {
					t.Errorf("format %d: %d of four bytes became %d", format, n, got)
				}
			}
		}
		for _, b := range []bool{true, false} {
			if got := column(t, pgtype.BoolOID, format, b).boolean(); got != b {
				t.Errorf("format %d: %t became %t", format, b, got)
			}
		}
		for _, b := range [][]byte{{}, {0}, []byte(`\x41`), []byte("語\xff")} {
			if got := column(t, pgtype.ByteaOID, format, b).data(); got == nil || !bytes.Equal(got, b) {
				t.Errorf("format %d: %x became %x", format, b, got)
			}
		}
		for _, at := range moments {
			r := column(t, pgtype.TimestamptzOID, format, at)
			if got := r.moment(); !got.Equal(at) || got.Location() != time.UTC || r.err != nil {
				t.Errorf("format %d: %s became %s (%v)", format, at, got, r.err)
			}
		}
		for infinite, want := range map[pgtype.InfinityModifier]time.Time{pgtype.Infinity: stored.EndOfTime, pgtype.NegativeInfinity: {}} {
			r := column(t, pgtype.TimestamptzOID, format, pgtype.Timestamptz{InfinityModifier: infinite, Valid: true})
			if got := r.moment(); !got.Equal(want) || r.err != nil {
				t.Errorf("format %d: %s became %s (%v)", format, infinite, got, r.err)
			}
		}
	}
}

func TestNullIsNothing(t *testing.T) {
	for _, format := range []int16{pgtype.BinaryFormatCode, pgtype.TextFormatCode} {
		null := func(oid uint32) *row {
			return &row{types: pgtype.NewMap(), values: [][]byte{nil}, fields: []pgconn.FieldDescription{{DataTypeOID: oid, Format: format}}}
		}
		if r := null(pgtype.Int8OID); r.integer() != 0 || r.err != nil {
			t.Errorf("format %d: a number, %v", format, r.err)
		}
		if r := null(pgtype.BoolOID); r.boolean() || r.err != nil {
			t.Errorf("format %d: true, %v", format, r.err)
		}
		if r := null(pgtype.ByteaOID); r.data() != nil || r.err != nil {
			t.Errorf("format %d: bytes, %v", format, r.err)
		}
		if r := null(pgtype.TimestamptzOID); !r.moment().IsZero() || r.err != nil {
			t.Errorf("format %d: a time, %v", format, r.err)
		}
	}
}

func TestAnAnswerOfAnotherShapeIsAnError(t *testing.T) {
	short := column(t, pgtype.Int8OID, pgtype.BinaryFormatCode, int64(1))
	short.integer()
	if short.integer(); short.err == nil {
		t.Error("a column that is not there was read")
	}
	if wrong := column(t, pgtype.TextOID, pgtype.TextFormatCode, "x"); wrong.integer() != 0 || wrong.err == nil {
		t.Error("a text was read as a number")
	}
}
