package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/sendoff-go/outbox/cmd/internal/dburl"
)

// Roles are the parts of an outbox that have privileges of their own.
var Roles = []string{"writer", "relay", "consumer", "reader", "operator"}

// privileges asks for the plan of statements that need them: a database refuses
// even that to whoever may not execute it.
func (d *Database) privileges(ctx context.Context) (Answer, error) {
	text, err := d.text("rights_" + d.role)
	if err != nil || text == "" {
		return d.none("privileges"), err
	}
	var lacking []string
	n := 0
	for statement := range strings.SplitSeq(text, ";") {
		what := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(comment.FindString(statement)), "--"))
		query := strings.TrimSpace(comment.ReplaceAllString(statement, ""))
		if query == "" {
			continue
		}
		n++
		_, err := d.db.Rows(ctx, query)
		var p *dburl.Problem
		if err = d.db.Problem("", err); errors.As(err, &p) && p.Kind == dburl.Refused {
			lacking = append(lacking, what)
		} else if err != nil {
			return Answer{}, fmt.Errorf("%s: %w", what, err)
		}
	}
	if len(lacking) > 0 {
		return Fail(fmt.Sprintf("GRANT it: docs/schema.md#rights lists what the role %s needs; if this user has another role, name it with --role", d.role),
			"the user lacks %s", some(lacking)), nil
	}
	return Okay("the user may do all that the role %s needs (%s tried)", d.role, counting(n, "statement", "statements")), nil
}
