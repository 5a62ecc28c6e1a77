package sqlstore

import (
	"slices"
	"testing"
)

// spelledQuery is a query of a dialect that spells its batches out.
func spelledQuery(text string) Query {
	d := fakeDialect()
	d.Positional, d.Spelled = true, true
	return newQuery(&d, text)
}

func spelledBatch() Batch {
	return Batch{{"a' b", "c"}, {int64(1), int64(2)}, {int64(7), nil}}
}

func TestABatchIsSpelledAsATable(t *testing.T) {
	q := spelledQuery("UPDATE JSON_TABLE(?1, '$[*]' COLUMNS (\n  id VARCHAR(36) CHARACTER SET ascii PATH '$[0]', n BIGINT PATH '$[2]')) h\n" +
		"JOIN e ON e.id = h.id SET e.x = ?3 WHERE e.y = ?2 AND ?3 > 0")
	text, args := q.spell(spelledBatch(), []any{"two", "three"})
	const want = "UPDATE (SELECT CAST(? AS CHAR(4294967295)) AS id, CAST(7 AS SIGNED) AS n UNION ALL SELECT ?, NULL) h\n" +
		"JOIN e ON e.id = h.id SET e.x = ? WHERE e.y = ? AND ? > 0"
	if text != want || !slices.Equal(args, []any{"a' b", "c", "three", "two", "three"}) {
		t.Errorf("%s\nwith %q, expected\n%s", text, args, want)
	}
}

func TestABatchIsSpelledAsLists(t *testing.T) {
	q := spelledQuery("DELETE FROM e WHERE seq IN (?1[1]) AND CONCAT(id, ' ', seq) IN (?1[0:2]) AND owner = ?2")
	text, args := q.spell(spelledBatch(), []any{"o"})
	const want = "DELETE FROM e WHERE seq IN (1, 2) AND CONCAT(id, ' ', seq) IN (?, ?) AND owner = ?"
	if text != want || !slices.Equal(args, []any{"a' b 1", "c 2", "o"}) {
		t.Errorf("%s\nwith %q, expected\n%s", text, args, want)
	}
}

func TestAnEmptyBatchIsSpelledAsNothing(t *testing.T) {
	empty := spelledBatch().slice(0, 0)
	for text, want := range map[string]string{
		"SELECT 1 WHERE seq IN (?1[1])": "SELECT 1 WHERE seq IN (NULL)",
		"SELECT 1 FROM JSON_TABLE(?1, '$[*]' COLUMNS (id CHAR(1) PATH '$[0]', n INT PATH '$[1]')) h": "SELECT 1 FROM (SELECT CAST(NULL AS CHAR(4294967295)) AS id, CAST(NULL AS SIGNED) AS n WHERE FALSE) h",
	} {
		if got, args := spelledQuery(text).spell(empty, nil); got != want || len(args) != 0 {
			t.Errorf("%s\nwith %q, expected\n%s", got, args, want)
		}
	}
}

func TestAStatementWithoutABatchIsNotSpelled(t *testing.T) {
	if q := spelledQuery("SELECT ?2, ?1"); q.pieces != nil || !slices.Equal(q.arguments([]any{1, 2}), []any{2, 1}) {
		t.Errorf("%+v, expected a query with positional arguments", q)
	}
}

func TestADialectWithoutSkipSendsNowait(t *testing.T) {
	d := fakeDialect()
	d.NoSkip = true
	if q := newQuery(&d, "SELECT 1 FOR UPDATE SKIP LOCKED"); q.SQL != "SELECT 1 FOR UPDATE NOWAIT" {
		t.Errorf("sends %s", q.SQL)
	}
}
