package dialecttest

import "strings"

// PostgresAdoptions are tables that other programs made on PostgreSQL.
func PostgresAdoptions() []Adoption {
	return []Adoption{
		postgresAdoption("a table with JSON and TIMESTAMP", "JSON", "TIMESTAMP(6)", false),
		postgresAdoption("a table with JSONB and TIMESTAMPTZ", "JSONB", "TIMESTAMPTZ", false),
		postgresAdoption("a table with TEXT and TIMESTAMP", "TEXT", "TIMESTAMP", true),
	}
}

// PostgresUnkept are [Subject.Unkept].
func PostgresUnkept() map[string]Unkept {
	return map[string]Unkept{
		"a status of yes and no":  {[]string{"status BOOLEAN"}, []string{"status = false"}, []string{"status", "boolean", "such as false"}},
		"a status of one letter":  {[]string{`status "char"`}, []string{"status = 'N'"}, []string{"status", "such as N"}},
		"ids of bytes":            {[]string{"event_id BYTEA PRIMARY KEY"}, []string{"event_id = '\\x00ff'"}, []string{"event_id", "bytea"}},
		"a payload of bytes":      {[]string{"payload BYTEA"}, []string{"payload = '{}'"}, []string{"payload", "bytea", "payload_bytes"}},
		"headers of bytes":        {[]string{"headers BYTEA"}, []string{"headers = '{}'"}, []string{"headers", "bytea"}},
		"bytes that are text":     {[]string{"payload_bytes TEXT"}, nil, []string{"payload_bytes", "text"}},
		"two payloads":            {[]string{"payload_bytes BYTEA"}, []string{"payload_bytes = 'abc'"}, []string{"payload", "such as event a"}},
		"a time of the day":       {[]string{"available_at TIME"}, []string{"available_at = '12:00'"}, []string{"available_at", "time without time zone"}},
		"a tenant that is longer": {[]string{"tenant_id TEXT"}, []string{"tenant_id = repeat('x', 65)"}, []string{"tenant_id", "64 characters"}},
		"an aggregate of bytes":   {[]string{"aggregate_id BYTEA"}, []string{"aggregate_id = 'abc'"}, []string{"aggregate_id", "bytea"}},
		"a computed status":       {[]string{"state INT DEFAULT 0", "status INT GENERATED ALWAYS AS (state) STORED"}, []string{"status = DEFAULT"}, []string{"status", "computed"}},
	}
}

// PostgresKept are [Subject.Kept].
func PostgresKept() map[string]Kept {
	const id = "9d0f6a1c-6f0e-4a53-9b5c-0f8d5d1f6f11"
	return map[string]Kept{
		"ids that are UUIDs":         {Columns: []string{"event_id UUID PRIMARY KEY", "tenant_id UUID"}, Values: []string{"event_id = '" + id + "'", "tenant_id = '" + id + "'"}, Check: wantID(id)},
		"infinite times":             {Columns: []string{"available_at TIMESTAMP"}, Values: []string{"available_at = '-infinity'"}},
		"defaults that are not ours": {Columns: []string{"headers TEXT DEFAULT '{}'", "payload TEXT DEFAULT '{}'", "done_at DATE DEFAULT '2024-02-29'", "occurred_at TIMESTAMP DEFAULT now()"}},
	}
}

// PostgresTriggers are [Subject.OwnTriggers].
func PostgresTriggers() []string {
	return []string{
		`CREATE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			INSERT INTO audit_log (id) VALUES (NEW.event_id);
			RETURN NEW;
		END $$`,
		`CREATE TRIGGER audit AFTER INSERT ON outbox_event FOR EACH ROW EXECUTE FUNCTION audit()`,
		`CREATE FUNCTION placed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			INSERT INTO outbox_event (event_id, event_type, payload, status, available_at, created_at)
			VALUES (NEW.id, 'OrderPlaced', '{}', 0, now(), now());
			RETURN NEW;
		END $$`,
		`CREATE TRIGGER placed AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION placed()`,
	}
}

func postgresAdoption(name, jsonType, timeType string, broken bool) Adoption {
	types := strings.NewReplacer("JSON", jsonType, "DATETIME(6)", timeType, "TINYINT", "SMALLINT")
	a := Adoption{
		Name: name,
		Make: []string{
			types.Replace(`CREATE TABLE outbox_event (
				event_id VARCHAR(36) PRIMARY KEY, event_type VARCHAR(128) NOT NULL, aggregate_type VARCHAR(64),
				aggregate_id VARCHAR(128), tenant_id VARCHAR(64), payload JSON NOT NULL, headers JSON,
				status TINYINT NOT NULL, attempts INT NOT NULL DEFAULT 0, available_at DATETIME(6) NOT NULL,
				created_at DATETIME(6) NOT NULL, done_at DATETIME(6), last_error TEXT, locked_by VARCHAR(128), locked_at DATETIME(6))`),
			`CREATE INDEX idx_status_available ON outbox_event(status, available_at, created_at)`,
			`INSERT INTO outbox_event (event_id, event_type, tenant_id, payload, headers, status, attempts,
				available_at, created_at, done_at, last_error, locked_by, locked_at) VALUES
				('new', 'OrderPlaced', 't1', '{"n":1}', '{"a":"b"}', 0, 0, '2024-02-29 12:00Z', '2024-02-29 12:00Z', NULL, NULL, NULL, NULL),
				('locked', 'OrderPlaced', NULL, '{}', NULL, 0, 0, '2024-02-29 12:00Z', '2024-02-29 12:00Z', NULL, NULL, 'java', now()),
				('retried', 'OrderPlaced', NULL, '{}', NULL, 2, 3, '2024-02-29 12:00Z', '2024-02-29 12:00Z', NULL, 'again', NULL, NULL),
				('done', 'OrderPlaced', NULL, '{}', NULL, 1, 0, '2024-02-29 12:00Z', '2024-02-29 12:00Z', '2024-02-29 12:01Z', NULL, NULL, NULL),
				('undated', 'OrderPlaced', NULL, '{}', NULL, 1, 0, '2024-02-29 12:00Z', '2024-02-29 12:00Z', NULL, NULL, NULL, NULL),
				('dead', 'OrderPlaced', NULL, '{}', NULL, 3, 10, '2024-02-29 12:00Z', '2024-02-29 12:00Z', NULL, 'gone', NULL, NULL),
				('later', 'OrderPlaced', NULL, '{}', NULL, 0, 0, '2999-01-01 00:00Z', '2024-02-29 12:00Z', NULL, NULL, NULL, NULL)`,
		},
		Broken: broken,
		Insert: `INSERT INTO outbox_event (event_id, event_type, aggregate_type, aggregate_id,
			tenant_id, payload, headers, status, attempts, available_at, created_at)
			VALUES ('spec', 'OrderPlaced', 'Order', '1', NULL, '{}', NULL, 0, 0, now(), now())`,
		Done: `UPDATE outbox_event SET status = 1, done_at = now(), locked_by = NULL, locked_at = NULL
			WHERE event_id = 'spec' AND status <> 1`,
	}
	if broken {
		a.Make = append(a.Make, `INSERT INTO outbox_event (event_id, event_type, payload, headers, status, available_at, created_at)
			VALUES ('broken', 'OrderPlaced', 'not JSON', 'nor this', 0, now(), now())`)
	}
	return a
}
