package mysqlstore_test

import (
	"database/sql"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/internal/dialecttest"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/mysqlstore"
)

func TestDialect(t *testing.T) {
	onEach(t, func(t *testing.T, server string) {
		dialecttest.Run(t, dialecttest.Subject{
			Dialect: mysqlstore.Dialect(),
			Fresh: func(t testing.TB) func() *sql.DB {
				address := testenv.Database(t, server)
				return func() *sql.DB { return openDB(t, address) }
			},
			Adoptions: []dialecttest.Adoption{
				adoption("a table with JSON and microseconds", false,
					"IGNORED", ""),
				adoption("a table with TEXT, seconds and another character set", true,
					"JSON", "TEXT", "DATETIME(6)", "DATETIME", "IGNORED", "CHARACTER SET latin1"),
			},
			Unkept:  unkept(),
			Kept:    kept(),
			Analyze: "ANALYZE TABLE outbox_event",
			OwnTriggers: []string{
				"CREATE TRIGGER audit AFTER INSERT ON outbox_event FOR EACH ROW INSERT INTO audit_log (id) VALUES (NEW.event_id)",
				`CREATE TRIGGER placed AFTER INSERT ON orders FOR EACH ROW
					INSERT INTO outbox_event (event_id, event_type, payload, status, available_at, created_at)
					VALUES (NEW.id, 'OrderPlaced', '{}', 0, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6))`,
			},
		})
	})
}

// TIMESTAMP columns hold instants, which a session shows in its own zone.
func TestAdoptionInAnotherTimeZone(t *testing.T) {
	onEach(t, func(t *testing.T, server string) {
		moments := adoption("a table with TIMESTAMP", false, "IGNORED", "", "DATETIME(6) NOT NULL", "TIMESTAMP(6) NOT NULL DEFAULT '2024-01-01 00:00:00'", "DATETIME(6)", "TIMESTAMP(6) NULL")
		local := strings.NewReplacer("12:00:00", "17:00:00", "12:01:00", "17:01:00", "2999", "2037")
		moments.Make[2] = local.Replace(moments.Make[2])
		dialecttest.RunAdoptions(t, dialecttest.Subject{
			Dialect: mysqlstore.Dialect(),
			Fresh: func(t testing.TB) func() *sql.DB {
				address := with(t, testenv.Database(t, server), "time_zone", "'+05:00'")
				return func() *sql.DB { return openDB(t, address) }
			},
			Adoptions: []dialecttest.Adoption{
				adoption("a table with DATETIME", false, "IGNORED", ""),
				moments,
			},
		})
	})
}

// specification is the table of the specification, in its own words.
const specification = `CREATE TABLE outbox_event (
  event_id VARCHAR(36) PRIMARY KEY,
  event_type VARCHAR(128) NOT NULL,
  aggregate_type VARCHAR(64),
  aggregate_id VARCHAR(128),
  tenant_id VARCHAR(64),
  payload JSON NOT NULL,
  headers JSON,
  status TINYINT NOT NULL,
  attempts INT NOT NULL DEFAULT 0,
  available_at DATETIME(6) NOT NULL,
  created_at DATETIME(6) NOT NULL,
  done_at DATETIME(6),
  last_error TEXT,
  locked_by VARCHAR(128),
  locked_at DATETIME(6)
) IGNORED`

const specificationIndex = `CREATE INDEX idx_status_available ON outbox_event(status, available_at, created_at)`

const specificationRows = `INSERT INTO outbox_event (event_id, event_type, tenant_id, payload, headers, status, attempts,
    available_at, created_at, done_at, last_error, locked_by, locked_at) VALUES
  ('new', 'OrderPlaced', 't1', '{"n":1}', '{"a":"b"}', 0, 0, '2024-02-29 12:00:00', '2024-02-29 12:00:00', NULL, NULL, NULL, NULL),
  ('locked', 'OrderPlaced', NULL, '{}', NULL, 0, 0, '2024-02-29 12:00:00', '2024-02-29 12:00:00', NULL, NULL, 'java', UTC_TIMESTAMP()),
  ('retried', 'OrderPlaced', NULL, '{}', NULL, 2, 3, '2024-02-29 12:00:00', '2024-02-29 12:00:00', NULL, 'again', NULL, NULL),
  ('done', 'OrderPlaced', NULL, '{}', NULL, 1, 0, '2024-02-29 12:00:00', '2024-02-29 12:00:00', '2024-02-29 12:01:00', NULL, NULL, NULL),
  ('undated', 'OrderPlaced', NULL, '{}', NULL, 1, 0, '2024-02-29 12:00:00', '2024-02-29 12:00:00', NULL, NULL, NULL, NULL),
  ('dead', 'OrderPlaced', NULL, '{}', NULL, 3, 10, '2024-02-29 12:00:00', '2024-02-29 12:00:00', NULL, 'gone', NULL, NULL),
  ('later', 'OrderPlaced', NULL, '{}', NULL, 0, 0, '2999-01-01 00:00:00', '2024-02-29 12:00:00', NULL, NULL, NULL, NULL)`

// adoption is the specification's table with some of its words replaced.
func adoption(name string, broken bool, replace ...string) dialecttest.Adoption {
	a := dialecttest.Adoption{
		Name:   name,
		Make:   []string{strings.NewReplacer(replace...).Replace(specification), specificationIndex, specificationRows},
		Broken: broken,
		Insert: `INSERT INTO outbox_event (event_id, event_type, aggregate_type, aggregate_id,
			tenant_id, payload, headers, status, attempts, available_at, created_at)
			VALUES ('spec', 'OrderPlaced', 'Order', '1', NULL, '{}', NULL, 0, 0, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6))`,
		Done: `UPDATE outbox_event SET status = 1, done_at = UTC_TIMESTAMP(6), locked_by = NULL, locked_at = NULL
			WHERE event_id = 'spec' AND status <> 1`,
	}
	if broken {
		a.Make = append(a.Make, `INSERT INTO outbox_event (event_id, event_type, payload, headers, status, available_at, created_at)
			VALUES ('broken', 'OrderPlaced', 'not JSON', 'nor this', 0, '2024-02-29 12:00:00', '2024-02-29 12:00:00')`)
	}
	return a
}

func TestDialectKnowsItsServers(t *testing.T) {
	for answer, known := range map[string]bool{
		"8.0.15":                            true,
		"9.7.0-2":                           true,
		"10.11.14-MariaDB-0+deb12u2":        true,
		"8.0.11-TiDB-v7.5.0":                false,
		"PostgreSQL 15.18 on x86_64-pc-gnu": false,
	} {
		if got := mysqlstore.Dialect().Knows(answer); got != known {
			t.Errorf("%q: %t, expected %t", answer, got, known)
		}
	}
}
