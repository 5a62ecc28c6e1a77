package admin_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/memstore"
)

// routes are all operations: who may call them, and a body that they take.
var routes = []struct {
	method, path, body string
	role               admin.Role
}{
	{"GET", "/api/outbox-dlq/events", "", admin.Viewer},
	{"GET", "/api/outbox-dlq/events/x", "", admin.Viewer},
	{"PATCH", "/api/outbox-dlq/events/x", `{"status":"RESOLVED"}`, admin.Operator},
	{"PATCH", "/api/outbox-dlq/events", `{"ids":["x"],"status":"RESOLVED"}`, admin.Operator},
	{"DELETE", "/api/outbox-dlq/events/x", "", admin.Admin},
	{"DELETE", "/api/outbox-dlq/events", `{"ids":["x"]}`, admin.Admin},
	{"GET", "/api/v1/dead-letters", "", admin.Viewer},
	{"GET", "/api/v1/dead-letters/x", "", admin.Viewer},
	{"POST", "/api/v1/dead-letters/retry", `{"ids":["x"]}`, admin.Operator},
	{"POST", "/api/v1/dead-letters/note", `{"ids":["x"],"note":"y"}`, admin.Operator},
	{"POST", "/api/v1/dead-letters/resolve", `{"ids":["x"]}`, admin.Operator},
	{"POST", "/api/v1/dead-letters/delete", `{"ids":["x"]}`, admin.Admin},
	{"POST", "/api/v1/dead-letters/x/edit", `{"payload":"1"}`, admin.Admin},
	{"GET", "/api/v1/dead-letter-groups", "", admin.Viewer},
	{"GET", "/api/v1/dead-letter-groups/x", "", admin.Viewer},
	{"PUT", "/api/v1/dead-letter-groups/x/state", `{"state":"new"}`, admin.Operator},
	{"GET", "/api/v1/events", "", admin.Viewer},
	{"GET", "/api/v1/events/x", "", admin.Viewer},
	{"GET", "/api/v1/status", "", admin.Viewer},
	{"GET", "/api/v1/lanes", "", admin.Viewer},
	{"GET", "/api/v1/instances", "", admin.Viewer},
	{"GET", "/api/v1/destinations", "", admin.Viewer},
	{"POST", "/api/v1/pause", `{"types":["x"],"destinations":["y"]}`, admin.Operator},
	{"POST", "/api/v1/resume", `{"types":["x"],"destinations":["y"]}`, admin.Operator},
	{"GET", "/api/v1/audit", "", admin.Viewer},
	{"GET", "/api/v1/alerts", "", admin.Viewer},
	{"PUT", "/api/v1/alerts/x/mute", `{}`, admin.Operator},
	{"GET", "/api/v1/consumer-groups", "", admin.Viewer},
	{"GET", "/api/v1/jobs", "", admin.Viewer},
	{"GET", "/api/v1/jobs/x", "", admin.Viewer},
	{"POST", "/api/v1/jobs/retry", `{"all":true}`, admin.Operator},
	{"POST", "/api/v1/jobs/resolve", `{"all":true}`, admin.Operator},
	{"POST", "/api/v1/jobs/note", `{"all":true}`, admin.Operator},
	{"POST", "/api/v1/jobs/delete", `{"all":true}`, admin.Admin},
	{"POST", "/api/v1/jobs/replay", `{"all":true}`, admin.Operator},
	{"POST", "/api/v1/jobs/erase", `{"filter":{"tenant":"x"}}`, admin.Admin},
	{"POST", "/api/v1/jobs/x/cancel", `{}`, admin.Operator},
	{"POST", "/api/v1/jobs/x/consent", `{}`, admin.Operator},
	{"GET", "/api/v1/audit.csv", "", admin.Viewer},
}

// problem fails the test unless an answer is a problem with that status.
func problem(t *testing.T, what string, a answer, status int) {
	t.Helper()
	if a.status != status || a.header.Get("Content-Type") != "application/problem+json" || !strings.Contains(a.text, `"detail":`) {
		t.Errorf("%s: %d %s %s, want a problem with status %d", what, a.status, a.header.Get("Content-Type"), a.text, status)
	}
}

func TestEveryRouteHasARole(t *testing.T) {
	r := newRig(t)
	for _, route := range routes {
		for i, role := range admin.Roles() {
			what := string(role) + ": " + route.method + " " + route.path
			a := r.send(role, route.method, route.path, route.body)
			mayNot := false
			for _, higher := range admin.Roles()[i+1:] {
				mayNot = mayNot || higher == route.role
			}
			if mayNot {
				problem(t, what, a, http.StatusForbidden)
			} else if a.status >= 500 || a.status == http.StatusForbidden || a.status == http.StatusUnauthorized || a.status == http.StatusMethodNotAllowed {
				t.Errorf("%s: %d %s", what, a.status, a.text)
			}
		}
	}
}

func TestAnswersAreNotKeptOrTakenForPages(t *testing.T) {
	r := newRig(t)
	for _, path := range []string{"/api/v1/status", "/nowhere", "/api/v1/dead-letters/x"} {
		h := r.send(admin.Viewer, "GET", path, "").header
		if h.Get("Cache-Control") != "no-store" || h.Get("X-Content-Type-Options") != "nosniff" || !strings.Contains(h.Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s: %v", path, h)
		}
	}
}

func TestWhatIsNotThereIsAProblem(t *testing.T) {
	r := newRig(t)
	problem(t, "path", r.send(admin.Viewer, "GET", "/nowhere", ""), http.StatusNotFound)
	a := r.send(admin.Viewer, "PUT", "/api/v1/status", "")
	problem(t, "method", a, http.StatusMethodNotAllowed)
	if a.header.Get("Allow") == "" {
		t.Error("no header Allow")
	}
}

func TestOnePersonCannotSendTooMuch(t *testing.T) {
	r := newRig(t, func(c *admin.Config) { c.Rate = 3 })
	limited := func(role admin.Role) (n int) {
		for range 20 {
			if a := r.send(role, "GET", "/api/v1/status", ""); a.status == http.StatusTooManyRequests {
				n++
			}
		}
		return n
	}
	for _, role := range []admin.Role{admin.Viewer, admin.Admin, "wrong"} {
		if n := limited(role); n == 0 {
			t.Errorf("%s: 20 requests at once, and none too many", role)
		}
	}
}

// broken is a store that fails in a way of its own.
type broken struct {
	*memstore.Store
	fail func() error
}

func (b broken) Stats(context.Context) (driver.Stats, error) { return driver.Stats{}, b.fail() }

func TestAnAnswerSaysNothingOfWhatIsInside(t *testing.T) {
	for name, fail := range map[string]func() error{
		"error": func() error { return errors.New("password 4711 of 10.0.0.7") },
		"panic": func() error { panic("password 4711 of 10.0.0.7") },
	} {
		r := newRig(t, func(c *admin.Config) { c.Store = broken{c.Store.(*memstore.Store), fail} })
		a := r.send(admin.Admin, "GET", "/api/v1/status", "")
		problem(t, name, a, http.StatusInternalServerError)
		if strings.Contains(a.text, "4711") || !strings.Contains(r.log.String(), "4711") {
			t.Errorf("%s: answered %s, logged %s", name, a.text, r.log)
		}
	}
}

func TestUsersSendTheirPassword(t *testing.T) {
	users, err := admin.Users(admin.User{Name: "vera", Role: admin.Viewer, SHA256: admin.Sum("one")}, admin.User{Name: "anna", Role: admin.Admin, SHA256: admin.Sum("two")})
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, func(c *admin.Config) { c.Auth = admin.FirstOf(c.Auth, users) })
	for _, c := range []struct {
		user, password string
		status         int
	}{{"vera", "one", 200}, {"anna", "two", 200}, {"vera", "two", 401}, {"anna", "", 401}, {"", "", 401}, {"nobody", "one", 401}} {
		a := r.send("", "GET", "/api/v1/status", "", func(req *http.Request) { req.SetBasicAuth(c.user, c.password) })
		if a.status != c.status {
			t.Errorf("%s, %s: %d, want %d", c.user, c.password, a.status, c.status)
		}
	}
	r.want(200, r.send(admin.Viewer, "GET", "/api/v1/status", ""), nil)
}

func TestAnAuthThatFailsOrNamesNobodyLetsNobodyIn(t *testing.T) {
	for name, c := range map[string]struct {
		auth   admin.Auth
		status int
	}{
		"failure": {func(*http.Request) (admin.Person, error) { return admin.Person{}, errors.New("no answer of 10.0.0.7") }, http.StatusServiceUnavailable},
		"nobody":  {func(*http.Request) (admin.Person, error) { return admin.Person{Role: admin.Admin}, nil }, http.StatusForbidden},
		"no role": {func(*http.Request) (admin.Person, error) { return admin.Person{Name: "x", Role: "root"}, nil }, http.StatusForbidden},
	} {
		r := newRig(t, func(cfg *admin.Config) { cfg.Auth = c.auth })
		a := r.send("", "GET", "/api/v1/status", "")
		problem(t, name, a, c.status)
		if strings.Contains(a.text, "10.0.0.7") {
			t.Errorf("%s: %s", name, a.text)
		}
	}
}

func TestAConfigurationThatCannotWorkSaysWhatToDo(t *testing.T) {
	for want, c := range map[string]admin.Config{
		"set Store":    {Auth: admin.Anyone(admin.Viewer)},
		"set Auth":     {Store: memstore.New(memstore.Config{})},
		"FailedLogins": {Store: memstore.New(memstore.Config{}), Auth: admin.Anyone(admin.Viewer), FailedLogins: -1},
		"negative":     {Store: memstore.New(memstore.Config{}), Auth: admin.Anyone(admin.Viewer), Rate: -1},
	} {
		if _, err := admin.New(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	for want, token := range map[string]admin.Token{
		"set Name":   {Role: admin.Viewer, SHA256: admin.Sum("x")},
		"use one of": {Name: "x", Role: "root", SHA256: admin.Sum("x")},
		"sha256sum":  {Name: "x", Role: admin.Viewer, SHA256: "secret"},
	} {
		if _, err := admin.Tokens(token); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

func TestANameHasNoColonAndASecretHasOneOwner(t *testing.T) {
	for want, tokens := range map[string][]admin.Token{
		"a colon":     {{Name: "a:b", Role: admin.Viewer, SHA256: admin.Sum("x")}},
		"same secret": {{Name: "a", Role: admin.Viewer, SHA256: admin.Sum("x")}, {Name: "b", Role: admin.Admin, SHA256: admin.Sum("x")}},
	} {
		if _, err := admin.Tokens(tokens...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

func TestHalfAnAnswerIsNotTakenForAWhole(t *testing.T) {
	r := newRig(t)
	req := httptest.NewRequest(http.MethodGet, "/api/v1/status", nil)
	req.Header.Set("Authorization", "Bearer viewer")
	defer func() {
		if v := recover(); v != http.ErrAbortHandler { //nolint:errorlint // it is panicked with as it is
			t.Errorf("panicked with %v, want the connection cut", v)
		}
	}()
	r.handler.ServeHTTP(&tearing{ResponseRecorder: httptest.NewRecorder()}, req)
	t.Error("it ended as if nothing was wrong")
}

// tearing is a connection that breaks while an answer is written.
type tearing struct{ *httptest.ResponseRecorder }

func (*tearing) Write([]byte) (int, error) { panic("torn") }
