package sqlstore

import (
	"database/sql"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/sendoff-go/outbox/driver"
)

// A statement that does not say what it changed is believed if it changed all
// rows. If not, the transaction is retried, and asks first.
func TestAShortChangeIsDoneAgainWithAQuestion(t *testing.T) {
	s := &server{}
	d := fakeDialect()
	d.SQL.(fstest.MapFS)["sql/done_which.sql"] = &fstest.MapFile{Data: []byte("done_which")}
	db := sql.OpenDB(s)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	store, err := New(db, d, Config{StatementTimeout: unhurried})
	if err != nil {
		t.Fatal(err)
	}
	held := driver.Held{EventID: "x", Seq: 1, ClaimNo: 1}
	stale, err := store.Settle(t.Context(), "a", []driver.Outcome{{Held: held, Kind: driver.Done}}, true)
	if err != nil || !slices.Equal(stale, []driver.Held{held}) {
		t.Errorf("stale %v, error %v: expected the one that the server does not know", stale, err)
	}
	if want := []string{"done", "done_which"}; !slices.Equal(s.sent, want) || s.opened != 1 {
		t.Errorf("sent %q on %d connections, expected %q on one", s.sent, s.opened, want)
	}
}

func TestRepeatedStatementsTakeTheirOwnArguments(t *testing.T) {
	d := fakeDialect()
	d.Positional = true
	args := []any{"a", 1, "b", 2}
	union := newQuery(&d, "(SELECT ?2, ?1, ?2)").union(2, 2)
	if want := "(SELECT ?, ?, ?)\nUNION ALL\n(SELECT ?, ?, ?)"; union.SQL != want {
		t.Errorf("text %q, expected %q", union.SQL, want)
	}
	if got, want := union.arguments(args), []any{1, "a", 1, 2, "b", 2}; !slices.Equal(got, want) {
		t.Errorf("arguments %v, expected %v", got, want)
	}
	values := newQuery(&d, "INSERT INTO t (x, y) VALUES (?2, ?1)").values(2, 2)
	if want := "INSERT INTO t (x, y) VALUES (?, ?), (?, ?)"; values.SQL != want {
		t.Errorf("text %q, expected %q", values.SQL, want)
	}
	if got, want := values.arguments(args), []any{1, "a", 2, "b"}; !slices.Equal(got, want) {
		t.Errorf("arguments %v, expected %v", got, want)
	}
}

func TestARowIsTakenIfItsLaneHasBytesForIt(t *testing.T) {
	wants := []driver.Want{{Bytes: 10, Rows: 9}, {Rows: 2}, {Bytes: 5, Rows: 9}, {Rows: 9}}
	found := []candidate{ // in no order, as a union returns them
		{want: 2, at: 2, seq: 8, size: 1}, {want: 2, at: 1, seq: 9, size: 100},
		{want: 0, at: 1, seq: 1, size: 0}, {want: 0, at: 1, seq: 2, size: 10}, {want: 0, at: 1, seq: 3, size: 1}, {want: 0, at: 2, seq: 4, size: 0},
		{want: 1, at: 1, seq: 5, size: 1000}, {want: 1, at: 1, seq: 6, size: 1000}, {want: 1, at: 2, seq: 7, size: 1}, // of two parts
		{want: 3, at: 1, seq: 5, size: 1000}, // for the same rows
	}
	var got []int64
	for _, seq := range fitting(found, wants)[0] {
		got = append(got, seq.(int64))
	}
	if want := []int64{1, 2, 5, 6, 9}; !slices.Equal(got, want) {
		t.Errorf("seqs %v, expected %v: what fits, once, as many as wanted where there is no bound, and the first of a lane whatever its size", got, want)
	}
}

func TestRowsAreLeftOutOfABatch(t *testing.T) {
	b := newBatch(2, 3)
	b.add("a", int64(1))
	b.add("b", int64(2))
	b.add("c", int64(3))
	rest := b.without(func(id any) bool { return id == "b" })
	if rest.Rows() != 2 || rest[0][1] != "c" || rest[1][1] != int64(3) || b.Rows() != 3 {
		t.Errorf("left are %v of %v", rest, b)
	}
	if one := b.slice(1, 2); one.Rows() != 1 || one[0][0] != "b" || one[1][0] != int64(2) {
		t.Errorf("the second is %v", one)
	}
}
