package dburl

import (
	"cmp"
	"context"
	"database/sql"
	sqldriver "database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// Kind is what an error of a database is about.
type Kind int

// The kinds. The zero value is any other.
const (
	Other   Kind = iota
	Usage        // the URL, a name or an option is wrong
	Down         // the database does not answer, or does not exist
	Refused      // the login, or a right, is refused
	Schema       // the tables are missing or of another version
)

// Problem is an error with a kind and a piece of advice. Its text is one line.
type Problem struct {
	Kind   Kind
	Err    error
	Advice string
}

// Error implements error.
func (p *Problem) Error() string {
	text := oneLine(p.Err.Error())
	if p.Advice != "" && !strings.Contains(text, p.Advice) {
		text += ": " + p.Advice
	}
	return text
}

// oneLine joins the lines of a text and leaves out what it says twice, as
// drivers do that try several addresses.
func oneLine(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.Join(strings.Fields(line), " "); line != "" && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, " ")
}

// Unwrap gives the error of the database.
func (p *Problem) Unwrap() error { return p.Err }

// advice for problems whose errors do not say themselves what to do.
var advice = map[Kind]string{
	Down:    "check that the database is running and that host, port and name in the URL are correct",
	Refused: "check user and password in the URL, and grant that user the privileges listed in docs/schema.md",
	Schema:  "run `outbox migrate up`",
}

func usage(format string, args ...any) error {
	return &Problem{Kind: Usage, Err: fmt.Errorf(format, args...)}
}

// Problem makes an error of the store tell what to do; nil stays nil.
func (h *Handle) Problem(doing string, err error) error { return h.driver.problem(doing, err) }

func (d Driver) problem(doing string, err error) error {
	var known *Problem
	if err == nil || errors.As(err, &known) {
		return err
	}
	kind, say := d.kind(err)
	p := &Problem{Kind: kind, Err: err, Advice: cmp.Or(say, advice[kind])}
	if doing != "" {
		p.Err = fmt.Errorf("%s: %w", doing, err)
	}
	if errors.Is(err, outbox.ErrSchema) { // says it itself
		p.Advice = ""
	}
	return p
}

// kind asks the driver first, which knows why the database did not answer.
func (d Driver) kind(err error) (Kind, string) {
	if errors.Is(err, context.Canceled) {
		return Other, ""
	}
	if k, say := d.Kind(err); k != Other {
		return k, say
	}
	switch {
	case errors.Is(err, driver.ErrName):
		return Usage, ""
	case errors.Is(err, outbox.ErrSchema):
		return Schema, ""
	case errors.Is(err, outbox.ErrStoreDown), errors.Is(err, outbox.ErrCommitUnknown), lost(err):
		return Down, ""
	}
	return Other, ""
}

// lost reports whether a connection broke, as the drivers' own statements tell
// it without the store.
func lost(err error) bool {
	for _, broken := range []error{io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, sqldriver.ErrBadConn, sql.ErrConnDone} {
		if errors.Is(err, broken) {
			return true
		}
	}
	return errors.As(err, new(*net.OpError)) || errors.As(err, new(*net.DNSError))
}

// NotOurs is that of an event table that another program made, and that nobody
// has asked to upgrade.
func NotOurs(table *sqlstore.Adoption) *Problem {
	return &Problem{
		Kind:   Schema,
		Err:    fmt.Errorf("%w: the table %s was made by another program; nothing was changed", outbox.ErrSchema, table.Table),
		Advice: "run `outbox migrate up` to see what upgrading it means, and `outbox migrate up --adopt` to do it",
	}
}
