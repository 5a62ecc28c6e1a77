package daemon

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/internal/testenv"
)

// hidden are the secrets of the tests here. No place that people read has one.
var hidden = regexp.MustCompile(`s[0-9]-secret`)

// secretly is a sender and events whose every place for a secret has one.
func secretly(host string) string {
	return fmt.Sprintf(`publisher: {
  sender: {type: http, url: 'http://%[1]s/s1-secret?code=s2-secret', headers: {X-Api-Key: s3-secret}},
  defaults: {fixed-delay: 100ms, max-retries: 0},
  events: {
    a: {topic: 'http://user:s4-secret@%[1]s/hooks/s5-secret?token=s6-secret&sig=s7-secret', headers: {X-Trace: 'Bearer s8-secret'}},
    b: {topic: '/hooks/s9-secret?code=s0-secret'}}}`, host)
}

func TestNoSecretOfADestinationIsInHealthOrLogs(t *testing.T) {
	addr := testenv.Address(t)
	r := load(t, newFile(t), fmt.Sprintf("outbox: {admin: {addr: '%s'}, %s}", addr, secretly(testenv.Address(t))))
	r.run()
	r.insert("a", 1)
	r.insert("b", 1)
	var text string
	r.until("both are down", func() bool {
		_, text = get(t, addr, "/readyz")
		return strings.Count(text, "\nunavailable: ") == 2
	})
	if !strings.Contains(text, " (a): ") || !strings.Contains(text, " (b): ") {
		t.Errorf("nobody can tell which it is: %s", text)
	}
	var metrics string
	r.until("metrics answer", func() bool {
		code, text := get(t, addr, "/metrics")
		metrics = text
		return code == http.StatusOK
	})
	for what, text := range map[string]string{"/readyz": text, "/metrics": metrics, "the log": r.log.String(), "config print": string(r.d.config.Print())} {
		if got := hidden.FindString(text); got != "" {
			t.Errorf("%s has %s:\n%s", what, got, text)
		}
	}
}

func TestNoSecretOfADestinationIsInAStoredError(t *testing.T) {
	// As many servers do, it tells the whole request in its error.
	echo := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, password, _ := r.BasicAuth()
		w.WriteHeader(http.StatusNotFound)
		_, _ = fmt.Fprintf(w, "Cannot POST %s %s %v %s", r.URL.RequestURI(), r.URL.Path, r.Header, password)
	}))
	t.Cleanup(echo.Close)
	r := load(t, newFile(t), "outbox: {"+secretly(strings.TrimPrefix(echo.URL, "http://"))+"}")
	r.d.config.Tables.AutoCreate = true
	load(t, r.file, "outbox: {}").once()
	r.insert("a", 1)
	r.insert("b", 1)
	if got := r.once(); got != "2 dead" {
		t.Fatal(got)
	}
	db := openFile(t, r.file)
	defer func() { _ = db.Close() }()
	rows, err := db.Query("SELECT last_error FROM outbox_dlq_event")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	n := 0
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		if n++; hidden.MatchString(text) || !strings.Contains(text, "Cannot POST") {
			t.Errorf("stored is %s", text)
		}
	}
	if err := rows.Err(); err != nil || n != 2 || hidden.MatchString(r.log.String()) {
		t.Errorf("%d letters, %v, %s", n, err, r.log)
	}
}
