package daemon

import (
	"net/http"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/internal/testenv"
)

func TestProfilesAreForAdminsOnly(t *testing.T) {
	addr := testenv.Address(t)
	r := load(t, newFile(t), "outbox: {admin: {addr: '"+addr+"', profiling: true, tokens: {root: {role: admin, token: "+token+"}, ci: {role: operator, token: other-"+token+"}}}"+quiet)
	r.run()
	r.until("it answers", func() bool { code, _ := get(t, addr, "/livez"); return code == http.StatusOK })
	url := "http://" + addr + "/debug/pprof/"
	for path, want := range map[string]string{"": "goroutine", "goroutine?debug=1": "goroutine profile", "heap?debug=1": "heap profile", "profile?seconds=1": "", "trace?seconds=0.1": ""} {
		if code, text := ask(t, http.DefaultClient, "GET", url+path, token, ""); code != http.StatusOK || !strings.Contains(text, want) || text == "" {
			t.Errorf("%s: %d %.200s", path, code, text)
		}
		for name, c := range map[string]struct {
			token string
			code  int
		}{"operator": {"other-" + token, http.StatusForbidden}, "nobody": {"", http.StatusUnauthorized}} {
			if code, text := ask(t, http.DefaultClient, "GET", url+path, c.token, ""); code != c.code {
				t.Errorf("%s: %s: %d %.200s", name, path, code, text)
			}
		}
	}
	if code, text := ask(t, http.DefaultClient, "GET", url+"cmdline", token, ""); code != http.StatusNotFound {
		t.Errorf("the command line: %d %s", code, text)
	}
}

func TestThereAreNoProfilesUnlessTheyAreAskedFor(t *testing.T) {
	addr := testenv.Address(t)
	r := load(t, newFile(t), "outbox: {admin: {addr: '"+addr+"', tokens: {root: {role: admin, token: "+token+"}}}"+quiet)
	r.run()
	r.until("it answers", func() bool { code, _ := get(t, addr, "/livez"); return code == http.StatusOK })
	for _, path := range []string{"/debug/pprof/", "/debug/pprof/heap", "/debug/pprof/profile"} {
		if code, text := ask(t, http.DefaultClient, "GET", "http://"+addr+path, token, ""); code != http.StatusNotFound {
			t.Errorf("%s: %d %s", path, code, text)
		}
	}
}
