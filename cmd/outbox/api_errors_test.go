package main

import (
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/admin"
)

func TestErrorsOfTheAPISayWhatToDo(t *testing.T) {
	s := serve(t)
	s.exec(t, seeds...)
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	answering := func(status int, header, text string) string {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			name, value, _ := strings.Cut(header, ": ")
			w.Header().Set(name, value)
			w.WriteHeader(status)
			_, _ = w.Write([]byte(text)) // the client has gone
		}))
		t.Cleanup(server.Close)
		return server.URL
	}
	const problem = "Content-Type: application/problem+json"
	for _, c := range []struct {
		name, line string
		code       int
		want       string
	}{
		{"no credentials", "status --api " + s.url, exitRefused, "the API asks who you are: .* pass --token-file, set OUTBOX_API_TOKEN"},
		{"a wrong token", "status --token secret-4711 --api " + s.url, exitRefused, "the API does not know the token"},
		{"a wrong password", "status --api " + strings.Replace(s.url, "://", "://ann:secret-4711@", 1), exitRefused, "does not know the token, or the user and password"},
		{"a role", "dlq delete a1 --yes --token token-olga --api " + s.url, exitRefused, "delete dead letters: the API refuses this: this is for the role admin, and yours is operator"},
		{"nobody there", "status --token token-ann --api http://127.0.0.1:1", exitUnavailable, "no answer of the API at 127.0.0.1:1: .*connection refused: check that the daemon runs"},
		{"nobody there for a change", "pause --all --token token-ann --api http://127.0.0.1:1", exitUnavailable, "connection refused: check that the daemon runs"},
		{"no host", "status --token token-ann --api http://outbox.invalid", exitUnavailable, "no answer of the API at outbox.invalid"},
		{"an unknown certificate", "status --api " + secure.URL, exitRefused, "signed by an unknown authority: .* --api-ca"},
		{"TLS where there is none", "status --api " + strings.Replace(s.url, "http:", "https:", 1), exitUsage, "does not speak TLS: write http://"},
		{"no TLS where there is", "status --api " + strings.Replace(secure.URL, "https:", "http:", 1), exitUsage, "speaks TLS: write https://"},
		{"a web page", "status --api " + answering(200, "Content-Type: text/html", "<p>"), exitUsage, "is not the API of an outbox: "},
		{"other JSON", "status --api " + answering(200, "Content-Type: application/json", `{"status":"ok"}`), exitUsage, "is not the API of an outbox: its answer has no status"},
		{"another list", "dlq list --api " + answering(200, "Content-Type: application/json", `{}`), exitUsage, "is not the API of an outbox"},
		{"nothing there", "status --api " + answering(404, "Content-Type: text/plain", "no"), exitUsage, "is not the API of an outbox: it answers 404 Not Found"},
		{"a filter that is too long", "dlq groups --reason x --api " + answering(431, "Content-Type: text/plain", "no"), exitUsage, "takes no request that is as long: shorten what you filter by"},
		{"a redirect", "status --api " + answering(302, "Location: https://login.example/x?secret-4711", ""), exitUsage, "it redirects to https://login.example;"},
		{"a path too many", "status --token token-ann --api " + s.url + "/outbox", exitFailure, "does not have this operation"},
		{"a proxy without a server", "status --api " + answering(502, "Content-Type: text/html", ""), exitUnavailable, "answers 502 Bad Gateway: check that the daemon behind it runs"},
		{"a proxy that refuses", "status --api " + answering(403, "Content-Type: text/html", ""), exitRefused, "a server in front of the API"},
		{"a database that is down", "status --api " + answering(503, problem, `{"detail":"the database is unavailable: try again later"}`), exitUnavailable, "count events: the API answers 503: the database is unavailable: try again later: it may be sent again in 1s"},
		{"escapes of a terminal", "status --api " + answering(500, problem, `{"detail":"a\u001b[2Jb"}`), exitFailure, `a \[2Jb$`},
		{"no detail", "status --api " + answering(500, problem, `{}`), exitFailure, "Internal Server Error"},
		{"a note that is too long", "dlq retry a1 --token token-ann --note " + strings.Repeat("x", 4001) + " --api " + s.url, exitUsage, "body.note expected length <= 4000"},
		{"too many alerts", "alerts --limit 1001 --token token-ann --api " + s.url, exitUsage, "lists at most 1000 alerts"},
		{"a conflict", "dlq retry b1 --token token-ann --api " + s.url, exitFailure, "1 of 1 left alone"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "a conflict" {
				s.exec(t, "INSERT INTO outbox_event (event_id, event_type, payload) VALUES ('b1', 'OrderPaid', '1')")
			}
			code, out, errs := call(t.Context(), words(c.line)...)
			if code != c.code || !matches(c.want, strings.TrimSpace(errs)) || strings.Count(errs, "\n") != 1 {
				t.Errorf("exit code %d, want %d and %q: %q", code, c.code, c.want, errs)
			}
			if strings.Contains(out+errs, "4711") || matches("token-(ann|olga)", out+errs) {
				t.Errorf("a secret is in %q", out+errs)
			}
		})
	}
}

func TestACertificateOfOnesOwnCanBeTrusted(t *testing.T) {
	s := serve(t)
	h, err := admin.New(admin.Config{Store: s.db.Store, Auth: admin.Anyone(admin.Viewer)})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(h)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	ca := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := call(t.Context(), "status", "--api", server.URL, "--api-ca", ca); code != exitOK {
		t.Error(errs)
	}
	t.Setenv(apiCAVariable, ca)
	t.Setenv(apiVariable, server.URL+"/api/")
	if code, _, errs := call(t.Context(), "status"); code != exitOK {
		t.Error(errs)
	}
	wrong := strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
	if code, _, errs := call(t.Context(), "status", "--api", wrong); code != exitRefused || !strings.Contains(errs, "not valid") {
		t.Errorf("exit code %d: %s", code, errs)
	}
	if code, _, errs := call(t.Context(), "status", "--api-ca", "api_test.go"); code != exitUsage || !strings.Contains(errs, "has no certificate in PEM") {
		t.Errorf("exit code %d: %s", code, errs)
	}
}

func TestARequestTooManyIsSentAgain(t *testing.T) {
	s := serve(t, func(c *admin.Config) { c.Rate = 2 })
	for range 4 {
		if got := s.through(t, "ann", "status"); got.code != exitOK {
			t.Error(got)
		}
	}
}
