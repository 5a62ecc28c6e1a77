package dialecttest

import "strings"

// SQLiteAdoptions are tables that others made on SQLite.
func SQLiteAdoptions() []Adoption {
	return []Adoption{
		sqliteAdoption("a table with times as text", "'2024-02-29 12:00:00.000'", "'2999-01-01 00:00:00'"),
		sqliteAdoption("a table with times in milliseconds", "1709208000000", "32472144000000"),
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
