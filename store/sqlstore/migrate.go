package sqlstore

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/store/internal/transport"
)

// migrating names the call in errors, which must not advise to make that very
// call.
const migrating = "migrate"

// Migrate brings the tables to the version that this program needs, and creates
// them if there are none. A table that was made with the specification's own
// DDL is upgraded in place, with its rows, while its writers wait:
// [Engine.Adoption] says beforehand for how long. What cannot be kept is refused
// with [outbox.ErrSchema], and then nothing is changed. It may be called at
// every start and by many processes at once; a newer schema is left alone. Where
// nothing is to be done it needs no right but to read the version. Only ctx
// bounds its time, except that it waits for another migration of the same tables
// for at most five minutes.
func (s *Engine) Migrate(ctx context.Context) error {
	if current, err := s.current(ctx); err != nil || current {
		return err
	}
	return s.migrate(ctx, func(ctx context.Context, session *Session, done []int) error {
		if len(done) == 0 {
			return s.create(ctx, session)
		}
		return s.apply(ctx, session, done, nil)
	})
}

// current reports whether all steps are done.
func (s *Engine) current(ctx context.Context) (current bool, err error) {
	err = s.run(ctx, s.migrationCall(migrating, func(ctx context.Context, session *Session) error {
		current = false
		found, err := s.findTables(ctx, session)
		if err != nil || !found.readable {
			return err
		}
		done, err := session.versions(ctx)
		if err != nil {
			return err
		}
		current = !slices.ContainsFunc(s.names.migrations(), func(m migration) bool {
			_, ok := done[m.version]
			return !ok
		})
		return nil
	}))
	return current, err
}

// apply runs the steps that are not done. What follows the first step runs
// before that step is recorded as done: where DDL cannot be rolled back, a
// crash in between must not skip it.
func (s *Engine) apply(ctx context.Context, session *Session, done []int, after []string) error {
	for _, m := range s.names.migrations() {
		if slices.Contains(done, m.version) {
			continue
		}
		if err := session.execAll(ctx, append(m.up, after...)); err != nil {
			return fmt.Errorf("version %d (%s): %w", m.version, m.name, err)
		}
		after = nil
		if _, err := session.Exec(ctx, s.queries.SchemaAdd, nil, int64(m.version), m.name); err != nil {
			return err
		}
	}
	return nil
}

// MigrateDown takes back the latest steps. What their tables hold is lost:
// after the last step there is no outbox, nor any event, delivered or not.
// [Engine.MigrateDownLosses] says beforehand which of it is still needed.
func (s *Engine) MigrateDown(ctx context.Context, steps int) error {
	defer s.schema.Store(nil)
	defer s.ledger.Store(false)
	return s.migrate(ctx, func(ctx context.Context, session *Session, done []int) error {
		for _, m := range s.latest(done, steps) {
			if _, err := session.Exec(ctx, s.queries.SchemaRemove, nil, int64(m.version)); err != nil {
				return err
			}
			if err := session.execAll(ctx, m.down); err != nil {
				return fmt.Errorf("version %d (%s): %w", m.version, m.name, err)
			}
		}
		return nil
	})
}

// migrate runs f under the migration lock, with the versions that are done.
func (s *Engine) migrate(ctx context.Context, f func(ctx context.Context, s *Session, done []int) error) error {
	return s.run(ctx, s.migrationCall(migrating, func(ctx context.Context, session *Session) error {
		if err := session.lock(ctx); err != nil {
			return err
		}
		if err := s.findSchemas(ctx, session); err != nil {
			return err
		}
		if err := session.execAll(ctx, []string{s.queries.SchemaCreate.SQL}); err != nil {
			return err
		}
		done, err := session.versions(ctx)
		if err != nil {
			return err
		}
		return f(ctx, session, slices.Sorted(maps.Keys(done)))
	}))
}

// findSchemas says how to create a missing schema. Creating it here would take
// a right that migrations do not need otherwise.
func (s *Engine) findSchemas(ctx context.Context, session *Session) error {
	if !s.queries.SchemaFind.exists() {
		return nil
	}
	for _, name := range s.names.schemas() {
		rows, err := session.Query(ctx, s.queries.SchemaFind, nil, name)
		found, err := collect(rows, err, scanValue[string])
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return ours(fmt.Errorf("%w: there is no schema %s, or this user has no right to it: create it with CREATE SCHEMA %s, or name another",
				outbox.ErrSchema, name, s.dialect.Quote(name)))
		}
	}
	return nil
}

// MigrationState is one step of the schema.
type MigrationState struct {
	Version   int
	Name      string
	AppliedAt time.Time // zero: not applied
}

// MigrationStatus lists, in order, the steps that this program knows and those
// that a newer one applied. A user who may not read the version gets the error
// of the database. It changes nothing.
func (s *Engine) MigrationStatus(ctx context.Context) ([]MigrationState, error) {
	var states []MigrationState
	err := s.run(ctx, s.personCall("migration status", func(ctx context.Context, session *Session) error {
		states = nil
		done := map[int]MigrationState{}
		found, err := s.findSchema(ctx, session)
		switch {
		case err != nil:
		case found.readable, found.versioned: // or the database says that it may not be read
			done, err = session.versions(ctx)
		default:
			if err = s.findSchemas(ctx, session); err == nil && s.dialect.HidesTables {
				done, err = session.hiddenVersions(ctx)
			}
		}
		for _, m := range s.names.migrations() {
			state, ok := done[m.version]
			if !ok {
				state = MigrationState{Version: m.version, Name: m.name}
			}
			delete(done, m.version)
			states = append(states, state)
		}
		for _, state := range done {
			states = append(states, state)
		}
		slices.SortFunc(states, func(a, b MigrationState) int { return a.Version - b.Version })
		return err
	}))
	return states, err
}

func (s *Session) versions(ctx context.Context) (map[int]MigrationState, error) {
	rows, err := s.Query(ctx, s.Queries.SchemaList, nil)
	states, err := collect(rows, err, func(rows Rows) (m MigrationState, err error) {
		var at moment
		err = rows.Scan(&m.Version, &m.Name, &at)
		m.AppliedAt = at.Time
		return m, err
	})
	byVersion := make(map[int]MigrationState, len(states))
	for _, m := range states {
		byVersion[m.Version] = m
	}
	return byVersion, err
}

// hiddenVersions asks for the versions although the catalog has no such table:
// it may only be hidden, and then the database says that it may not be read.
func (s *Session) hiddenVersions(ctx context.Context) (map[int]MigrationState, error) {
	done, err := s.versions(ctx)
	if err != nil && s.Dialect.Fault(err) == FaultMissing {
		return nil, nil
	}
	return done, err
}

func (s *Session) execAll(ctx context.Context, statements []string) error {
	conn := s.tx.(transport.Conn) // a migration runs in its own transaction
	for _, statement := range statements {
		if statement == "" {
			continue
		}
		if err := conn.Send(ctx, statement); err != nil {
			return fmt.Errorf("%w, in: %s", err, statement)
		}
	}
	return nil
}
