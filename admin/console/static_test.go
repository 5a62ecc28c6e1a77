package console_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

func TestFilesAreKeptUnderTheirOwnHashOnly(t *testing.T) {
	c := guarded(t)
	get := func(path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		c.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		return w
	}
	files := regexp.MustCompile(`"\./(static/[^"?]+)(\?[0-9a-f]+)"`).FindAllStringSubmatch(get("/login").Body.String(), -1)
	if len(files) < 5 {
		t.Fatalf("the page has %d files", len(files))
	}
	for _, f := range files {
		for query, kept := range map[string]bool{f[2]: true, "?0123456789ab": false, "": false} { // as another version asks
			a := get("/" + f[1] + query)
			if got := strings.Contains(a.Header().Get("Cache-Control"), "immutable"); a.Code != http.StatusOK || got != kept {
				t.Errorf("%s%s: status %d, %s", f[1], query, a.Code, a.Header().Get("Cache-Control"))
			}
		}
	}
}
