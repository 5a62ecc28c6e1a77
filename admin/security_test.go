package admin_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/apitest"
	"github.com/sendoff-go/outbox/store/memstore"
)

// operations are those of the document that is served, so that none is forgotten.
func operations(r *rig) []apitest.Operation {
	r.t.Helper()
	a := r.send(admin.Viewer, "GET", "/api/openapi.json", "")
	r.want(200, a, nil)
	return apitest.Operations(r.t, a.text)
}

// roleOf is the lowest role that may call an operation, as the document says.
func roleOf(op apitest.Operation) admin.Role {
	_, rest, _ := strings.Cut(op.Description, "For the role ")
	role, _, _ := strings.Cut(rest, " ")
	return admin.Role(role)
}

func TestEveryOperationIsClosedToThoseWithoutItsRole(t *testing.T) {
	r := newRig(t)
	for _, op := range operations(r) {
		path, body := op.Request("x", "")
		if !slices.Contains(admin.Roles(), roleOf(op)) || op.Method != http.MethodGet && roleOf(op) == admin.Viewer {
			t.Errorf("%s is for the role %q", op.String(), roleOf(op))
		}
		for _, token := range []admin.Role{"", "wrong"} {
			a := r.send(token, op.Method, path, body)
			if problem(t, op.String(), a, http.StatusUnauthorized); !strings.Contains(a.header.Get("WWW-Authenticate"), "Bearer") {
				t.Errorf("%s: WWW-Authenticate is %q", op.String(), a.header.Get("WWW-Authenticate"))
			}
		}
		for _, role := range admin.Roles() {
			a := r.send(role, op.Method, path, body)
			if !role.AtLeast(roleOf(op)) {
				problem(t, string(role)+": "+op.String(), a, http.StatusForbidden)
			} else if a.status == http.StatusForbidden || a.status == http.StatusUnauthorized || a.status >= 500 {
				t.Errorf("%s: %s: %d %s", role, op.String(), a.status, a.text)
			}
		}
	}
}

func TestWhatIsNoOperationIsClosedAsWell(t *testing.T) {
	r := newRig(t)
	for _, path := range []string{"/api/openapi.json", "/api/openapi.yaml", "/api/openapi-3.0.json", "/api/docs", "/api/docs.css", "/nowhere", "/", "/api/v1/../v1/status", "//"} {
		problem(t, path, r.send("", "GET", path, ""), http.StatusUnauthorized)
		problem(t, path, r.send("wrong", "GET", path, ""), http.StatusUnauthorized)
	}
}

func TestEveryOperationIsClosedToOtherSites(t *testing.T) {
	r := newRig(t)
	for _, op := range operations(r) {
		path, body := op.Request("x", "")
		for _, header := range [][2]string{{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}, {"Origin", "https://evil.example"}, {"Origin", "null"}} {
			a := r.send(admin.Admin, op.Method, path, body, func(req *http.Request) { req.Header.Set(header[0], header[1]) })
			if op.Method != http.MethodGet {
				problem(t, header[1]+": "+op.String(), a, http.StatusForbidden)
			}
			for name := range a.header { // a page of another site cannot read it
				if strings.HasPrefix(name, "Access-Control-") {
					t.Errorf("%s: %s has the header %s", header[1], op.String(), name)
				}
			}
		}
		if op.Body != nil { // what a form of another site can send without being asked
			for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""} {
				a := r.send(admin.Admin, op.Method, path, body, func(req *http.Request) { req.Header.Set("Content-Type", kind) })
				problem(t, fmt.Sprintf("%s with a body of %q", op.String(), kind), a, http.StatusUnsupportedMediaType)
			}
		}
	}
}

func TestEveryOperationBoundsItsRequest(t *testing.T) {
	r := newRig(t)
	large := strings.Repeat("x", 300<<10)
	for _, op := range operations(r) {
		path, body := op.Request("x", "")
		if op.Body != nil {
			problem(t, op.String(), r.send(admin.Admin, op.Method, path, `{"note":"`+large+`"}`), http.StatusRequestEntityTooLarge)
		}
		for _, field := range op.Fields() {
			path, body := op.Request(large[:10_000], field)
			if a := r.send(admin.Admin, op.Method, path, body); a.status >= 500 || len(a.text) > 64<<10 {
				t.Errorf("%s: %s: %d, %d bytes", op.String(), field, a.status, len(a.text))
			}
		}
		problem(t, "twice: "+op.String(), r.send(admin.Admin, op.Method, strings.Split(path, "?")[0]+"?x=1&x=2", body), http.StatusUnprocessableEntity)
	}
}

func TestEveryFieldTakesHostileTextAsText(t *testing.T) {
	r := newRig(t)
	kept := r.kill("order-placed", "refused", 3)
	for _, op := range operations(r) {
		for _, text := range apitest.Hostile {
			for _, field := range op.Fields() {
				path, body := op.Request(text, field)
				a := r.send(admin.Admin, op.Method, path, body)
				what := fmt.Sprintf("%s: %q in %q", op.String(), text, field)
				kind := a.header.Get("Content-Type")
				if a.status >= 500 || a.status < 200 {
					t.Errorf("%s: %d %s", what, a.status, a.text)
				}
				if a.text != "" && kind != "application/json" && kind != "application/problem+json" && kind != "text/csv; charset=utf-8" {
					t.Errorf("%s: answered as %q", what, kind)
				}
				if a.header.Get("X-Content-Type-Options") != "nosniff" || a.header.Get("Cache-Control") != "no-store" || a.header.Get("Set-Cookie") != "" {
					t.Errorf("%s: %v", what, a.header)
				}
				if a.text != "" && strings.HasSuffix(kind, "json") && !json.Valid([]byte(a.text)) {
					t.Errorf("%s: answered %s", what, a.text)
				}
				if len(a.text) > 64<<10 {
					t.Errorf("%s: %d bytes", what, len(a.text))
				}
			}
		}
	}
	for _, id := range kept {
		if _, found, err := r.store.GetDead(t.Context(), id); err != nil || !found {
			t.Errorf("the letter %s is gone: %v", id, err)
		}
	}
}

func TestAnInvalidIDIsNotFound(t *testing.T) {
	r := newRig(t)
	for _, op := range operations(r) {
		if !strings.HasSuffix(op.Path, "/{id}") {
			continue
		}
		for _, id := range []string{"none", "a\x00b", "ä", strings.Repeat("x", 5000), "' OR 1=1 --", "<b>", "../status", "%", " "} {
			path, body := op.Request(id, "")
			if a := r.send(admin.Admin, op.Method, path, body); a.status != http.StatusNotFound && a.status != http.StatusUnprocessableEntity {
				t.Errorf("%s: %q: %d %s", op.String(), id, a.status, a.text)
			}
		}
	}
}

// A new operation that shows a payload and forgets the mask fails here.
func TestNoOperationShowsWhatIsMasked(t *testing.T) {
	l := driver.DeadLetter{DiedAt: time.Now(), CreatedAt: time.Now()}
	l.Event = outbox.Event{ID: "a", Type: "order-placed", JSON: []byte(`{"card":{"number":"4711-0815"}}`), Headers: map[string]string{"number": "4711-0815"}}
	r := newRig(t, masks("number"), func(c *admin.Config) {
		c.Store = foreign{c.Store.(*memstore.Store), []driver.DeadLetter{l}}
	})
	shown := 0
	for _, op := range operations(r) {
		path := strings.ReplaceAll(op.Path, "{id}", "a")
		for _, role := range admin.Roles() {
			if op.Method != http.MethodGet {
				continue
			}
			a := r.send(role, op.Method, path, "")
			if strings.Contains(a.text, "4711-0815") {
				if shown++; role != admin.Admin {
					t.Errorf("%s sees it in %s: %s", role, op.String(), a.text)
				}
			}
		}
	}
	if shown == 0 {
		t.Error("not even an admin sees it")
	}
}
