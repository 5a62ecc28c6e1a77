package dburl

import (
	sqldriver "database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

var allDrivers = []Driver{PGX(), PostgresSQL(), MySQL(), SQLite()}

// open opens a database for the time of a test.
func open(t *testing.T, address string, o Options) *Handle {
	t.Helper()
	h, err := Open(t.Context(), allDrivers, address, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

func TestAWrongURLSaysWhatWouldBeRight(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	if err := os.WriteFile(text, []byte(strings.Repeat("not a database ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, address string
		options       Options
		kind          Kind
		want          string
	}{
		{name: "no URL at all", address: "shop.db", kind: Usage, want: "sqlite://shop.db"},
		{name: "unknown scheme", address: "oracle://x", kind: Usage, want: `unknown database scheme "oracle"`},
		{name: "unknown driver", address: "postgres://x/y", options: Options{Driver: "odbc"}, kind: Usage, want: "pgx or sql"},
		{name: "bad escape", address: "postgres://me:secret%zz@localhost/x", kind: Usage, want: "%40 for @"},
		{name: "bad port", address: "postgres://me:secret@localhost:port/x", kind: Usage, want: "check host and port"},
		{name: "a slash in the password", address: "postgres://me:secret/word@localhost/x", kind: Usage, want: "%2F for /"},
		{name: "bad parameter", address: "postgres://me:secret@localhost/x?sslmode=perhaps", kind: Usage, want: "sslmode"},
		{name: "nobody listens", address: "postgres://me:secret@127.0.0.1:1/x?connect_timeout=5", kind: Down, want: "check that the database is running"},
		{name: "nobody listens, database/sql", address: "postgres://me:secret@127.0.0.1:1/x", options: Options{Driver: "sql"}, kind: Down, want: "check that the database is running"},
		{name: "nobody listens, MySQL", address: "mysql://me:secret@127.0.0.1:1/x", kind: Down, want: "check that the database is running"},
		{name: "no host of that name", address: "mysql://me:secret@none.invalid/x", kind: Down, want: "none.invalid"},
		{name: "no database named", address: "mysql://me:secret@localhost", kind: Usage, want: "names no database"},
		{name: "bad parameter of MySQL", address: "mysql://me:secret@localhost/x?tls=perhaps", kind: Usage, want: "perhaps"},
		{name: "no file named", address: "sqlite://", kind: Usage, want: "sqlite://shop.db"},
		{name: "in memory", address: "sqlite://:memory:", kind: Usage, want: "name a file"},
		{name: "bad path escape", address: "sqlite://100%.db", kind: Usage, want: "write % as %25"},
		{name: "missing file", address: "sqlite://" + dir + "/none.db", kind: Down, want: "migrate up"},
		{name: "missing folder", address: "sqlite://" + dir + "/none/shop.db", options: Options{Create: true}, kind: Down, want: "there is no folder"},
		{name: "a folder", address: "sqlite://" + dir, kind: Usage, want: "name a file in it"},
		{name: "another kind of file", address: "sqlite://" + text, kind: Usage, want: "not a database"},
		{name: "a name with SQL in it", address: "sqlite://" + dir + "/shop.db", options: Options{Create: true, Tables: sqlstore.Tables{Event: "e; DROP TABLE x"}}, kind: Usage, want: "letters, digits and underscores"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, err := Open(t.Context(), allDrivers, c.address, c.options)
			if err == nil {
				_ = h.Close() // the test has failed already
				t.Fatal("opened")
			}
			var p *Problem
			if !errors.As(err, &p) || p.Kind != c.kind {
				t.Errorf("kind of %v is not %v", err, c.kind)
			}
			if text := err.Error(); !strings.Contains(text, c.want) || strings.Contains(text, "\n") || strings.Contains(text, "secret") {
				t.Errorf("got %q, want one line with %q and no password", text, c.want)
			}
			if err := Check(allDrivers, c.address, c.options.Driver); err != nil && c.kind != Usage {
				t.Errorf("without asking the database: %v", err)
			}
		})
	}
}

func TestAURLIsCheckedWithoutTheDatabase(t *testing.T) {
	for _, address := range []string{"shop.db", "oracle://x", "postgres://me:secret@localhost:port/x", "mysql://me:secret@localhost", "mysql://me:secret@localhost/x?tls=perhaps", "sqlite://"} {
		var p *Problem
		if err := Check(allDrivers, address, ""); !errors.As(err, &p) || p.Kind != Usage || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s gives %v", address, err)
		}
	}
	for _, address := range []string{"postgres://me@127.0.0.1:1/x", "mysql://none.invalid/x", "sqlite:///no/such/file.db"} {
		if err := Check(allDrivers, address, ""); err != nil {
			t.Errorf("%s gives %v", address, err)
		}
	}
}

func TestPathsOfSQLite(t *testing.T) {
	for address, want := range map[string]string{
		"sqlite://shop.db":               "shop.db",
		"sqlite://data/shop.db":          "data/shop.db",
		"sqlite://./shop.db?mode=ro":     "shop.db",
		"sqlite://../shop.db":            "../shop.db",
		"sqlite:///var/lib/shop.db":      "/var/lib/shop.db",
		"sqlite:////var/lib/shop.db":     "/var/lib/shop.db",
		"sqlite://my%20shop%3F.db?x=%3F": "my shop?.db",
		"sqlite://my shop.db":            "my shop.db",
	} {
		if got, _, err := sqlitePath(address); got != want || err != nil {
			t.Errorf("%s is %q, %v; want %q", address, got, err, want)
		}
	}
}

func TestAFileWithAStrangeNameIsThatFile(t *testing.T) {
	dir := t.TempDir()
	h := open(t, "sqlite://"+filepath.ToSlash(dir)+"/my%20shop%3F%25.db", Options{Create: true})
	if err := h.Schema.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "my shop?%.db")); err != nil {
		t.Error(err)
	}
}

func TestAProblemKeepsTheErrorAndSaysItOnce(t *testing.T) {
	d := SQLite()
	err := d.problem("look", outbox.ErrStoreDown)
	if !errors.Is(err, outbox.ErrStoreDown) {
		t.Error("the error is lost")
	}
	if again := d.problem("look again", err); again.Error() != err.Error() {
		t.Errorf("a problem became another one: %v", again)
	}
	if d.problem("look", nil) != nil {
		t.Error("nothing wrong is no problem")
	}
	if got := oneLine("a\n\ta\n b  c\n"); got != "a b c" {
		t.Errorf("got %q", got)
	}
}

func TestABrokenConnectionIsAnOutage(t *testing.T) {
	for _, d := range allDrivers {
		for _, err := range []error{
			fmt.Errorf("read: %w", io.ErrUnexpectedEOF), fmt.Errorf("exec: %w", sqldriver.ErrBadConn),
			&net.OpError{Op: "read", Err: syscall.ECONNRESET}, fmt.Errorf("%w: gone", outbox.ErrCommitUnknown),
		} {
			var p *Problem
			if got := d.problem("", err); !errors.As(got, &p) || p.Kind != Down {
				t.Errorf("%s: %v is not an outage", d.Example, err)
			}
		}
		if got := d.problem("", errors.New("syntax error")); known(got) {
			t.Errorf("%v is taken for an outage", got)
		}
	}
}

func known(err error) bool {
	var p *Problem
	return errors.As(err, &p) && p.Kind != Other
}
