package consoletest

import (
	"context"
	"database/sql"
	"testing"

	"github.com/sendoff-go/outbox"
)

// A column that somebody has to scroll to is not seen: the state of a type, or the
// buttons of a destination.
func TestTablesFitAPhoneAndALaptop(t *testing.T) {
	s := openSite(t, openShop(t))
	s.fill()
	s.exec(`INSERT INTO outbox_alert (alert_id, rule, subject, severity, message, resolved_at)
		VALUES ('over', 'destination-down', 'x', 'critical', 'The destination listener:ReportReady has been down for 30s: dial tcp 10.0.0.7:9092: connection refused', now())`)
	b := s.open(t).signIn("ada", "admin")
	for name, page := range s.pages() {
		for _, width := range []int64{1280, 390} {
			b.size(width, false).visit(page).becomes(`document.querySelector("main") !== null`)
			wide := value[string](b, `[...document.querySelectorAll(".scroll")].filter((e) => e.scrollWidth > e.clientWidth + 1)
				.map((e) => e.querySelector("th").textContent + " … " + e.scrollWidth).join()`)
			if wide != "" {
				t.Errorf("%s has a table that is wider than it can be at %d pixels: %s", name, width, wide)
			}
			if whole := value[int64](b, wholeWidth); whole > width {
				t.Errorf("%s is %d pixels wide when it is opened at %d", name, whole, width)
			}
		}
	}
	if n := value[int](b.visit("alerts"), `document.querySelectorAll("#over-over").length`); n != 1 {
		t.Error("the alert that is over is not among the tables")
	}
}

func TestTheHeaderOfTracesIsNotBroken(t *testing.T) {
	s := openSite(t, openShop(t))
	var id string
	err := s.writer.InTx(t.Context(), func(ctx context.Context, tx *sql.Tx) (err error) {
		id, err = s.writer.Write(ctx, tx, outbox.Event{Type: "NobodyListens", JSON: []byte(`{}`), Headers: map[string]string{
			"traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
		}})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	b := s.open(t).signIn("ada", "admin")
	for _, width := range []int64{1440, 1280, 390} {
		b.size(width, false).visit("events/one?id=" + id).sees("traceparent")
		lines := value[int](b, `(() => {
			const text = document.createRange();
			text.selectNodeContents(document.querySelector("td.name"));
			return text.getClientRects().length;
		})()`)
		if lines != 1 {
			t.Errorf("traceparent takes %d lines at %d pixels", lines, width)
		}
	}
}
