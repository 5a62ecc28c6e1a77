package doctor

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"time"

	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

//go:embed sql
var files embed.FS

// Database has the checks of one database.
type Database struct {
	db      *dburl.Handle
	dialect dialect
	limits  Limits
	parts   []string
	now     func() time.Time
}

// Options say what to check a database for. The zero value is the default.
type Options struct {
	Limits Limits
	// Parts are those whose privileges the user should have, as docs/schema.md
	// lists them: one of [Roles], or all that a daemon has, with its [Tasks].
	// Default relay.
	Parts []string
	// Now is this machine's clock. Default time.Now.
	Now func() time.Time
}

// NewDatabase makes the checks of a database. It sends nothing to it.
func NewDatabase(db *dburl.Handle, o Options) *Database {
	if o.Now == nil {
		o.Now = time.Now
	}
	if len(o.Parts) == 0 {
		o.Parts = []string{"relay"}
	}
	return &Database{db: db, dialect: dialects[db.Dialect().Name], limits: o.Limits.withDefaults(), parts: o.Parts, now: o.Now}
}

// Width is how many checks can run at once.
func (d *Database) Width() int { return d.dialect.width }

// Server has the checks that need no tables.
func (d *Database) Server() []Check {
	return []Check{
		{Name: "version", Look: d.version},
		{Name: "schema", Look: d.schema},
	}
}

// Tables has the checks that need the tables.
func (d *Database) Tables() []Check {
	return []Check{
		{Name: "indexes", Look: d.indexes},
		{Name: "claim-plan", Look: d.plan},
		{Name: "privileges", Look: d.privileges},
		{Name: "settings", Look: d.settings},
		{Name: "timeouts", Look: d.timeouts},
		{Name: "clock", Look: d.clock},
		{Name: "relays", Look: d.relays},
		{Name: "lanes", Look: d.lanes},
		{Name: "dead-letters", Look: d.deadLetters},
		{Name: "consumed-ids", Look: d.consumed},
		{Name: "bloat", Look: d.bloat},
		{Name: "long-transactions", Look: d.transactions},
		{Name: "locks", Look: d.locks},
	}
}

// comment is a line that a database need not see.
var comment = regexp.MustCompile(`(?m)^\s*--.*\n?`)

// text is a file with the configured names in it, or "" if the dialect has none.
func (d *Database) text(name string) (string, error) {
	text, err := fs.ReadFile(files, "sql/"+d.dialect.dir+"/"+name+".sql")
	if err != nil && d.dialect.like != "" {
		text, err = fs.ReadFile(files, "sql/"+d.dialect.like+"/"+name+".sql")
	}
	if err != nil || len(bytes.TrimSpace(text)) == 0 {
		return "", nil //nolint:nilerr // there is no such question
	}
	return sqlstore.Rename(d.db.Dialect(), d.db.Tables(), string(text))
}

// ask sends the question of a file. asked is false if the dialect has none.
func (d *Database) ask(ctx context.Context, name string) (rows []dburl.Row, asked bool, err error) {
	text, err := d.text(name)
	if text == "" || err != nil {
		return nil, false, err
	}
	rows, err = d.db.Rows(ctx, strings.TrimSpace(comment.ReplaceAllString(text, "")))
	return rows, true, d.db.Problem("", err)
}

// none is the answer where the dialect has no such question.
func (d *Database) none(what string) Answer {
	return Skip("%s has no %s", d.db.Dialect().Name, what)
}

// some is the first few of many.
func some(all []string) string {
	const few = 3
	if len(all) <= few {
		return strings.Join(all, "; ")
	}
	return fmt.Sprintf("%s; and %d more", strings.Join(all[:few], "; "), len(all)-few)
}

// counting is a number of things in words.
func counting(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
