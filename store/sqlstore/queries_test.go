package sqlstore

import (
	"slices"
	"testing"
	"testing/fstest"
)

func TestPositionalParametersAreSentInTheOrderOfUse(t *testing.T) {
	d := fakeDialect()
	d.Positional = true
	q := newQuery(&d, "-- ?9 is explained here.\nSELECT ?2, ?1\n  -- ?8\nWHERE ?2 = ?10 ")
	if q.SQL != "SELECT ?, ?\nWHERE ? = ?" {
		t.Errorf("text %q", q.SQL)
	}
	args := make([]any, 10)
	for i := range args {
		args[i] = i + 1
	}
	if got, want := q.arguments(args), []any{2, 1, 2, 10}; !slices.Equal(got, want) {
		t.Errorf("arguments %v, expected %v", got, want)
	}
}

func TestNumberedParametersAreSentAsTheyAre(t *testing.T) {
	d := fakeDialect()
	q := newQuery(&d, "SELECT $2, $1\n")
	if args := []any{1, 2}; q.SQL != "SELECT $2, $1" || !slices.Equal(q.arguments(args), args) {
		t.Errorf("text %q, arguments %v", q.SQL, q.arguments(args))
	}
}

func TestADialectThatLacksAStatementPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	d := fakeDialect()
	d.SQL = fstest.MapFS{"sql/claim.sql": {Data: []byte("SELECT 1")}}
	_, _ = New(nil, d, Config{})
}
