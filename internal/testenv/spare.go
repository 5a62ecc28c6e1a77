package testenv

import (
	"context"
	"sync"

	"github.com/jackc/pgx/v5"
)

// spares are databases of ended tests, empty again. PostgreSQL takes close to a
// second to create and drop one while other tests run, and some 35 ms to empty
// it.
//
// Nothing drops them when the process ends, so they are kept only on servers that
// scripts/with-servers has started and throws away.
type spares struct {
	mu       sync.Mutex
	byServer map[string][]string // names of databases, by the server's URL
}

var spare spares

// take returns a spare database of a server, or "".
func (s *spares) take(server string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	names := s.byServer[server]
	if len(names) == 0 {
		return ""
	}
	last := len(names) - 1
	s.byServer[server] = names[:last]
	return names[last]
}

// keep empties a database for another test, and reports whether it could.
func (s *spares) keep(server string, m maker, database string) bool {
	p, ok := m.(postgresServer)
	if !ok || limited(context.Background(), p.empty, database) != nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byServer == nil {
		s.byServer = map[string][]string{}
	}
	s.byServer[server] = append(s.byServer[server], database)
	return true
}

// emptying leaves what the template has. It fails for objects outside schemas,
// which CASCADE does not find.
const emptying = `
SELECT pg_terminate_backend(pid, 120000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid();
DO $$
DECLARE name text;
BEGIN
  EXECUTE format('ALTER DATABASE %I RESET ALL', current_database());
  FOR name IN SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' LOOP
    EXECUTE format('DROP SCHEMA %I CASCADE', name);
  END LOOP;
  CREATE SCHEMA public AUTHORIZATION pg_database_owner;
  GRANT USAGE ON SCHEMA public TO PUBLIC;
  IF EXISTS (SELECT FROM pg_extension WHERE extname <> 'plpgsql') OR EXISTS (SELECT FROM pg_publication)
     OR EXISTS (SELECT FROM pg_event_trigger) OR EXISTS (SELECT FROM pg_default_acl)
     OR EXISTS (SELECT FROM pg_replication_slots WHERE database = current_database()) THEN
    RAISE EXCEPTION 'not empty';
  END IF;
END $$`

func (p postgresServer) empty(ctx context.Context, database string) error {
	config, err := pgx.ParseConfig(p.url)
	if err != nil {
		return err
	}
	config.Database = database
	// A test may have changed these settings of the database.
	config.RuntimeParams["default_transaction_read_only"] = "off"
	config.RuntimeParams["default_transaction_isolation"] = "read committed"
	config.RuntimeParams["client_min_messages"] = "warning"
	config.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol
	return executeOn(ctx, config, emptying)
}
