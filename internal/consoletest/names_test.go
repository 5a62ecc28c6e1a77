package consoletest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/retry"
)

// long is an event type as long as one may be.
var long = strings.Repeat("LongEventTypeName", 7) + "123456789"

// runLong runs a relay with a long name that has many destinations, one of which
// refuses everything with a long error, and writes events with long values.
func (s *shop) runLong() {
	s.t.Helper()
	reg := outbox.NewRegistry()
	es := []outbox.Event{{Type: "订单已创建", Bytes: []byte("\x00\x01"), AggregateID: "👩‍👩‍👧‍👦-🛒", TenantID: "شركة الأفق"}}
	for i := range 30 {
		name := fmt.Sprintf("warehouse.stock.Changed%02d", i)
		reg.Handle(name, func(context.Context, outbox.Event) error { return nil })
		es = append(es, outbox.Event{Type: name, JSON: []byte(`{}`)})
	}
	reg.Handle(long, func(context.Context, outbox.Event) error {
		return outbox.Permanent(errors.New(strings.Repeat("x", 400)))
	})
	for i := range 3 {
		es = append(es, outbox.Event{
			Type: long, JSON: []byte(`{}`), AggregateType: strings.Repeat("Order", 12), AggregateID: strings.Repeat("k", 127) + fmt.Sprint(i),
			TenantID: strings.Repeat("tenant", 10), Headers: map[string]string{strings.Repeat("header", 20): strings.Repeat("v", 250)},
		})
	}
	r := testenv.Must(relay.New(s.store, reg, relay.Config{
		Name: strings.Repeat("long", 15), Version: "v1.44.0-rc.1.0.20260101000000-abcdefabcdef", Logger: silent(), Delivered: relay.KeepForRetention,
		Lane: relay.LaneConfig{MaxAttempts: 2, Retry: retry.Fixed(10 * time.Millisecond), Interval: 100 * time.Millisecond},
	}))
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		if err := r.Run(ctx); err != nil {
			s.t.Error(err)
		}
	})
	s.t.Cleanup(func() { cancel(); running.Wait() })
	err := s.writer.InTx(s.t.Context(), func(ctx context.Context, tx *sql.Tx) error {
		_, err := s.writer.WriteAll(ctx, tx, es...)
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	s.until("the long letters are in a group", func() bool {
		return s.count("SELECT count(*) FROM outbox_dlq_event WHERE group_id IS NOT NULL AND event_type = $1", long) == 3
	})
	s.exec("UPDATE outbox_event SET tenant_id = $1, aggregate_id = $2 WHERE event_type = '订单已创建'", strings.Repeat("tenant", 10), strings.Repeat("k", 128))
}

func TestLongNamesLeaveEverythingInSight(t *testing.T) {
	s := openSite(t, openShop(t))
	s.runLong()
	var letter, group, event string
	for query, to := range map[string]*string{
		"SELECT min(event_id) FROM outbox_dlq_event": &letter, "SELECT min(group_id) FROM outbox_dlq_group": &group,
		"SELECT min(event_id) FROM outbox_event WHERE event_type = '订单已创建'": &event,
	} {
		if err := s.db.QueryRowContext(t.Context(), query).Scan(to); err != nil {
			t.Fatal(err)
		}
	}
	b := s.open(t).signIn("ada", "admin")
	for name, page := range map[string]string{
		"overview": "", "timeline": "timeline", "events": "events", "event": "events/one?id=" + event, "find": "find?q=" + strings.Repeat("k", 127) + "1", "nothing found": "find?q=" + strings.Repeat("x", 300),
		"dead-letters": "dead-letters", "letters": "dead-letters/list", "letter": "dead-letters/one?id=" + letter, "edit": "dead-letters/edit?id=" + letter,
		"group": "dead-letters/group?id=" + group, "act": "dead-letters/act?action=retry&group=" + group, "types": "types", "type": "types/one?type=" + long,
		"pause": "pause?type=" + long, "destinations": "destinations", "instances": "instances", "audit": "audit",
	} {
		for _, width := range []int64{1440, 390} {
			b.size(width, false).visit(page).becomes(`document.querySelector("main") !== null`)
			b.picture(fmt.Sprint("long-", name, "-", width))
			beyond := value[string](b, `[...document.querySelectorAll("body *")].filter((e) => e.checkVisibility() && !e.matches("pre *, .json *, td *, .out, .skip, .menu-open") && !e.closest("dialog"))
				.filter((e) => { const r = e.getBoundingClientRect(); return r.right > innerWidth + 1 || r.width < 0; })
				.map((e) => e.tagName + "." + e.className + ": " + e.textContent.trim().slice(0, 40)).slice(0, 5).join("\n")`)
			if beyond != "" {
				t.Errorf("%s at %d pixels has these beyond the edge:\n%s", name, width, beyond)
			}
		}
	}
}

func TestAPhoneShowsWholeTitlesAndButtonsToTouch(t *testing.T) {
	s := openSite(t, openShop(t))
	s.fill()
	b := s.open(t).size(390, false).signIn("ada", "admin")
	for name, page := range s.pages() {
		b.visit(page).becomes(`document.querySelector("main") !== null`)
		if cut := value[bool](b, `(() => { const h = document.querySelector(".top h1"); return h.scrollHeight > h.clientHeight + 1 || h.scrollWidth > h.clientWidth; })()`); cut {
			t.Errorf("the title of %s is cut", name)
		}
		small := value[string](b, `[...document.querySelectorAll(".btn, .tabs a, input:not([type=checkbox], [type=radio], [type=hidden]), select")].filter((e) => e.checkVisibility() && e.getBoundingClientRect().height < 36)
			.map((e) => e.outerHTML.slice(0, 100)).join("\n")`)
		if small != "" {
			t.Errorf("%s has these, too small to touch:\n%s", name, small)
		}
	}
}
