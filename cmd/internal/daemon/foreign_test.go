package daemon

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/sqlitestore"
)

func TestATableOfAnotherProgramIsLeftToAPerson(t *testing.T) {
	file, h := newFile(t), newHook(t)
	r := load(t, file, fmt.Sprintf("outbox: {publisher: {sender: {type: http, url: %q}, events: {OrderPlaced: {}}}}", h.URL))
	r.do(`CREATE TABLE outbox_event (event_id VARCHAR(36) PRIMARY KEY, event_type VARCHAR(128) NOT NULL, payload JSON NOT NULL,
		status TINYINT NOT NULL, available_at DATETIME(6) NOT NULL, created_at DATETIME(6) NOT NULL)`)
	r.do(`INSERT INTO outbox_event VALUES ('a', 'OrderPlaced', 1, 0, '2024-02-29', '2024-02-29')`)
	_ = r.start()
	r.until("it says what to do", func() bool {
		return strings.Contains(r.log.String(), "was made by another program; nothing was changed: run `outbox migrate up` to see")
	})
	if n := r.count("SELECT count(*) FROM sqlite_master WHERE name = 'outbox_schema'"); n != 0 {
		t.Error("the tables were made")
	}
	db := openFile(t, file)
	defer func() { _ = db.Close() }()
	if err := testenv.Must(sqlitestore.New(db, sqlitestore.Config{})).Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.until("it delivers once that was done", func() bool { return h.got() == 1 })
}
