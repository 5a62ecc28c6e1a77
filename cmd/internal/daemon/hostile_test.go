package daemon

import (
	"net/http"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/internal/apitest"
	"github.com/sendoff-go/outbox/internal/testenv"
)

func TestHostileTextIsTextToTheDatabase(t *testing.T) {
	addr, h := testenv.Address(t), newHook(t)
	h.reply = func(*http.Request) int { return http.StatusBadRequest }
	r := load(t, newFile(t), `outbox:
  admin: {addr: '`+addr+`', tokens: {root: {role: admin, token: `+token+`}}}
  publisher:
    sender: {type: http, url: '`+h.URL+`'}
    defaults: {fixed-delay: 100ms, max-retries: 0}
    events: {a: {topic: /x}}
`)
	r.run()
	r.insert("a", 3)
	url := "http://" + addr
	r.until("all are dead", func() bool {
		_, text := ask(t, http.DefaultClient, "GET", url+"/api/v1/status", token, "")
		return strings.Contains(text, `"dead":{"n":3,`)
	})
	_, document := ask(t, http.DefaultClient, "GET", url+"/api/openapi.json", token, "")
	for _, op := range apitest.Operations(t, document) {
		for _, hostile := range apitest.SQL {
			for _, field := range op.Fields() {
				path, body := op.Request(hostile, field)
				code := http.StatusTooManyRequests
				var text string
				r.until("it may be asked", func() bool { // the rate is bounded
					code, text = ask(t, http.DefaultClient, op.Method, url+path, token, body)
					return code != http.StatusTooManyRequests
				})
				if code >= 500 || code == 0 {
					t.Errorf("%s: %q in %q: %d %s", op.String(), hostile, field, code, text)
				}
			}
		}
	}
	if n := r.count("SELECT count(*) FROM outbox_dlq_event WHERE event_type = 'a'"); n != 3 {
		t.Errorf("%d letters are left, want 3", n)
	}
}
