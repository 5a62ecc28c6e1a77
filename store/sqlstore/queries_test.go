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

func TestAFileMayTakeItsTextAndItsCompanionFromOthers(t *testing.T) {
	d := fakeDialect()
	files := d.SQL.(fstest.MapFS)
	files["sql/rows.sql"] = &fstest.MapFile{Data: []byte("-- Of many.\nINSERT INTO outbox_event\n")}
	files["sql/insert.sql"] = &fstest.MapFile{Data: []byte("-- Returns all.\n-- include: rows\nRETURNING seq")}
	files["sql/held_lock.sql"] = &fstest.MapFile{Data: []byte("SELECT")}
	files["sql/done.sql"] = &fstest.MapFile{Data: []byte("-- which: held_lock\nUPDATE")}
	resolved, err := Resolve(d, Tables{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := resolved.Queries.Insert.SQL, "INSERT INTO outbox_event\nRETURNING seq"; got != want {
		t.Errorf("insert is %q, expected %q", got, want)
	}
	if done := resolved.Queries.Done; done.SQL != "UPDATE" || done.which == nil || done.which.SQL != "SELECT" {
		t.Errorf("done is %+v, expected its companion", done)
	}
}
