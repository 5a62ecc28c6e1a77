package daemon

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestEveryExampleOfTheManualRuns(t *testing.T) {
	files, _ := filepath.Glob("config/testdata/manual/*.yaml")
	delivered := 0
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			file := newFile(t)
			load(t, file, "outbox: {}").once()
			// The examples leave the brokers to the application around them.
			r := load(t, file, string(content), "OUTBOX_PUBLISHER_SENDERS={customKafkaTemplate: {type: log}}", "OUTBOX_PUBLISHER_SENDER_TYPE=log")
			p, want := r.d.config.Publisher, ""
			for eventType := range p.Events {
				r.insert(eventType, 1)
			}
			if p.Enabled {
				want = strings.TrimSpace(plural(len(p.Events), "delivered"))
			}
			if got := r.once(); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
			for eventType, e := range p.Events {
				if p.Enabled && !strings.Contains(r.log.String(), fmt.Sprintf("event_type=%s destination=%s", eventType, e.Topic)) {
					t.Errorf("%s did not go to %s:\n%s", eventType, e.Topic, r.log)
				}
			}
			delivered += len(p.Events)
		})
	}
	if delivered < 5 {
		t.Errorf("the examples name %d types", delivered)
	}
}

func TestEventsGoWhereTheirEntrySays(t *testing.T) {
	one, two := newHook(t), newHook(t)
	file := newFile(t)
	yaml := fmt.Sprintf(`
outbox:
  publisher:
    sender: {type: http, url: %q}
    senders: {second: {type: http, url: %q}}
    defaults: {fixed-delay: 100ms}
    events:
      order-created: {topic: /orders}
      order-*: {topic: /others}
      invoice-paid: {sender: second, topic: /paid}
`, one.URL, two.URL)
	r := load(t, file, yaml)
	stop := r.run()
	for _, eventType := range []string{"order-created", "order-changed", "order-gone", "invoice-paid", "unknown"} {
		r.insert(eventType, 1)
	}
	r.until("all arrive", func() bool { return one.got() == 3 && two.got() == 1 })
	r.until("the unknown one is reported", func() bool {
		return strings.Count(r.log.String(), "no listener or route") == 1 && strings.Contains(r.log.String(), "name the type in outbox.publisher.events") && strings.Contains(r.log.String(), "event_type=unknown")
	})
	if one.at("/orders") != 1 || one.at("/others") != 2 || two.at("/paid") != 1 {
		t.Errorf("%v and %v", one.paths, two.paths)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	if n := r.count("SELECT count(*) FROM outbox_event WHERE status = 0 AND attempts = 0 AND event_type = 'unknown'"); n != 1 {
		t.Error("the unknown event is not pending any more")
	}
	if n := r.count("SELECT count(*) FROM outbox_event WHERE status = 1"); n != 4 {
		t.Errorf("%d are done", n)
	}
}

func TestWithoutASenderEventsStayPendingWithOneWarning(t *testing.T) {
	r := load(t, newFile(t), "outbox: {publisher: {events: {a: {}}}}")
	if len(r.notes) != 1 || !strings.Contains(r.notes[0], "has no sender") {
		t.Errorf("noted %q", r.notes)
	}
	stop := r.run()
	r.insert("a", 2)
	r.until("it is reported", func() bool { return strings.Contains(r.log.String(), "no listener or route") })
	if err := stop(); err != nil {
		t.Error(err)
	}
	if n := r.count("SELECT count(*) FROM outbox_event WHERE status = 0"); n != 2 {
		t.Errorf("%d are pending", n)
	}
}

func TestUnroutableEventsAreRetriedOrDeadWhereThatIsConfigured(t *testing.T) {
	h := newHook(t)
	for what, want := range map[string]string{"ignore": "", "retry": "1 retried", "dead": "1 dead"} {
		t.Run(what, func(t *testing.T) {
			file := newFile(t)
			load(t, file, "outbox: {}").once()
			yaml := fmt.Sprintf("outbox: {publisher: {unroutable: %s, sender: {type: http, url: %q}, events: {a: {}}}}", what, h.URL)
			r := load(t, file, yaml)
			r.insert("b", 1)
			if got := r.once(); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
			if what == "dead" && r.count("SELECT count(*) FROM outbox_dlq_event WHERE last_error LIKE '%name the type in outbox.publisher.events'") != 1 {
				t.Error("the dead letter does not say what to do")
			}
		})
	}
}

func TestEventsWhoseEntryHasNoSenderStayPendingWhateverIsUnroutable(t *testing.T) {
	for _, what := range []string{"retry", "dead"} {
		file := newFile(t)
		load(t, file, "outbox: {}").once()
		r := load(t, file, "outbox: {publisher: {unroutable: "+what+", senders: {l: {type: log}}, events: {a: {}, 'a*': {sender: l}}}}")
		r.insert("a", 1)
		r.insert("ab", 1)
		if got := r.once(); got != "1 delivered" {
			t.Errorf("%s: got %q", what, got)
		}
		if n := r.count("SELECT count(*) FROM outbox_event WHERE event_type = 'a' AND status = 0 AND attempts = 0"); n != 1 {
			t.Errorf("%s: it is not pending", what)
		}
	}
}

func TestAnEntrySaysKeyAndHeadersOfItsMessages(t *testing.T) {
	h := newHook(t)
	var mu sync.Mutex
	got := map[string]string{}
	h.reply = func(r *http.Request) int {
		mu.Lock()
		defer mu.Unlock()
		got[r.Header.Get("ce-type")] = r.Header.Get("ce-partitionkey") + " " + r.Header.Get("X-Team") + " " + r.Header.Get("X-Own")
		return http.StatusOK
	}
	columns := map[string]string{"": "agg", "aggregate-id": "agg", "aggregate-type": "Order", "event-id": "id-", "event-type": "", "tenant-id": "ten", "correlation-id": "cor", "header:x-own": "own", "none": ""}
	yaml := fmt.Sprintf("outbox: {publisher: {sender: {type: http, url: %q}, events: {", h.URL)
	for key := range columns {
		yaml += fmt.Sprintf("'t-%s': {key: %q, headers: {x-team: shop, x-own: theirs}}, ", key, key)
	}
	file := newFile(t)
	load(t, file, "outbox: {}").once()
	r := load(t, file, yaml+"}}}")
	for key := range columns {
		r.do(`INSERT INTO outbox_event (event_id, event_type, aggregate_type, aggregate_id, tenant_id, correlation_id, headers, payload) VALUES (?, ?, 'Order', 'agg', 'ten', 'cor', '{"x-own": "own"}', '{}')`, "id-"+key, "t-"+key)
	}
	r.once()
	for key, want := range columns {
		switch key {
		case "event-id":
			want += key
		case "event-type":
			want = "t-" + key
		}
		if got := got["t-"+key]; got != want+" shop own" {
			t.Errorf("with key %q it is %q, want %q", key, got, want+" shop own")
		}
	}
}

func TestOnceWaitsForNoInitialDelay(t *testing.T) {
	file := newFile(t)
	load(t, file, "outbox: {}").once()
	r := load(t, file, "outbox: {publisher: {sender: {type: log}, defaults: {initial-delay: 1h}, events: {a: {}}}}")
	r.insert("a", 1)
	if got := r.once(); got != "1 delivered" {
		t.Errorf("got %q", got)
	}
}

func TestTwoDaemonsOnOneTableEachTakeTheirOwnTypes(t *testing.T) {
	one, two := newHook(t), newHook(t)
	file := newFile(t)
	yaml := "outbox: {publisher: {sender: {type: http, url: %q}, defaults: {fixed-delay: 100ms}, events: {%s: {}}}}"
	a, b := load(t, file, fmt.Sprintf(yaml, one.URL, "a")), load(t, file, fmt.Sprintf(yaml, two.URL, "b"))
	a.run()
	b.run()
	a.insert("a", 3)
	a.insert("b", 4)
	a.until("each has its own", func() bool { return one.got() == 3 && two.got() == 4 })
	if n := a.count("SELECT count(*) FROM outbox_dlq_event"); n != 0 {
		t.Errorf("%d are dead", n)
	}
}

func TestARefusedEventIsADeadLetterAfterItsRetriesThoughDLQIsOff(t *testing.T) {
	h := newHook(t)
	h.reply = func(*http.Request) int { return http.StatusInternalServerError }
	yaml := fmt.Sprintf("outbox: {publisher: {dlq: {enabled: false}, sender: {type: http, url: %q}, defaults: {fixed-delay: 100ms, max-retries: 2, backoff: {delay: 1ms}}, events: {a: {}}}}", h.URL)
	r := load(t, newFile(t), yaml)
	stop := r.run()
	r.insert("a", 1)
	r.until("it is dead", func() bool { return r.count("SELECT count(*) FROM outbox_dlq_event WHERE attempts = 3") == 1 })
	if err := stop(); err != nil {
		t.Error(err)
	}
}

func TestNothingIsTakenBeforeTheInitialDelay(t *testing.T) {
	h := newHook(t)
	yaml := fmt.Sprintf("outbox: {publisher: {sender: {type: http, url: %q}, defaults: {fixed-delay: 100ms}, events: {now: {}, later: {initial-delay: 1h}}}}", h.URL)
	r := load(t, newFile(t), yaml)
	stop := r.run()
	r.insert("later", 1)
	r.insert("now", 1)
	r.until("the other one arrives", func() bool { return h.got() == 1 })
	if err := stop(); err != nil {
		t.Error(err)
	}
	if n := r.count("SELECT count(*) FROM outbox_event WHERE event_type = 'later' AND claim_no = 0"); n != 1 {
		t.Error("it was taken")
	}
}

func TestDeliveredEventsAreCleanedUp(t *testing.T) {
	h := newHook(t)
	yaml := fmt.Sprintf("outbox: {publisher: {sender: {type: http, url: %q}, clean-up: {ttl: 1ms, fixed-delay: 100ms, batch-size: 2}, defaults: {fixed-delay: 100ms}, events: {a: {}}}}", h.URL)
	r := load(t, newFile(t), yaml)
	r.run()
	r.insert("a", 5)
	r.until("they are gone", func() bool { return h.got() == 5 && r.count("SELECT count(*) FROM outbox_event") == 0 })
}

func TestWithThePublisherOffOnlyTheConsumersIdsAreCleanedUp(t *testing.T) {
	for _, groups := range []string{"", "groups: [billing, 'mail/eu'], "} {
		r := load(t, newFile(t), "outbox: {publisher: {enabled: false}, consumer: {enabled: true, "+groups+"clean-up: {ttl: 1h, fixed-delay: 100ms, batch-size: 2}}}")
		stop := r.run()
		r.until("the tables are there", func() bool {
			db := openFile(t, r.file)
			defer func() { _ = db.Close() }()
			_, err := db.Exec("SELECT 1 FROM outbox_consumed_event")
			return err == nil
		})
		old := time.Now().Add(-2 * time.Hour).UnixMilli()
		for i := range 5 {
			r.do("INSERT INTO outbox_consumed_event (consumer_group, event_id, consumed_at) VALUES ('billing', ?, ?), ('mail/eu', ?, ?)", fmt.Sprint(i), old, fmt.Sprint(i), old)
		}
		r.do("INSERT INTO outbox_consumed_event (consumer_group, event_id) VALUES ('billing', 'new')")
		r.insert("a", 1)
		r.until("old ids are gone", func() bool { return r.count("SELECT count(*) FROM outbox_consumed_event") == 1 })
		if n := r.count("SELECT count(*) FROM outbox_event WHERE status = 0"); n != 1 {
			t.Error("an event was taken")
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	}
}

func TestASendThatHangsEndsWithTheEmergencyTimeoutAndSpendsNoAttempt(t *testing.T) {
	h := newHook(t)
	h.reply = func(r *http.Request) int { <-r.Context().Done(); return http.StatusTeapot }
	yaml := fmt.Sprintf("outbox: {publisher: {sender: {type: http, url: %q, emergency-timeout: 100ms, request-timeout: 1h}, events: {a: {}}}}", h.URL)
	file := newFile(t)
	load(t, file, "outbox: {}").once()
	r := load(t, file, yaml)
	r.insert("a", 1)
	start := time.Now()
	if got := r.once(); got != "1 released" {
		t.Errorf("got %s", got)
	}
	if took := time.Since(start); took > time.Minute {
		t.Errorf("took %s", took)
	}
	if n := r.count("SELECT attempts FROM outbox_event"); n != 0 {
		t.Errorf("%d attempts", n)
	}
}
