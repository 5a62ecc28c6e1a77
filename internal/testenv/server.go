package testenv

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// Names of servers. Others in scripts/servers can be used in the same way.
const (
	Postgres15 = "postgres15"
	Postgres18 = "postgres18"
	PgBouncer  = "pgbouncer" // transaction mode, in front of Postgres15
	MySQL80    = "mysql80"
	MySQL9     = "mysql9" // may be left out, even under make test
	MariaDB    = "mariadb"
	TiDB       = "tidb" // may be left out: it takes make test-tidb
	Kafka      = "kafka"
	NATS       = "nats"
	RabbitMQ   = "rabbitmq"
	Redis      = "redis"
	Hazelcast  = "hazelcast"
	SQLite     = "sqlite" // a file: needs no server, and only Database takes it
)

// howToHave says how to get a server that is not fetched by itself.
var howToHave = map[string]string{TiDB: ": make test-tidb builds it, in about 15 minutes, and runs its tests"}

// Require reports whether a missing server is a failure.
func Require() bool { return os.Getenv("OUTBOX_TEST_REQUIRE") == "1" }

// URL returns the URL of a server, which the test may use until it ends. If there
// is none, URL skips the test, or fails it if [Require] says so.
func URL(t testing.TB, name string) string {
	t.Helper()
	url := os.Getenv(variable(name))
	if url == "" {
		if slices.Contains(strings.Fields(os.Getenv("OUTBOX_TEST_LEFT_OUT")), name) {
			// internal/tools/noskip excuses a reason that begins like this.
			t.Skipf("left out: %s could not be had on this machine%s", name, howToHave[name])
		}
		miss(t, "%s is not running: use make test, or scripts/with-servers %s -- go test, or set %s to the URL of one", name, name, variable(name))
	}
	return url
}

// variable names the environment variable that holds a server's URL.
func variable(name string) string { return "OUTBOX_TEST_" + strings.ToUpper(name) }

func miss(t testing.TB, format string, args ...any) {
	t.Helper()
	if Require() {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}

// Must returns v. It panics on an error, for tests that expect none.
func Must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
