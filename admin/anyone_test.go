package admin_test

import (
	"errors"
	"net/http/httptest"
	"testing"

	"github.com/sendoff-go/outbox/admin"
)

func TestAnyoneHereNeedsAnAddressAndNoCredentials(t *testing.T) {
	auth := admin.AnyoneHere(admin.Operator)
	for _, c := range []struct {
		host, credentials string
		want              error
	}{
		{"127.0.0.1:9465", "", nil},
		{"127.0.0.1", "", nil},
		{"[::1]:9465", "", nil},
		{"[::1]", "", nil},
		{"localhost:9465", "", nil},
		{"evil.example:9465", "", admin.ErrNoCredentials},
		{"localhost.evil.example", "", admin.ErrNoCredentials},
		{"127.0.0.1.evil.example", "", admin.ErrNoCredentials},
		{"", "", admin.ErrNoCredentials},
		{"127.0.0.1:9465", "Bearer guessed", admin.ErrUnauthenticated},
	} {
		r := httptest.NewRequestWithContext(t.Context(), "GET", "/", nil)
		r.Host = c.host
		if c.credentials != "" {
			r.Header.Set("Authorization", c.credentials)
		}
		p, err := auth(r)
		if !errors.Is(err, c.want) || (err == nil) != (p.Role == admin.Operator) {
			t.Errorf("%q with %q: got %+v, %v, want %v", c.host, c.credentials, p, err, c.want)
		}
	}
}
