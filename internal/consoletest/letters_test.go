package consoletest

import (
	"strings"
	"testing"
)

// letters is how many dead letters of a type are open.
func (s *shop) letters(eventType string) int64 {
	s.t.Helper()
	return s.count("SELECT count(*) FROM outbox_dlq_event WHERE event_type = $1 AND resolved_at IS NULL", eventType)
}

// delivered is how many events of a type were delivered.
func (s *shop) delivered(eventType string) int64 {
	s.t.Helper()
	return s.count("SELECT count(*) FROM outbox_event WHERE event_type = $1 AND status = 1", eventType)
}

func TestAGroupIsRetriedOnceItsCauseIsMended(t *testing.T) {
	s := openSite(t, openShop(t))
	s.fill()
	b := s.open(t).signIn("olga", "operator").visit("dead-letters").sees("PaymentCaptured")
	b.click(`.grp:has(a[href*="group?"]):nth-of-type(2) .acts form button, .grp .acts form button`).sees("The group is marked.")
	s.mended.Store(true)
	group := "retry"
	b.visit("dead-letters").click(`.grp .acts a[href*="action=` + group + `"]`).sees("Each goes back into the outbox under its id")
	b.fill(`dialog [name=note]`, "mended").click(`dialog .primary`).sees("Started: it runs as soon as an instance takes it.").sees("100 %")
	s.until("the letters of one group are delivered", func() bool { return s.delivered("MailRequested")+s.delivered("PaymentCaptured") >= 5 })
	if s.letters("MailRequested") != 0 && s.letters("PaymentCaptured") != 0 {
		t.Error("letters of both groups are still there")
	}
	if n := s.count("SELECT count(*) FROM outbox_dlq_group WHERE actor = 'olga'"); n == 0 {
		t.Error("nobody looks at the group")
	}
	b.visit("audit").sees("mended").sees("olga")
}

func TestASelectionIsResolved(t *testing.T) {
	s := openSite(t, openShop(t))
	s.fill()
	b := s.open(t).signIn("olga", "operator").visit("dead-letters/list?type=PaymentCaptured").sees("Letters that match")
	b.click(`tbody tr:nth-child(1) [data-select]`).click(`tbody tr:nth-child(3) [data-select]`).sees("2 selected")
	b.click(`button[name=action][value=resolve], [data-needs-selection][value=resolve]`).sees("Resolve 2 dead letters?")
	b.click(`form[action$="dead-letters/act"][method=post] .primary`).sees("2 resolved.")
	if n := s.letters("PaymentCaptured"); n != 10 {
		t.Errorf("%d letters are open, expected 10 of 12", n)
	}
	b.visit("dead-letters/list?resolved=true").sees("Resolved letters")
	if n := value[int](b, `document.querySelectorAll("main tbody tr").length`); n != 2 {
		t.Errorf("the page of resolved letters has %d rows", n)
	}
}

func TestEverythingThatMatchesIsDeleted(t *testing.T) {
	s := openSite(t, openShop(t))
	s.fill()
	b := s.open(t).signIn("ada", "admin").visit("dead-letters/list?type=PaymentCaptured&payload=" + "%24.order%3DA-3").sees("Letters that match")
	b.click(`header .danger`).sees("Delete one dead letter for good?").click(`dialog .danger`).sees("100 %")
	if n := s.letters("PaymentCaptured"); n != 11 {
		t.Errorf("%d letters are left, expected 11 of 12", n)
	}
	b.visit("dead-letters/list?type=PaymentCaptured").click(`header .danger`).sees("Delete 11 dead letters for good?").click(`dialog .danger`).sees("11 of 11")
	if n := s.count("SELECT count(*) FROM outbox_dlq_event WHERE event_type = 'PaymentCaptured'"); n != 0 {
		t.Errorf("%d letters are left, resolved or not", n)
	}
	if n := s.letters("MailRequested"); n != 5 {
		t.Errorf("%d letters of another type are left, expected 5", n)
	}
}

func TestALetterIsEditedAndRetried(t *testing.T) {
	s := openSite(t, openShop(t))
	s.fill()
	s.mended.Store(true)
	page := s.pages()["letter"]
	id := strings.TrimPrefix(page, "dead-letters/one?id=")
	b := s.open(t).signIn("ada", "admin").visit(page)
	b.fill(`textarea[name=note]`, "the template was renamed").click(`form:has(textarea[name=note]) button`).sees("The note is saved.").sees("the template was renamed")
	b.visit("dead-letters/edit?id="+id).fill(`textarea[name=payload]`, `{"order": "A-0", "template": "welcome-v4"}`).click(`button[value=review]`)
	b.sees("welcome-v4").sees("Put back with these changes")
	if n := value[int](b, `document.querySelectorAll(".diff .plus").length`); n == 0 {
		t.Error("the diff shows nothing that was added")
	}
	b.click(`button[value=apply]`).sees("Put back into the outbox with your changes.")
	s.until("it is delivered with its new payload", func() bool {
		return s.count("SELECT count(*) FROM outbox_event WHERE event_id = $1 AND status = 1 AND payload->>'template' = 'welcome-v4'", id) == 1
	})
	if n := s.count("SELECT count(*) FROM outbox_dlq_event WHERE event_id = $1 AND resolved_at IS NOT NULL AND payload->>'currency' = 'BTC'", id); n != 1 {
		t.Error("the letter does not keep the original")
	}
}

func TestAGroupIsMuted(t *testing.T) {
	s := openSite(t, openShop(t))
	s.fill()
	b := s.open(t).signIn("olga", "operator").visit(s.pages()["group"])
	b.click(`[name=state][value=muted]`).fill(`textarea[name=note]`, "known until Friday").click(`form:has([name=state]) .primary`).sees("The group is marked.").sees("known until Friday")
	if n := s.count("SELECT count(*) FROM outbox_dlq_group WHERE muted_until > now() + interval '1 hour'"); n != 1 {
		t.Errorf("%d groups are muted", n)
	}
}

func TestOneLetterIsRetriedResolvedOrDeleted(t *testing.T) {
	s := openSite(t, openShop(t))
	s.fill()
	s.mended.Store(true)
	b := s.open(t).signIn("ada", "admin")
	for action, check := range map[string]string{
		"retry":   "SELECT count(*) FROM outbox_event WHERE event_id = $1",
		"resolve": "SELECT count(*) FROM outbox_dlq_event WHERE event_id = $1 AND resolved_at IS NOT NULL",
		"delete":  "SELECT 1 - count(*) FROM outbox_dlq_event WHERE event_id = $1",
	} {
		page := s.pages()["letter"]
		id := strings.TrimPrefix(page, "dead-letters/one?id=")
		b.visit(page).click(`main a[href*="action=`+action+`"]`).fill(`dialog [name=note]`, "by "+action).click(`dialog form .acts button:first-child`)
		b.becomes(`location.search.includes("done=` + action + `")`)
		if n := s.count(check, id); n != 1 {
			t.Errorf("%s: %d", action, n)
		}
		if n := s.count("SELECT count(*) FROM outbox_audit WHERE actor = 'ada' AND note = $1", "by "+action); n != 1 {
			t.Errorf("the audit log has %d entries of %s", n, action)
		}
		s.exec("DELETE FROM outbox_dlq_event WHERE event_id = $1", id) // the next one is another
	}
}

func TestWhatATenantsEventsSaidIsErased(t *testing.T) {
	s := openSite(t, openShop(t))
	s.fill()
	b := s.open(t).signIn("ada", "admin").visit("jobs").click(`main .acts a.danger`)
	b.fill(`[name=key]`, "A-2").click(`[name=count]`).sees("events match.").click(`main form[method=post] .danger`).sees("Started: it runs as soon as an instance takes it.")
	s.until("letters of the key say nothing any more", func() bool {
		return s.count("SELECT count(*) FROM outbox_dlq_event WHERE aggregate_id = 'A-2' AND payload::text LIKE '%BTC%'") == 0
	})
	if n := s.count("SELECT count(*) FROM outbox_dlq_event WHERE aggregate_id = 'A-1' AND payload::text LIKE '%BTC%'"); n != 2 {
		t.Errorf("%d letters of another key are left as they were, expected 2", n)
	}
}
