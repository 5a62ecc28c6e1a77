package sqlstore

import (
	"context"
	"fmt"

	"github.com/sendoff-go/outbox"
)

// schema is what is known of the tables.
type schema struct {
	// plain: the event table is an ordinary table, not a view or the like.
	plain bool
}

// checkSchema checks once that the tables exist and have the right version. It
// runs in the caller's transaction and sends only queries that cannot fail,
// because a failure would end that transaction on some databases.
func (s *Engine) checkSchema(ctx context.Context, session *Session) (*schema, error) {
	if known := s.schema.Load(); known != nil {
		return known, nil
	}
	found, err := s.findSchema(ctx, session)
	if err != nil {
		return nil, err
	}
	if !found.exists || !found.versioned {
		if err := s.findSchemas(ctx, session); err != nil {
			return nil, err
		}
		return nil, ours(fmt.Errorf("%w: the outbox tables do not exist, or this user has no right to them: %s", outbox.ErrSchema, adviceMigrate))
	}
	if want := SchemaVersion(*s.dialect); found.readable && found.version < want {
		return nil, ours(fmt.Errorf("%w: the tables have version %d, this program needs %d: %s",
			outbox.ErrSchema, found.version, want, adviceMigrate))
	}
	known := &schema{plain: found.plain}
	s.schema.Store(known)
	return known, nil
}

type foundSchema struct {
	exists, plain       bool // the event table
	versioned, readable bool // the version table
	version             int  // a writer may lack the right to read it
}

// findTables checks whether the tables exist.
func (s *Engine) findTables(ctx context.Context, session *Session) (foundSchema, error) {
	rows, err := session.Query(ctx, s.queries.Check, nil)
	found, err := collect(rows, err, func(rows Rows) (f foundSchema, err error) {
		var exists, plain, versioned, readable flag
		err = rows.Scan(&exists, &plain, &versioned, &readable)
		return foundSchema{bool(exists), bool(plain), bool(versioned), bool(readable), 0}, err
	})
	if err != nil {
		return foundSchema{}, err
	}
	if len(found) != 1 {
		return foundSchema{}, ours(fmt.Errorf("the schema check answered with %d rows", len(found)))
	}
	return found[0], nil
}

// findSchema also reads their version.
func (s *Engine) findSchema(ctx context.Context, session *Session) (foundSchema, error) {
	f, err := s.findTables(ctx, session)
	if err != nil || !f.readable {
		return f, err
	}
	rows, err := session.Query(ctx, s.queries.Version, nil)
	versions, err := collect(rows, err, scanValue[int])
	if err == nil && len(versions) == 1 {
		f.version = versions[0]
	}
	return f, err
}
