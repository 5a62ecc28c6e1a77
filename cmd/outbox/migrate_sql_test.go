package main

import "testing"

func TestGooseIsToldOfSemicolonsInsideAStatement(t *testing.T) {
	got := annotated("CREATE TABLE a (n INT);\n\nCREATE TRIGGER b BEGIN\n  DELETE FROM a;\nEND;\n\nDROP TABLE c;\n")
	want := `CREATE TABLE a (n INT);

-- +goose StatementBegin
CREATE TRIGGER b BEGIN
  DELETE FROM a;
END;
-- +goose StatementEnd

DROP TABLE c;

`
	if got != want {
		t.Errorf("got %s", got)
	}
}
