package pgxstore

import (
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
)

// texts and numbers are arrays that pgx encodes without an allocation for each
// element: an element is passed as a pointer into the slice, which fits into an
// interface, and has a method that returns its value. Pgx handles such types
// only if it knows the parameter's type too; see [encoder].
type (
	texts   []string
	numbers []int64

	textElement   string
	numberElement int64
)

// Dimensions, Index and IndexType implement [pgtype.ArrayGetter].
func (a texts) Dimensions() []pgtype.ArrayDimension { return dimensions(len(a)) }
func (a texts) Index(i int) any                     { return (*textElement)(&a[i]) }
func (a texts) IndexType() any                      { return new(textElement) }

// Dimensions, Index and IndexType implement [pgtype.ArrayGetter].
func (a numbers) Dimensions() []pgtype.ArrayDimension { return dimensions(len(a)) }
func (a numbers) Index(i int) any                     { return (*numberElement)(&a[i]) }
func (a numbers) IndexType() any                      { return new(numberElement) }

func dimensions(n int) []pgtype.ArrayDimension {
	return []pgtype.ArrayDimension{{Length: int32(n), LowerBound: 1}}
}

// TextValue implements [pgtype.TextValuer].
func (e *textElement) TextValue() (pgtype.Text, error) {
	return pgtype.Text{String: string(*e), Valid: true}, nil
}

// Int64Value implements [pgtype.Int64Valuer].
func (e *numberElement) Int64Value() (pgtype.Int8, error) {
	return pgtype.Int8{Int64: int64(*e), Valid: true}, nil
}

// encoder makes arguments for connections in one query execution mode.
type encoder struct {
	// plain: the mode sends parameters without asking the server for their
	// types, and finds the encoding by the Go type alone.
	plain bool
}

func encoderFor(mode pgx.QueryExecMode) encoder {
	return encoder{plain: mode == pgx.QueryExecModeExec || mode == pgx.QueryExecModeSimpleProtocol}
}

func (e encoder) texts(a []string) any {
	if e.plain {
		return a
	}
	return texts(a)
}

func (e encoder) numbers(a []int64) any {
	if e.plain {
		return a
	}
	return numbers(a)
}
