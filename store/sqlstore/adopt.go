package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sendoff-go/outbox"
)

// Adoption is what Migrate would do to an event table that another program
// made.
type Adoption struct {
	// Table is its name.
	Table string
	// Rows and Bytes are the figures of the database's catalog, which may be
	// out of date. Bytes is 0 if the catalog has none.
	Rows, Bytes int64
	// Time is a rough estimate of how long the table is locked, with small
	// payloads on a small machine.
	Time time.Duration
	// Locked says, in words, what waits meanwhile.
	Locked string
	// Obstacles are the reasons why Migrate would refuse, each with what to do.
	Obstacles []string
}

// adoptRate is how many rows are adopted per second, measured on two cores with
// payloads of 200 bytes. The dialects differ by less than a factor of two.
const adoptRate = 20_000

// Adoption says what Migrate would do to an event table that another program
// made, and nil if there is none. It changes nothing. It scans the table a few
// times for rows that could not be kept, so only ctx bounds its time.
func (s *Engine) Adoption(ctx context.Context) (*Adoption, error) {
	var a *Adoption
	err := s.run(ctx, s.migrationCall("look for a table to adopt", func(ctx context.Context, session *Session) error {
		a = nil
		found, err := s.findSchema(ctx, session)
		if err != nil || !found.exists || found.version > 0 {
			return err
		}
		foreign, err := session.foreign(ctx)
		if err != nil || !foreign {
			return err
		}
		a, err = s.adoption(ctx, session)
		return err
	}))
	return a, err
}

func (s *Engine) adoption(ctx context.Context, session *Session) (*Adoption, error) {
	a := &Adoption{Table: s.names.tables[wordEvent].table, Locked: s.dialect.AdoptLocks}
	var err error
	if a.Obstacles, err = session.obstacles(ctx); err != nil || len(a.Obstacles) > 0 {
		return a, err // not even its size may be known
	}
	rows, err := session.Query(ctx, s.queries.AdoptSize, nil)
	sizes, err := collect(rows, err, func(rows Rows) (size [2]sql.NullInt64, err error) {
		return size, rows.Scan(&size[0], &size[1])
	})
	if err != nil || len(sizes) == 0 {
		return a, err
	}
	a.Rows, a.Bytes = sizes[0][0].Int64, sizes[0][1].Int64
	a.Time = time.Duration(float64(a.Rows) / adoptRate * float64(time.Second))
	return a, nil
}

// create starts from scratch, or from a table that is not ours yet.
func (s *Engine) create(ctx context.Context, session *Session) error {
	foreign, err := session.foreign(ctx)
	if err != nil {
		return err
	}
	if !foreign {
		return s.apply(ctx, session, nil, nil)
	}
	obstacles, err := session.obstacles(ctx)
	if err != nil {
		return err
	}
	if len(obstacles) > 0 {
		return ours(fmt.Errorf("%w: the table %s was made by another program and cannot become the outbox's, nothing was changed: %s",
			outbox.ErrSchema, s.names.tables[wordEvent].table, strings.Join(obstacles, "; ")))
	}
	soon, late, err := session.kept(ctx)
	if err != nil {
		return err
	}
	if err := session.execAll(ctx, s.names.statements("adopt_before.sql")); err != nil {
		return err
	}
	return s.apply(ctx, session, nil, slices.Concat(soon, s.names.statements("adopt_after.sql"), late))
}

func (s *Session) foreign(ctx context.Context) (bool, error) {
	rows, err := s.Query(ctx, s.Queries.Foreign, nil)
	found, err := collect(rows, err, scanValue[flag])
	return slices.Contains(found, true), err
}

// obstacles looks at the table first, then at its rows: the statements that
// check the rows depend on its columns and their types.
func (s *Session) obstacles(ctx context.Context) ([]string, error) {
	all, err := s.texts(ctx, s.Queries.AdoptRefuse)
	if err != nil || len(all) > 0 {
		return all, err
	}
	checks, err := s.texts(ctx, s.Queries.AdoptCheck)
	if err != nil {
		return nil, err
	}
	for _, check := range checks {
		found, err := s.texts(ctx, Query{SQL: check})
		if err != nil {
			return nil, fmt.Errorf("%w, in: %s", err, check)
		}
		all = append(all, found...)
	}
	return all, nil
}

func (s *Session) texts(ctx context.Context, q Query) ([]string, error) {
	rows, err := s.Query(ctx, q, nil)
	return collect(rows, err, scanValue[string])
}

// kept returns the statements that recreate what the table has of its own,
// where it cannot be altered in place: those to run before its rows are
// converted, and those to run after.
func (s *Session) kept(ctx context.Context) (soon, late []string, err error) {
	if !s.Queries.AdoptKeep.exists() {
		return nil, nil, nil
	}
	type statement struct {
		late flag
		text string
	}
	rows, err := s.Query(ctx, s.Queries.AdoptKeep, nil)
	all, err := collect(rows, err, func(rows Rows) (k statement, err error) { return k, rows.Scan(&k.late, &k.text) })
	for _, k := range all {
		if k.late {
			late = append(late, k.text)
		} else {
			soon = append(soon, k.text)
		}
	}
	return soon, late, err
}
