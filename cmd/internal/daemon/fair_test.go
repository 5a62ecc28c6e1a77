package daemon

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/cmd/internal/dburl"
)

const fairConfig = `outbox:
  publisher:
    sender: {type: http, url: %q}
    events: {"order-*": {topic: /orders, fair-by-tenant: true, fixed-delay: 20ms, batch-size: 5}}
`

func TestADaemonWaitsForTheIndexOfItsFairTypes(t *testing.T) {
	h := newHook(t)
	r := load(t, newFile(t), fmt.Sprintf(fairConfig, h.URL))
	stop := r.start()
	r.until("it says what to do", func() bool { return strings.Contains(r.log.String(), "outbox migrate up --fair") })
	db, err := dburl.Open(t.Context(), drivers, r.url, patient)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if err := db.Store.PrepareFair(t.Context()); err != nil {
		t.Fatal(err)
	}
	rows := strings.TrimSuffix(strings.Repeat("('order-placed', '{}', 'acme'), ('order-placed', '{}', NULL),", 50), ",")
	r.do("INSERT INTO outbox_event (event_type, payload, tenant_id) VALUES " + rows)
	r.until("it delivers", func() bool { return h.got() == 100 })
	if err := stop(); err != nil {
		t.Error(err)
	}
}
