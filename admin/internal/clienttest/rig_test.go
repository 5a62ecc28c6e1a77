package clienttest

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"go.uber.org/goleak"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/memkit"
	"github.com/sendoff-go/outbox/store/memstore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// rig is a server of the API on a store in memory.
type rig struct {
	*httptest.Server
	t     *testing.T
	store *memstore.Store
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{t: t, store: memstore.New(memstore.Config{})}
	tokens, err := admin.Tokens(
		admin.Token{Name: "olga", Role: admin.Operator, SHA256: admin.Sum("operator")},
		admin.Token{Name: "vera", Role: admin.Viewer, SHA256: admin.Sum("viewer")})
	if err != nil {
		t.Fatal(err)
	}
	h, err := admin.New(admin.Config{Store: r.store, Auth: tokens})
	if err != nil {
		t.Fatal(err)
	}
	r.Server = httptest.NewServer(h)
	t.Cleanup(r.Close)
	return r
}

// as adds the token of a role to requests.
func as(role admin.Role) func(context.Context, *http.Request) error {
	return func(_ context.Context, req *http.Request) error {
		req.Header.Set("Authorization", "Bearer "+string(role))
		return nil
	}
}

// kill writes n events that die, and returns their ids.
func (r *rig) kill(eventType string, n int) []string {
	r.t.Helper()
	es := make([]outbox.Event, n)
	for i := range es {
		es[i] = outbox.Event{Type: eventType, JSON: fmt.Appendf(nil, `{"n":%d}`, i)}
	}
	ids := memkit.Write(r.t, r.store, es...)
	memkit.Settle(r.t, r.store, eventType, driver.Outcome{Kind: driver.Dead, Attempts: 3, Error: "refused"}, true)
	return ids
}
