package dburl

import (
	"net/url"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/internal/testenv"
)

func TestMySQLURLs(t *testing.T) {
	for address, want := range map[string]string{
		"mysql://shop@db/shop":                               "shop@tcp(db:3306)/shop?interpolateParams=true",
		"mysql://me:p%40%2F%3As@[::1]:3307/shop":             "me:p@/:s@tcp([::1]:3307)/shop?interpolateParams=true",
		"mysql:///shop":                                      "tcp(127.0.0.1:3306)/shop?interpolateParams=true",
		"mariadb://u@h/d?interpolateParams=false&timeout=2s": "u@tcp(h:3306)/d?timeout=2s",
	} {
		c, err := mysqlConfig(address)
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		if got := c.FormatDSN(); got != want {
			t.Errorf("%s is %s, want %s", address, got, want)
		}
	}
}

func TestMySQLProblems(t *testing.T) {
	for _, server := range []string{testenv.MySQL80, testenv.MariaDB} {
		t.Run(server, func(t *testing.T) {
			address := testenv.Database(t, server)
			admin := open(t, address, Options{})
			if err := admin.Exec(t.Context(), `CREATE USER outbox_dburl_test IDENTIFIED BY 'secret'`); err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := admin.Exec(t.Context(), `DROP USER outbox_dburl_test`); err != nil {
					t.Error(err)
				}
			}()
			u, err := url.Parse(address)
			if err != nil {
				t.Fatal(err)
			}
			missing := *u
			missing.Path = "/ob_none"
			_, err = Open(t.Context(), allDrivers, missing.String(), Options{})
			want(t, err, Down, "ob_none", "create it")

			wrong := *u
			wrong.User = url.UserPassword("outbox_dburl_test", "wrong")
			_, err = Open(t.Context(), allDrivers, wrong.String(), Options{})
			want(t, err, Refused, "outbox_dburl_test", "user and password")

			poor := *u
			poor.User = url.UserPassword("outbox_dburl_test", "secret")
			_, err = Open(t.Context(), allDrivers, poor.String(), Options{})
			want(t, err, Refused, "outbox_dburl_test", "docs/schema.md")

			if err := admin.Exec(t.Context(), "GRANT SELECT ON "+strings.TrimPrefix(u.Path, "/")+".* TO outbox_dburl_test"); err != nil {
				t.Fatal(err)
			}
			h := open(t, poor.String(), Options{})
			want(t, h.Problem("migrate", h.Schema.Migrate(t.Context())), Refused, "denied", "docs/schema.md")
		})
	}
}

func TestMariaDBIsCalledByItsName(t *testing.T) {
	for server, prefix := range map[string]string{testenv.MySQL80: "MySQL 8.0.", testenv.MariaDB: "MariaDB 10."} {
		h := open(t, testenv.Database(t, server), Options{})
		if name := h.Name(t.Context()); !strings.HasPrefix(name, prefix) {
			t.Errorf("%s is called %q", server, name)
		}
	}
}

// TiDB answers to the same URLs, and must not get the statements of MySQL.
func TestTiDBIsRecognised(t *testing.T) {
	h := open(t, testenv.Database(t, testenv.TiDB), Options{})
	if got := h.Dialect().Name; got != "TiDB" {
		t.Errorf("the dialect is that of %s", got)
	}
	if name := h.Name(t.Context()); !strings.HasPrefix(name, "TiDB 8.") {
		t.Errorf("it is called %s", name)
	}
	if err := h.Schema.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
}
