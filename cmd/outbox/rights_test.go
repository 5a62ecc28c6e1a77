package main

import (
	"context"
	"crypto/rand"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/internal/testenv"
)

var sqlComment = regexp.MustCompile(`(?m)--.*$`)

// grantsOf reads the GRANT statements of a role in docs/schema.md.
func grantsOf(t *testing.T, server, role string) (grants []string) {
	t.Helper()
	text, err := os.ReadFile("../../docs/schema.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rights, _ := strings.Cut(string(text), "\n## Rights\n")
	rights, _, _ = strings.Cut(rights, "\n## ")
	blocks := strings.Split(rights, "```")
	if len(blocks) != 5 {
		t.Fatalf("docs/schema.md#rights has %d blocks, not one for PostgreSQL and one for MySQL", len(blocks)/2)
	}
	block := blocks[1]
	if server != testenv.Postgres15 {
		block = blocks[3]
	}
	for grant := range strings.SplitSeq(sqlComment.ReplaceAllString(strings.TrimPrefix(block, "sql"), ""), ";") {
		if before, found := strings.CutSuffix(strings.TrimSpace(grant), " TO "+role); found {
			grants = append(grants, before)
		}
	}
	if len(grants) == 0 {
		t.Fatalf("docs/schema.md#rights has no GRANT for %s", role)
	}
	return grants
}

// userWith makes a user of a migrated database, and returns its URL.
func userWith(t *testing.T, server, at string, grants ...string) string {
	t.Helper()
	u, err := url.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	db, err := (&databaseFlags{url: at}).open(t.Context(), dburl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	name := "u_" + strings.ToLower(rand.Text()[:10])
	create, drop := "CREATE ROLE "+name+" LOGIN PASSWORD 'x'", []string{"DROP OWNED BY " + name, "DROP ROLE " + name}
	if server != testenv.Postgres15 {
		create, drop = "CREATE USER "+name+" IDENTIFIED BY 'x'", []string{"DROP USER " + name}
	}
	exec := func(statement string) {
		t.Helper()
		if err := db.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	exec(create)
	t.Cleanup(func() {
		for _, statement := range drop {
			if err := db.Exec(context.WithoutCancel(t.Context()), statement); err != nil {
				t.Errorf("%s: %v", statement, err)
			}
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, grant := range grants {
		exec(strings.ReplaceAll(grant, " shop.", " "+strings.TrimPrefix(u.Path, "/")+".") + " TO " + name)
	}
	u.User = url.UserPassword(name, "x")
	return u.String()
}

// withTables is the URL of a database that has the tables.
func withTables(t *testing.T, server string) string {
	t.Helper()
	at := testenv.Database(t, server)
	if code, _, errs := call(t.Context(), "migrate", "up", "--database", at); code != exitOK {
		t.Fatal(errs)
	}
	return at
}

// Lines of doctor.
var (
	privileged   = regexp.MustCompile(`(?m)^ok +privileges `)
	unprivileged = regexp.MustCompile(`(?m)^failure +privileges +the user lacks `)
	unseen       = regexp.MustCompile(`(?m)^skipped +schema +.*denied`)
)

var withRights = []string{testenv.Postgres15, testenv.MySQL80, testenv.MariaDB}

func TestDoctorIsContentWithTheDocumentedRights(t *testing.T) {
	for _, server := range withRights {
		t.Run(server, func(t *testing.T) {
			at := withTables(t, server)
			for _, role := range []string{"writer", "relay", "consumer", "reader", "operator"} {
				user := userWith(t, server, at, grantsOf(t, server, role)...)
				code, out, errs := call(t.Context(), "doctor", "--timeout", patience.String(), "--role", role, "--database", user)
				if strings.Contains(out, "failure ") || !privileged.MatchString(out) {
					t.Errorf("%s: exit code %d\n%s%s", role, code, out, errs)
				}
			}
		})
	}
}

func TestTablesThatCannotBeReadAreNotCalledMissing(t *testing.T) {
	for _, server := range withRights {
		t.Run(server, func(t *testing.T) {
			at := withTables(t, server)
			least := []string{}
			if server != testenv.Postgres15 { // MySQL lets only users with some right into the database
				least = append(least, "GRANT INSERT ON shop.outbox_consumed_event")
			}
			for who, user := range map[string]string{
				"writer":   userWith(t, server, at, grantsOf(t, server, "writer")...),
				"stranger": userWith(t, server, at, least...),
			} {
				for _, args := range [][]string{{"migrate", "status"}, {"migrate", "status", "--check"}, {"migrate", "status", "-o", "json"}} {
					code, out, errs := call(t.Context(), append(args, "--database", user)...)
					if code != exitRefused || out != "" || !strings.Contains(errs, "denied") {
						t.Errorf("%v as %s: exit code %d\n%s%s", args, who, code, out, errs)
					}
				}
				code, out, errs := call(t.Context(), "doctor", "--timeout", patience.String(), "--role", "relay", "--database", user)
				if code != exitFound || strings.Contains(out, "migrate up") || !unseen.MatchString(out) || !unprivileged.MatchString(out) {
					t.Errorf("doctor as %s: exit code %d\n%s%s", who, code, out, errs)
				}
			}
		})
	}
}
