package dburl

import (
	"errors"
	"strings"
	"testing"
)

// Whatever is given as a URL is read or refused in one line, and the refusal
// does not repeat the password.
func FuzzURL(f *testing.F) {
	for _, host := range []string{"localhost:5432/shop", "[::1]/x?sslmode=disable", "h:port/x", "%zz", "/", "?", ":memory:", "a b/../c?mode=ro"} {
		f.Add(host)
	}
	const password = "s3cr3t-passw0rd"
	f.Fuzz(func(t *testing.T, rest string) {
		if strings.Contains(rest, password) {
			t.Skip("says it itself")
		}
		_, _, sqliteErr := sqlitePath("sqlite://" + rest)
		_, mysqlErr := mysqlConfig("mysql://me:" + password + "@" + rest)
		_, postgresErr := postgresConfig("postgres://me:"+password+"@"+rest, 1)
		for _, err := range []error{sqliteErr, mysqlErr, postgresErr} {
			if err == nil {
				continue
			}
			var p *Problem
			if !errors.As(err, &p) || p.Kind != Usage || strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), password) {
				t.Errorf("%q: %v", rest, err)
			}
		}
	})
}
