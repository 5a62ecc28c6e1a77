package doctor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sendoff-go/outbox/cmd/internal/dburl"
)

// Roles are the parts of an outbox that have privileges of their own.
var Roles = []string{"writer", "relay", "consumer", "reader", "operator"}

// What a daemon may do beside a role. Each needs further privileges.
const (
	Alerts   = "alerts"   // watches the outbox
	Jobs     = "jobs"     // runs the jobs of operators, and deletes old ones
	Resolved = "resolved" // deletes resolved dead letters
	Audit    = "audit"    // deletes old entries of the audit log
	Forget   = "forget"   // deletes old ids of consumed events
)

// Tasks are all of them, and what they are called.
var Tasks = map[string]string{
	Alerts: "outbox.alerts", Jobs: "the jobs of the REST API", Resolved: "outbox.publisher.dlq.resolved-ttl", Audit: "outbox.admin.audit-ttl", Forget: "outbox.consumer.clean-up",
}

// privileges asks for the plan of statements that need them: a database refuses
// even that to whoever may not execute it.
func (d *Database) privileges(ctx context.Context) (Answer, error) {
	var lacking, parts []string
	tried := map[string]bool{}
	for _, part := range d.parts {
		text, err := d.text("rights_" + part)
		if err != nil || text == "" {
			return d.none("privileges"), err
		}
		called := part
		if task := Tasks[part]; task != "" {
			called = task
		}
		parts = append(parts, called)
		for statement := range strings.SplitSeq(text, ";") {
			what, query := split(statement)
			if query == "" || tried[query] {
				continue
			}
			tried[query] = true
			refused, err := d.refuses(ctx, query)
			if err != nil {
				return Answer{}, fmt.Errorf("%s: %w", what, err)
			}
			if refused && len(d.parts) > 1 {
				what += " for " + called
			}
			if refused {
				lacking = append(lacking, what)
			}
		}
	}
	n := counting(len(tried), "statement", "statements")
	switch one := len(d.parts) == 1 && slices.Contains(Roles, d.parts[0]); {
	case len(lacking) > 0 && one:
		return Fail(fmt.Sprintf("GRANT it: docs/schema.md#rights lists what the role %s needs; if this user has another role, name it with --role", d.parts[0]),
			"the user lacks %s", some(lacking)), nil
	case len(lacking) > 0:
		return Fail("GRANT it: docs/schema.md#rights lists what each part of a daemon needs; or turn off what is not needed in the configuration",
			"the user lacks %s", some(lacking)), nil
	case one:
		return Okay("the user may do all that the role %s needs (%s tried)", d.parts[0], n), nil
	}
	return Okay("the user may do all that the daemon needs: %s (%s tried)", strings.Join(parts, ", "), n), nil
}

// split tells a statement from the comment that says what it needs.
func split(statement string) (what, query string) {
	what = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(comment.FindString(statement)), "--"))
	return what, strings.TrimSpace(comment.ReplaceAllString(statement, ""))
}

// refuses reports whether the user lacks the privilege for a statement.
func (d *Database) refuses(ctx context.Context, query string) (bool, error) {
	_, err := d.db.Rows(ctx, query)
	var p *dburl.Problem
	if err = d.db.Problem("", err); errors.As(err, &p) && p.Kind == dburl.Refused {
		return true, nil
	}
	return false, err
}
