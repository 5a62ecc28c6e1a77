package sqlstore

import (
	"slices"
	"testing"
)

func TestConditionsWithoutArgumentsAreLeftOut(t *testing.T) {
	d := fakeDialect()
	d.Positional = true
	q := newQuery(&d, "SELECT a FROM t\nWHERE b IS NULL\n  AND (?1 = '' OR c = ?1)\n  AND (?2 IS NULL OR (e < ?2 AND f < ?3))\n  AND (?4 = '' OR g = ?4)\nLIMIT ?5")
	args := []any{"", nil, nil, "x", int64(0)}
	lean := q.lean(args)
	if want := "SELECT a FROM t\nWHERE b IS NULL\n  AND (? = '' OR g = ?)\nLIMIT ?"; lean.SQL != want {
		t.Errorf("text %q, want %q", lean.SQL, want)
	}
	if got, want := lean.arguments(args), []any{"x", "x", int64(0)}; !slices.Equal(got, want) {
		t.Errorf("arguments %v, want %v", got, want)
	}
	all := []any{"a", "b", "c", "d", int64(1)}
	if got := q.lean(all); got.SQL != q.SQL || !slices.Equal(got.arguments(all), q.arguments(all)) {
		t.Errorf("a full filter became %q with %v", got.SQL, got.arguments(all))
	}
}

func TestNumberedConditionsStayAsTheyAre(t *testing.T) {
	d := fakeDialect()
	q := newQuery(&d, "SELECT a FROM t\nWHERE true\n  AND ($1 = '' OR c = $1)")
	if got := q.lean([]any{""}); got.SQL != q.SQL {
		t.Errorf("text %q", got.SQL)
	}
}
