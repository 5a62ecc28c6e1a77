package pgxstore

import (
	"context"

	"github.com/jackc/pgx/v5/pgtype"
)

// locator is a page and a line in it, counted from 1, so that no place is 0.
func locator(page uint32, line uint16) uint64 { return uint64(page)<<16 | uint64(line) }

// places are an array of locators; see [texts].
type (
	places       []uint64
	placeElement uint64
)

// Dimensions, Index and IndexType implement [pgtype.ArrayGetter].
func (a places) Dimensions() []pgtype.ArrayDimension { return dimensions(len(a)) }
func (a places) Index(i int) any                     { return (*placeElement)(&a[i]) }
func (a places) IndexType() any                      { return new(placeElement) }

// TIDValue implements [pgtype.TIDValuer].
func (e *placeElement) TIDValue() (pgtype.TID, error) {
	return pgtype.TID{BlockNumber: uint32(*e >> 16), OffsetNumber: uint16(*e), Valid: true}, nil
}

// What is known of the event table, for the relay. A table may be replaced while
// a relay runs, so every look at the lanes lets the next claim ask again.
const (
	unknown int32 = iota
	ordinary
	special // a view, or rows are in partitions or child tables: a place names none
)

// mayPlace is false if a place is known to name no row, or cannot be sent:
// plain encoding has no arrays of places.
func (s *Store) mayPlace() bool { return !s.encode.plain && s.table.Load() != special }

// placed reports whether rows can be named by their place.
func (s *Store) placed(ctx context.Context) (bool, error) {
	if !s.mayPlace() {
		return false, nil
	}
	if s.table.Load() == ordinary {
		return true, nil
	}
	exists, plain, err := s.engine.Table(ctx)
	if err != nil {
		return false, err
	}
	switch {
	case plain:
		s.table.Store(ordinary)
	case exists:
		s.table.Store(special)
	}
	return plain, nil
}
