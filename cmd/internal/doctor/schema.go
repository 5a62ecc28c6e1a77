package doctor

import (
	"context"
	"regexp"
	"strconv"
	"strings"

	"github.com/sendoff-go/outbox/cmd/internal/dburl"
)

var number = regexp.MustCompile(`\d+(\.\d+)*`)

// version compares the server with the oldest that can work.
func (d *Database) version(ctx context.Context) (Answer, error) {
	name := d.db.Name(ctx)
	product, version, _ := strings.Cut(name, " ")
	oldest := d.dialect.oldest[product]
	if !number.MatchString(version) || oldest == "" {
		return Skip("%s does not report its version", name), nil
	}
	if older(version, oldest) {
		return Fail("upgrade the server: docs/schema.md lists the tested ones", "%s is older than %s, the oldest that can work", name, oldest), nil
	}
	return Okay("%s, driver %s", name, d.db.Driver()), nil
}

// older compares versions part by part.
func older(a, b string) bool {
	as, bs := strings.Split(number.FindString(a), "."), strings.Split(b, ".")
	for i, part := range bs {
		want, _ := strconv.Atoi(part)
		have := 0
		if i < len(as) {
			have, _ = strconv.Atoi(as[i])
		}
		if have != want {
			return have < want
		}
	}
	return false
}

// schema compares the tables with what this program needs.
func (d *Database) schema(ctx context.Context) (Answer, error) {
	all, err := d.db.Schema.MigrationStatus(ctx)
	if err != nil {
		return Answer{}, d.db.Problem("", err)
	}
	applied, missing := 0, 0
	for _, m := range all {
		if m.AppliedAt.IsZero() {
			missing++
		} else {
			applied = max(applied, m.Version)
		}
	}
	switch {
	case applied == 0:
		if foreign, err := d.db.Schema.Adoption(ctx); err == nil && foreign != nil {
			p := dburl.NotOurs(foreign)
			return Fail(p.Advice, "%v", p.Err), nil
		}
		return Fail("run `outbox migrate up`", "the outbox tables do not exist, or have other names"), nil
	case missing > 0:
		return Fail("run `outbox migrate up`", "the tables are at version %d, and %s", applied, counting(missing, "migration is not applied", "migrations are not applied")), nil
	}
	return Okay("the tables are at version %d", applied), nil
}
