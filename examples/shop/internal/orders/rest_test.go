package orders_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/examples/shop/internal/events"
	"github.com/sendoff-go/outbox/examples/shop/internal/orders"
	"github.com/sendoff-go/outbox/examples/shop/internal/place"
	"github.com/sendoff-go/outbox/sink/memsink"
)

func open(t *testing.T) (*place.Database, http.Handler) {
	t.Helper()
	all, err := place.Create(t.Context(), "", "shop")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := place.Remove(all); err != nil {
			t.Error(err)
		}
	})
	sink, err := memsink.New(memsink.Config{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := orders.New(t.Context(), orders.Config{Database: all[0], Sink: sink, Destination: "orders", Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return all[0], s.Handler()
}

func call(t *testing.T, h http.Handler, method, path, body string, want int) string {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(method, path, strings.NewReader(body)))
	if w.Code != want {
		t.Fatalf("%s %s %s: %d %s, want %d", method, path, body, w.Code, w.Body, want)
	}
	return w.Body.String()
}

func count(t *testing.T, db *place.Database, query string, want int) {
	t.Helper()
	if n, err := db.Count(t.Context(), query); err != nil || n != want {
		t.Errorf("%s: %d, %v, want %d", query, n, err, want)
	}
}

func TestEachChangeOfAnOrderWritesOneEvent(t *testing.T) {
	db, shop := open(t)
	var o events.Order
	if err := json.Unmarshal([]byte(call(t, shop, "POST", "/orders", `{"customer": "ann", "cents": 1200}`, http.StatusCreated)), &o); err != nil {
		t.Fatal(err)
	}
	if got := call(t, shop, "GET", "/orders/"+o.ID, "", http.StatusOK); !strings.Contains(got, `"status":"placed"`) {
		t.Errorf("the order is %s", got)
	}
	call(t, shop, "DELETE", "/orders/"+o.ID, "", http.StatusNoContent)
	call(t, shop, "DELETE", "/orders/"+o.ID, "", http.StatusConflict)
	count(t, db, `SELECT count(*) FROM orders WHERE status = 'cancelled'`, 1)
	count(t, db, `SELECT count(*) FROM outbox_event WHERE event_type = 'OrderPlaced'`, 1)
	count(t, db, `SELECT count(*) FROM outbox_event WHERE event_type = 'OrderCancelled'`, 1)
}

func TestARefusedRequestLeavesNoEvent(t *testing.T) {
	db, shop := open(t)
	call(t, shop, "POST", "/orders", `{"customer": "ann", "cents": 1000000}`, http.StatusPaymentRequired)
	call(t, shop, "POST", "/orders", `{"customer": "ann"}`, http.StatusBadRequest)
	call(t, shop, "POST", "/orders", `hello`, http.StatusBadRequest)
	call(t, shop, "DELETE", "/orders/none", "", http.StatusNotFound)
	call(t, shop, "GET", "/orders/none", "", http.StatusNotFound)
	count(t, db, `SELECT count(*) FROM orders`, 0)
	count(t, db, `SELECT count(*) FROM outbox_event`, 0)
}

func TestMetricsAndConsoleAreServed(t *testing.T) {
	_, shop := open(t)
	if got := call(t, shop, "GET", "/metrics", "", http.StatusOK); !strings.Contains(got, `event_type="OrderPlaced"`) {
		t.Errorf("the metrics do not name the event type:\n%s", got)
	}
	if got := call(t, shop, "GET", "/console/", "", http.StatusOK); !strings.Contains(got, "<html") {
		t.Errorf("the console is %s", got)
	}
}
