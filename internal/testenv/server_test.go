package testenv

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// verdict is a test that notes how it was ended instead of ending so.
type verdict struct {
	testing.TB
	how string
}

func (v *verdict) Helper() {}

func (v *verdict) Skipf(format string, args ...any) {
	v.how = "skip: " + fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func (v *verdict) Fatalf(format string, args ...any) {
	v.how = "fail: " + fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// judge runs f as a test and returns how it ended: empty if it did not skip or fail.
func judge(t *testing.T, f func(testing.TB)) string {
	v := &verdict{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		f(v)
	}()
	<-done
	return v.how
}

func TestURLIsTheOneInTheEnvironment(t *testing.T) {
	t.Setenv("OUTBOX_TEST_POSTGRES15", "postgres://there")
	if got := URL(t, Postgres15); got != "postgres://there" {
		t.Errorf("got %q", got)
	}
}

func TestAMissingServer(t *testing.T) {
	for _, c := range []struct {
		name, require, leftOut, want string
	}{
		{"is a reason to skip", "", "", "skip: mysql9 is not running"},
		{"is a failure where all servers are required", "1", "", "fail: mysql9 is not running"},
		{"is a failure though another one was left out", "1", "mysql95 kafka", "fail: mysql9 is not running"},
		{"is skipped where it was left out", "1", "kafka mysql9", "skip: left out: mysql9 could"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("OUTBOX_TEST_MYSQL9", "")
			t.Setenv("OUTBOX_TEST_REQUIRE", c.require)
			t.Setenv("OUTBOX_TEST_LEFT_OUT", c.leftOut)
			got := judge(t, func(t testing.TB) { URL(t, MySQL9) })
			if !strings.HasPrefix(got, c.want) {
				t.Errorf("got %q, want %q...", got, c.want)
			}
		})
	}
}

func TestTheReasonSaysHowToGetTheServer(t *testing.T) {
	t.Setenv("OUTBOX_TEST_MARIADB", "")
	t.Setenv("OUTBOX_TEST_LEFT_OUT", "")
	got := judge(t, func(t testing.TB) { Database(t, MariaDB) })
	for _, want := range []string{"make test", "scripts/with-servers mariadb", "OUTBOX_TEST_MARIADB"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q lacks %q", got, want)
		}
	}
}

func TestAServerOfTheUsersOwnIsNotControlled(t *testing.T) {
	t.Setenv("OUTBOX_TEST_MARIADB", "mysql://there/")
	t.Setenv("OUTBOX_TEST_MARIADB_CTL", "")
	t.Setenv("OUTBOX_TEST_REQUIRE", "1")
	got := judge(t, func(t testing.TB) { Control(t, MariaDB) })
	if want := "fail: mariadb was not started by scripts/with-servers"; !strings.HasPrefix(got, want) {
		t.Errorf("got %q, want %q...", got, want)
	}
}
