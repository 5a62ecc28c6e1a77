package dialecttest

import (
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// SQLiteAdoptions are tables that other programs made on SQLite.
func SQLiteAdoptions() []Adoption {
	const past = "1709208000000"
	printed := sqliteAdoption("a table with times as Go prints them", "'2024-02-29 13:00:00 +0100 CET m=+0.1'", "'2999-01-01 00:00:00 +0000 UTC'")
	for _, statement := range []*string{&printed.Insert, &printed.Done} { // the adopted table refuses such text
		*statement = strings.ReplaceAll(*statement, "'2024-02-29 13:00:00 +0100 CET m=+0.1'", past)
	}
	return []Adoption{
		sqliteAdoption("a table with times as text", "'2024-02-29 12:00:00.000'", "'2999-01-01 00:00:00'"),
		sqliteAdoption("a table with times in milliseconds", past, "32472144000000"),
		printed,
	}
}

// SQLiteUnkept are [Subject.Unkept].
func SQLiteUnkept() map[string]Unkept {
	return map[string]Unkept{
		"ids of bytes":                    {[]string{"event_id BLOB PRIMARY KEY"}, []string{"event_id = x'00ff'"}, []string{"event_id", "such as X'00FF'"}},
		"an id that is null":              {nil, []string{"event_id = NULL"}, []string{"event_id", "such as NULL"}},
		"a type of bytes":                 {nil, []string{"event_type = x'41'"}, []string{"event_type", "such as X'41'"}},
		"a word in a column of numbers":   {[]string{"status TINYINT"}, []string{"status = 'NEW'"}, []string{"status", "such as NEW"}},
		"attempts of a word":              {nil, []string{"attempts = 'three'"}, []string{"attempts", "such as three"}},
		"a creation in seconds":           {[]string{"created_at INTEGER"}, []string{"created_at = 1709208000"}, []string{"created_at", "such as 1709208000", "milliseconds"}},
		"a time in microseconds":          {nil, []string{"available_at = 4070908800000000"}, []string{"available_at", "such as 4070908800000000", "milliseconds"}},
		"a time in nanoseconds":           {nil, []string{"available_at = 4070908800000000000"}, []string{"available_at", "milliseconds"}},
		"a time in days":                  {nil, []string{"available_at = 2460370.5"}, []string{"available_at", "such as 2460370.5"}},
		"a time in days, as text":         {[]string{"available_at TEXT"}, []string{"available_at = '2460370.5'"}, []string{"available_at", "such as 2460370.5"}},
		"a time of the day alone":         {nil, []string{"available_at = '12:00'"}, []string{"available_at", "such as 12:00"}},
		"the word now":                    {nil, []string{"available_at = 'now'"}, []string{"available_at", "such as now"}},
		"an empty time":                   {nil, []string{"created_at = ''"}, []string{"created_at", "rows: 1"}},
		"a time of bytes":                 {nil, []string{"created_at = x'00'"}, []string{"created_at", "rows: 1"}},
		"a delivery that nobody can date": {[]string{"done_at TEXT"}, []string{"done_at = '29 Feb 24'", "status = 1"}, []string{"done_at", "such as 29 Feb 24"}},
	}
}

// SQLiteKept are [Subject.Kept]. By default, modernc.org/sqlite writes a
// time.Time in the format of its String method.
func SQLiteKept() map[string]Kept {
	all := map[string]Kept{
		"a default in double quotes": {Columns: []string{`shop TEXT NOT NULL DEFAULT "it's"`}},
		"a default in brackets":      {Columns: []string{"shop TEXT NOT NULL DEFAULT [main street]"}},
		"a default that is a word":   {Columns: []string{"shop TEXT NOT NULL DEFAULT main"}},
		"a default of JSON":          {Columns: []string{`shop TEXT NOT NULL DEFAULT '{"a": "b"}'`}},
		"a payload of bytes":         {Columns: []string{"payload BLOB"}, Values: []string{"payload = x'7b7d'"}},
	}
	for name, text := range map[string]string{
		"text as the library of SQLite writes it": "'2024-02-29 12:00:00.5'",
		"text with a T and a Z":                   "'2024-02-29T12:00:00.500Z'",
		"text with an offset":                     "'2024-02-29 14:00:00.5+02:00'",
		"text of Go":                              "'2024-02-29 12:00:00.5 +0000 UTC'",
		"text of Go with a zone":                  "'2024-02-29 14:00:00.500000001 +0200 CEST'",
		"text of Go west of Greenwich":            "'2024-02-29 08:30:00.5 -0330 -0330'",
		"text of Go with its monotonic clock":     "'2024-02-29 12:00:00.5 +0000 UTC m=+0.000012345'",
		"milliseconds":                            "1709208000500",
		"milliseconds with a fraction":            "1709208000500.25",
	} {
		all[name] = Kept{
			Columns: []string{"occurred_at DATETIME"},
			Values:  []string{"available_at = " + text, "created_at = " + text, "occurred_at = " + text},
			Check:   wantTime,
		}
	}
	return all
}

func wantTime(t *testing.T, c driver.Claimed) {
	want := time.Date(2024, 2, 29, 12, 0, 0, 500_000_000, time.UTC)
	for name, got := range map[string]time.Time{"available": c.Position.AvailableAt, "created": c.CreatedAt, "occurred": c.Event.OccurredAt} {
		if !got.Equal(want) {
			t.Errorf("%s at %s, expected %s", name, got, want)
		}
	}
}

// SQLiteTriggers are [Subject.OwnTriggers].
func SQLiteTriggers() []string {
	return []string{
		`CREATE TRIGGER audit AFTER INSERT ON outbox_event BEGIN
			INSERT INTO audit_log (id) VALUES (NEW.event_id);
		END`,
		`CREATE TRIGGER placed AFTER INSERT ON orders BEGIN
			INSERT INTO outbox_event (event_id, event_type, payload, status, available_at, created_at)
			VALUES (NEW.id, 'OrderPlaced', '{}', 0, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP);
		END`,
	}
}

func sqliteAdoption(name, past, future string) Adoption {
	times := strings.NewReplacer("PAST", past, "FUTURE", future)
	return Adoption{
		Name: name,
		Make: []string{
			`CREATE TABLE outbox_event (
				event_id VARCHAR(36) PRIMARY KEY, event_type VARCHAR(128) NOT NULL, aggregate_type VARCHAR(64),
				aggregate_id VARCHAR(128), tenant_id VARCHAR(64), payload JSON NOT NULL, headers JSON,
				status TINYINT NOT NULL, attempts INT NOT NULL DEFAULT 0, available_at DATETIME(6) NOT NULL,
				created_at DATETIME(6) NOT NULL, done_at DATETIME(6), last_error TEXT, locked_by VARCHAR(128), locked_at DATETIME(6))`,
			`CREATE INDEX idx_status_available ON outbox_event(status, available_at, created_at)`,
			times.Replace(`INSERT INTO outbox_event (event_id, event_type, tenant_id, payload, headers, status, attempts,
				available_at, created_at, done_at, last_error, locked_by, locked_at) VALUES
				('new', 'OrderPlaced', 't1', '{"n":1}', '{"a":"b"}', 0, 0, PAST, PAST, NULL, NULL, NULL, NULL),
				('locked', 'OrderPlaced', NULL, '{}', NULL, 0, 0, PAST, PAST, NULL, NULL, 'java', PAST),
				('retried', 'OrderPlaced', NULL, '{}', NULL, 2, 3, PAST, PAST, NULL, 'again', NULL, NULL),
				('done', 'OrderPlaced', NULL, '{}', NULL, 1, 0, PAST, PAST, PAST, NULL, NULL, NULL),
				('undated', 'OrderPlaced', NULL, '{}', NULL, 1, 0, PAST, PAST, NULL, NULL, NULL, NULL),
				('dead', 'OrderPlaced', NULL, '{}', NULL, 3, 10, PAST, PAST, NULL, 'gone', NULL, NULL),
				('later', 'OrderPlaced', NULL, '{}', NULL, 0, 0, FUTURE, PAST, NULL, NULL, NULL, NULL),
				('broken', 'OrderPlaced', NULL, 'not JSON', NULL, 0, 0, PAST, PAST, NULL, NULL, NULL, NULL)`),
		},
		Broken: true,
		Insert: times.Replace(`INSERT INTO outbox_event (event_id, event_type, aggregate_type, aggregate_id,
			tenant_id, payload, headers, status, attempts, available_at, created_at)
			VALUES ('spec', 'OrderPlaced', 'Order', '1', NULL, '{}', NULL, 0, 0, PAST, PAST)`),
		Done: times.Replace(`UPDATE outbox_event SET status = 1, done_at = PAST, locked_by = NULL, locked_at = NULL
			WHERE event_id = 'spec' AND status <> 1`),
	}
}
