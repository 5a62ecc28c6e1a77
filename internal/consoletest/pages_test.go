package consoletest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// pages returns all pages of a shop that was filled.
func (s *site) pages() map[string]string {
	var letter, event, group, alert, job string
	for query, to := range map[string]*string{
		"SELECT min(event_id) FROM outbox_dlq_event WHERE event_type = 'MailRequested'":  &letter,
		"SELECT min(event_id) FROM outbox_event WHERE event_type = 'OrderPlaced'":        &event,
		"SELECT min(group_id) FROM outbox_dlq_group WHERE event_type = 'MailRequested'":  &group,
		"SELECT coalesce(min(alert_id), '') FROM outbox_alert WHERE resolved_at IS NULL": &alert, // they come later
		"SELECT coalesce(min(job_id), '') FROM outbox_job":                               &job,
	} {
		if err := s.db.QueryRowContext(s.t.Context(), query).Scan(to); err != nil {
			s.t.Fatal(err)
		}
	}
	return map[string]string{
		"overview": "", "timeline": "timeline", "events": "events", "event": "events/one?id=" + event, "event-raw": "events/one?view=raw&id=" + event,
		"find": "find?q=A-1", "dead-letters": "dead-letters", "letters": "dead-letters/list", "letter": "dead-letters/one?id=" + letter,
		"edit": "dead-letters/edit?id=" + letter, "group": "dead-letters/group?id=" + group, "act": "dead-letters/act?action=retry&group=" + group,
		"jobs": "jobs", "job": "jobs/one?id=" + job, "replay": "jobs/new?action=replay", "erase": "jobs/new?action=erase",
		"types": "types", "type": "types/one?type=PaymentCaptured", "pause": "pause?type=PaymentCaptured",
		"destinations": "destinations", "instances": "instances", "consumers": "consumers", "alerts": "alerts",
		"event-hex": "events/one?view=hex&id=" + event, "missing": "events/one?id=nothing", "resolved": "dead-letters/list?resolved=true", "mark": "dead-letters/mark?id=" + group,
		"mute": "alerts/mute?id=" + alert, "audit": "audit", "settings": "settings", "about": "about", "problem": "nothing/here",
	}
}

// wholeWidth is the width of a page, including what is beyond the edge.
const wholeWidth = `document.documentElement.scrollWidth`

// TestEveryPageIsSoundInAllLooks also writes a picture of each into the directory
// that OUTBOX_TEST_PICTURES names.
func TestEveryPageIsSoundInAllLooks(t *testing.T) {
	s := openSite(t, openShop(t))
	s.fill()
	s.until("alerts are open", func() bool { return s.count("SELECT count(*) FROM outbox_alert WHERE resolved_at IS NULL") > 1 })
	b := s.open(t).withAxe().signIn("ada", "admin")
	b.visit("jobs/new?action=replay&type=OrderPlaced&rate=1&note=the+warehouse+lost+them&count=1").click(`main .primary`).sees("the warehouse lost them")
	themes := []bool{false, true}
	for _, lang := range []string{"en", "zh"} {
		if lang == "zh" {
			b.size(1440, false).visit("").click(`.side [value=zh]`).becomes(`document.documentElement.lang === "zh-Hans"`).sees("死信")
			themes = themes[:1] // colours do not depend on words
		}
		for name, page := range s.pages() {
			b.visit(page).do(chromedp.WaitVisible(chromedp.CSS("main")))
			for _, dark := range themes {
				for _, width := range []int64{1440, 1024, 760, 390} {
					b.size(width, dark).drawn()
					b.sound(strings.Join([]string{name, strconv.FormatInt(width, 10), map[bool]string{false: "light", true: "dark"}[dark], lang}, "-"), width, rulesFor(dark, lang))
				}
			}
		}
	}
}

// drawn waits until the page has drawn itself anew, which includes what its scripts
// do when the size of the window changes.
func (b *browser) drawn() *browser {
	b.t.Helper()
	const frame = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`
	if _, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](frame, chromedp.EvalAwaitPromise)); err != nil {
		b.t.Fatal(err)
	}
	return b
}

// rulesFor returns the rules of axe for a look: a theme changes colours only, and a
// language changes none. The contrast of colours takes as long as all other rules.
func rulesFor(dark bool, lang string) string {
	switch {
	case dark:
		return `runOnly: ["color-contrast"]`
	case lang != "en":
		return `rules: {"color-contrast": {enabled: false}}`
	}
	return ""
}

// sound checks the page in the look that it has, against rules of axe.
func (b *browser) sound(name string, width int64, rules string) {
	b.t.Helper()
	if wide := value[int64](b, wholeWidth); wide > width {
		b.t.Errorf("%s is %d pixels wide", name, wide)
	}
	if value[bool](b, `window.pwned === 1`) {
		b.t.Errorf("%s runs a script of a payload, a header, an error or a name", name)
	}
	if width == 1024 || width == 760 { // between the two looks, and made of both
		return
	}
	for _, f := range b.axe(rules) {
		b.t.Errorf("%s: %s", name, f)
	}
	b.picture(name)
}

// withAxe has every page that is opened from now on know axe. The browser is sent the
// script once, and a page does not run it before it is asked for.
func (b *browser) withAxe() *browser {
	b.t.Helper()
	call(b, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: "window.bringAxe = () => {" + axe + "}"})
	return b
}

// axe returns the serious accessibility problems of a page of a browser with axe. The
// rules are those options of axe.run, or "" for all.
func (b *browser) axe(rules string) (findings []string) {
	b.t.Helper()
	run := `axe.run(document, {resultTypes: ["violations"], ` + rules + `}).then(r => JSON.stringify(r.violations
		.filter(v => v.impact === "serious" || v.impact === "critical")
		.map(v => v.id + ": " + v.help + ": " + v.nodes.slice(0, 3).map(n => n.html.slice(0, 200) + " " + (n.any[0]?.message ?? "")).join(" | "))))`
	value[any](b, "window.axe || bringAxe(), 0")
	text, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](run, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(text), &findings); err != nil {
		b.t.Fatal(err)
	}
	return findings
}

// picture writes a picture of the page, if somebody wants to look at it.
func (b *browser) picture(name string) {
	b.t.Helper()
	dir := os.Getenv("OUTBOX_TEST_PICTURES")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644); err != nil {
		b.t.Fatal(err)
	}
}
