package mysqlstore_test

import (
	"database/sql"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/dialecttest"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/mysqlstore"
)

// unkept are tables that are refused. An ENUM numbers its words from one, so
// new rows would become done.
func unkept() map[string]dialecttest.Unkept {
	return map[string]dialecttest.Unkept{
		"a status of an ENUM": {
			Columns: []string{"status ENUM('NEW','DONE','RETRY','DEAD') NOT NULL"}, Values: []string{"status = 'NEW'"},
			Want: []string{"status", "enum", "rows: 1, such as NEW"},
		},
		"a status of a SET": {
			Columns: []string{"status SET('NEW','DONE') NOT NULL"}, Values: []string{"status = 'NEW'"},
			Want: []string{"status", "set", "rows: 1, such as NEW"},
		},
		"a status of bits":    {Columns: []string{"status BIT(2)"}, Values: []string{"status = b'00'"}, Want: []string{"status", "bit"}},
		"attempts of an ENUM": {Columns: []string{"attempts ENUM('none','one')"}, Values: []string{"attempts = 'none'"}, Want: []string{"attempts", "enum"}},
		"attempts that are too many": {
			Columns: []string{"attempts BIGINT UNSIGNED"}, Values: []string{"attempts = 18446744073709551615"},
			Want: []string{"attempts", "such as 18446744073709551615"},
		},
		"a time of the day":     {Columns: []string{"available_at TIME"}, Values: []string{"available_at = '12:00'"}, Want: []string{"available_at", "such as 12:00"}},
		"ids of bytes":          {Columns: []string{"event_id BINARY(16) PRIMARY KEY"}, Want: []string{"event_id", "binary"}},
		"ids beyond ASCII":      {Columns: []string{"event_id VARCHAR(36) CHARACTER SET utf8mb4 PRIMARY KEY"}, Values: []string{"event_id = 'ä'"}, Want: []string{"event_id", "ASCII", "such as ä"}},
		"a payload of bytes":    {Columns: []string{"payload BLOB"}, Want: []string{"payload", "blob", "payload_bytes"}},
		"headers of bytes":      {Columns: []string{"headers VARBINARY(99)"}, Want: []string{"headers", "varbinary"}},
		"bytes that are text":   {Columns: []string{"payload_bytes TEXT"}, Want: []string{"payload_bytes", "text"}},
		"two payloads":          {Columns: []string{"payload_bytes BLOB"}, Values: []string{"payload_bytes = 'abc'"}, Want: []string{"payload", "such as event a"}},
		"an aggregate of bytes": {Columns: []string{"aggregate_id BINARY(16)"}, Want: []string{"aggregate_id", "binary"}},
		"a tenant that is longer": {
			Columns: []string{"tenant_id TEXT"}, Values: []string{"tenant_id = REPEAT('x', 65)"}, Want: []string{"tenant_id", "64 characters"},
		},
		"an error that is longer": {
			Columns: []string{"last_error LONGTEXT"}, Values: []string{"last_error = REPEAT('x', 70000)"}, Want: []string{"last_error", "16383 characters"},
		},
		"a computed status": {
			Columns: []string{"state INT DEFAULT 0", "status INT GENERATED ALWAYS AS (state) VIRTUAL"}, Values: []string{"status = DEFAULT"},
			Want: []string{"status", "computed"},
		},
		"claims of its own": {
			Columns: []string{"claim_no INT", "locked_until VARCHAR(9)"}, Want: []string{"claim_no", "locked_until", "rename"},
		},
	}
}

// zeros can only be written if the server is not strict. They are earlier than
// the first time that a claim looks for.
func zeros() map[string]dialecttest.Unkept {
	return map[string]dialecttest.Unkept{
		"a time that is zero": {
			Columns: []string{"available_at DATETIME"}, Values: []string{"available_at = '0000-00-00'"},
			Want: []string{"available_at", "such as 0000-00-00 00:00:00"},
		},
		"a day that is zero": {Values: []string{"created_at = '2024-02-00'"}, Want: []string{"created_at", "such as 2024-02-00"}},
		"a delivery at zero": {Columns: []string{"done_at DATETIME"}, Values: []string{"done_at = '0000-00-00'"}, Want: []string{"done_at", "such as 0000-00-00"}},
	}
}

func TestTimesThatAreZeroKeepATableFromBeingAdopted(t *testing.T) {
	onEach(t, func(t *testing.T, server string) {
		dialecttest.RunAdoptions(t, dialecttest.Subject{
			Dialect: mysqlstore.Dialect(),
			Fresh: func(t testing.TB) func() *sql.DB {
				address := with(t, testenv.Database(t, server), "sql_mode", "''")
				return func() *sql.DB { return openDB(t, address) }
			},
			Unkept: zeros(),
		})
	})
}

func kept() map[string]dialecttest.Kept {
	return map[string]dialecttest.Kept{
		"a status without a sign": {Columns: []string{"status TINYINT UNSIGNED", "attempts INT UNSIGNED"}},
		"a type of an ENUM":       {Columns: []string{"event_type ENUM('OrderShipped','OrderPlaced')"}},
		"a tenant of an ENUM": {
			Columns: []string{"tenant_id ENUM('t2','t1')"}, Values: []string{"tenant_id = 't1'"}, Check: func(t *testing.T, c driver.Claimed) {
				if c.Event.TenantID != "t1" {
					t.Errorf("tenant %q", c.Event.TenantID)
				}
			},
		},
		"times to the second": {Columns: []string{"available_at TIMESTAMP NULL", "created_at TIMESTAMP NULL"}, Values: []string{"available_at = NULL", "created_at = NULL"}},
		"a payload in another character set": {
			Columns: []string{"payload VARCHAR(99) CHARACTER SET latin1"}, Values: []string{`payload = '"ä"'`}, Check: func(t *testing.T, c driver.Claimed) {
				if string(c.Event.JSON) != `"ä"` {
					t.Errorf("payload %s", c.Event.JSON)
				}
			},
		},
	}
}

// An engine without transactions would deliver what its writer rolls back.
func TestAnAdoptedTableHasTransactions(t *testing.T) {
	onEach(t, func(t *testing.T, server string) {
		db := openDB(t, testenv.Database(t, server))
		for _, s := range adoption("", false, "IGNORED", "ENGINE = MyISAM").Make {
			exec(t, db, s)
		}
		migrated(t, db)
		var engine string
		const query = "SELECT t.engine FROM information_schema.tables t WHERE t.table_schema = DATABASE() AND t.table_name = 'outbox_event'"
		if err := db.QueryRowContext(t.Context(), query).Scan(&engine); err != nil || !strings.EqualFold(engine, "InnoDB") {
			t.Errorf("engine %q, error %v", engine, err)
		}
	})
}
