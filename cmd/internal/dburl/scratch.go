package dburl

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"

	"github.com/sendoff-go/outbox/store/sqlstore"
)

// Scratch names tables that nobody else has, for programs that must not touch
// what is in the database.
type Scratch struct {
	// Tables are the outbox's.
	Tables sqlstore.Tables

	prefix string
}

// NewScratch makes up names that begin with prefix, in a schema or, with "", in
// the default one.
func NewScratch(prefix, schema string) Scratch {
	s := Scratch{prefix: prefix + "_" + strings.ToLower(rand.Text()[:6]) + "_"}
	s.Tables = sqlstore.Tables{
		Schema: schema, Event: s.Name("event"), DeadLetter: s.Name("dlq_event"), DeadGroup: s.Name("dlq_group"),
		Control: s.Name("control"), Instance: s.Name("instance"), Consumed: s.Name("consumed_event"), Audit: s.Name("audit"), Alert: s.Name("alert"), Job: s.Name("job"), Destination: s.Name("destination"), Version: s.Name("schema"),
	}
	return s
}

// Name is that of one more table.
func (s Scratch) Name(table string) string { return s.prefix + table }

// Table is the name of a table as SQL has it, quoted as the stores quote it: a
// name that is not quoted loses its case on PostgreSQL. A schema before a dot
// counts in place of that of the outbox.
func (h *Handle) Table(name string) string {
	dialect, schema := h.driver.Dialect(), h.tables.Schema
	if own, table, found := strings.Cut(name, "."); found {
		schema, name = own, table
	}
	if schema == "" {
		schema = dialect.DefaultSchema
	}
	if schema == "" {
		return dialect.Quote(name)
	}
	return dialect.Quote(schema) + "." + dialect.Quote(name)
}

// DropOutbox drops the tables of the outbox with all they hold. They must be
// named in the options that the handle was opened with.
func (h *Handle) DropOutbox(ctx context.Context) error {
	t := h.tables
	var errs []error
	for _, name := range []string{t.Event, t.DeadLetter, t.DeadGroup, t.Control, t.Instance, t.Consumed, t.Audit, t.Alert, t.Job, t.Destination, t.Version} {
		if name == "" {
			return errors.New("dburl: DropOutbox needs tables with names of their own")
		}
		if err := h.Exec(ctx, "DROP TABLE IF EXISTS "+h.Table(name)); err != nil {
			errs = append(errs, h.Problem(fmt.Sprintf("drop table %s (please drop it by hand)", name), err))
		}
	}
	return errors.Join(errs...)
}
