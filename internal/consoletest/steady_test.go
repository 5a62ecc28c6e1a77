package consoletest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
)

// point moves the mouse, as somebody does who is about to click.
func (b *browser) point(x, y float64) {
	b.t.Helper()
	call(b, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved, X: x, Y: y})
}

// stopTime has the page believe that no time passes, so that somebody who has used it
// goes on to use it however long the machine takes, until goOn is called.
func (b *browser) stopTime() (goOn func()) {
	b.t.Helper()
	value[bool](b, `(() => { const at = performance.now(); performance.now = () => at; return true; })()`)
	return func() { value[bool](b, `delete performance.now`) }
}

// watchShifts has the browser note which boxes move on the page, and where they were.
// A number that gets longer within its own is none. What has changed before may not
// be drawn yet, and moves only then: it starts two frames later.
func (b *browser) watchShifts() {
	b.t.Helper()
	value[bool](b, `(() => {
		window.shifts = undefined;
		const start = () => new PerformanceObserver((list) => {
			for (const e of list.getEntries()) for (const s of e.sources) if (s.previousRect.x !== s.currentRect.x || s.previousRect.y !== s.currentRect.y)
				shifts.push((s.node?.outerHTML ?? s.node?.textContent ?? "?").slice(0, 120) + " " + JSON.stringify([s.previousRect, s.currentRect]));
		}).observe({type: "layout-shift"});
		requestAnimationFrame(() => requestAnimationFrame(() => { window.shifts = []; start(); }));
		return true;
	})()`)
	b.becomes(`window.shifts !== undefined`)
}

func (b *browser) shifts() []string {
	b.t.Helper()
	return strings.Split(strings.Trim(value[string](b, `shifts.join("\n")`), "\n"), "\n")
}

// noteNews has the page note whether a click on the news took them off. Right after
// it there may be others.
func (b *browser) noteNews() *browser {
	b.t.Helper()
	value[bool](b, `(() => {
		const news = document.getElementById("news");
		news.addEventListener("click", () => { window.newsWereOff = !news.classList.contains("on"); });
		return true;
	})()`)
	return b
}

func TestNothingMovesUnderTheHandsOfSomebody(t *testing.T) {
	for _, width := range []int64{1440, 390} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			s := openSite(t, openShop(t))
			s.write("OrderPlaced", 3)
			b := s.open(t).size(width, false).signIn("ada", "admin").sees("OrderPlaced").becomes(`document.querySelector("#plot canvas") !== null`)
			b.watchShifts()
			b.stopTime()
			b.point(float64(width)/2+80, 500)
			s.fill()
			b.becomes(`document.querySelector('#menu .n.bad')?.textContent === "17"`)
			b.becomes(`document.querySelector('.strip b') !== null`) // an alert
			b.becomes(`document.getElementById("news").classList.contains("on")`)
			if moved := b.shifts(); moved[0] != "" {
				t.Errorf("these moved:\n%s", strings.Join(moved, "\n"))
			}
			if value[bool](b, `document.body.innerText.includes("Unprocessable Entity")`) {
				t.Error("rows appear while somebody points at the page")
			}
			b.noteNews().click("#news").sees("Unprocessable Entity").sees("NobodyListens")
			if !value[bool](b, "window.newsWereOff") {
				t.Error("a click on the news did not take them off")
			}
		})
	}
}

func TestAlertsDoNotMoveThePage(t *testing.T) {
	for _, width := range []int64{1440, 390} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			s := openSite(t, openShop(t))
			b := s.open(t).size(width, false).signIn("ada", "admin").sees("no alerts")
			const tops = `[".tiles", "#chart", "#rows-timeline", "#rows-types"].map((s) => document.querySelector(s).getBoundingClientRect().top).join()`
			before := value[string](b, tops)
			s.fill()
			b.becomes(`document.querySelector('.strip b') !== null && document.querySelectorAll("#rows-timeline li[id]").length > 2`).sees("NobodyListens")
			s.until("all alerts are open", func() bool { return s.count("SELECT count(*) FROM outbox_alert WHERE resolved_at IS NULL") > 2 })
			b.becomes(`/all \d alerts/.test(document.querySelector('.strip .t').textContent)`)
			b.becomes(`Number(document.querySelector('#menu [data-key=a] .n.bad')?.textContent) > 2`)
			if after := value[string](b, tops); after != before {
				t.Errorf("the parts of the page are at %s, and were at %s", after, before)
			}
		})
	}
}

func TestRowsOfALiveListStayWhileTheyAreUsed(t *testing.T) {
	s := openSite(t, openShop(t))
	s.write("ReportReady", 8)
	b := s.open(t).size(1440, false).signIn("ada", "admin").visit("events")
	b.becomes(`document.querySelectorAll("#rows-events tr").length === 8`)
	b.watchShifts()
	goOn := b.stopTime()
	b.point(700, 500)
	ids := `[...document.querySelectorAll("#rows-events tr")].map((r) => r.id).join()`
	before := value[string](b, ids)
	s.write("NobodyListens", 5)
	b.becomes(`document.getElementById("news-count").textContent === "5"`)
	if after := value[string](b, ids); after != before {
		t.Errorf("the rows are %s, and were %s", after, before)
	}
	s.until("the rows have changed in their places", func() bool {
		// Again, since the relay may give back events that it had claimed before, with their attempts.
		s.exec("UPDATE outbox_event SET attempts = 7 WHERE event_type = 'ReportReady' AND attempts <> 7")
		return value[bool](b, `[...document.querySelectorAll("#rows-events .num")].every((n) => n.innerText === "7")`)
	})
	if moved := b.shifts(); moved[0] != "" {
		t.Errorf("these moved:\n%s", strings.Join(moved, "\n"))
	}
	b.click("#news").becomes(`document.querySelectorAll("#rows-events tr").length === 13`)
	b.point(20, 500) // beside the page
	s.write("NobodyListens", 1)
	b.becomes(`document.getElementById("news-count").textContent === "1"`)
	goOn()
	b.becomes(`document.querySelectorAll("#rows-events tr").length === 14`) // after a while
}

func TestTheStateOfATypeIsVisibleOnAPhone(t *testing.T) {
	s := openSite(t, openShop(t))
	s.fill()
	s.until("an alert is open", func() bool { return s.count("SELECT count(*) FROM outbox_alert WHERE resolved_at IS NULL") > 0 })
	b := s.open(t).size(390, false).signIn("ada", "admin")
	for _, page := range []string{"", "types", "destinations", "events", "alerts", "dead-letters"} {
		b.visit(page)
		hidden := value[string](b, `[...document.querySelectorAll("main .pill")].filter((p) => p.offsetParent !== null)
			.filter((p) => { const r = p.getBoundingClientRect(); return r.left < 0 || r.right > 390; }).map((p) => p.innerText).join()`)
		if hidden != "" {
			t.Errorf("%q has states beyond the edge: %s", page, hidden)
		}
		if n := value[int](b, `[...document.querySelectorAll("main .pill")].filter((p) => p.offsetParent !== null).length`); n == 0 {
			t.Errorf("%q shows no state", page)
		}
	}
}

func TestAnAttemptThatFailsDoesNotMoveThePayload(t *testing.T) {
	s := openSite(t, openShop(t))
	s.write("NobodyListens", 1)
	b := s.open(t).size(1440, false).signIn("ada", "admin").visit("events").click("#rows-events a").sees("No attempt has failed.").loaded()
	b.stopTime()
	b.point(700, 500)
	const top = `document.getElementById("payload").getBoundingClientRect().top`
	before := value[float64](b, top)
	s.exec(`UPDATE outbox_event SET attempts = 1, available_at = now() + interval '1 hour', failures = '[{"attempt":1,"owner":"relay-9","at":"2026-01-01T00:00:00Z","error":"refused"}]'`)
	b.sees("Next attempt")
	if after := value[float64](b, top); after != before {
		t.Errorf("the payload is at %v, and was at %v", after, before)
	}
	b.click("#news").sees("refused")
}
