package consoletest

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

func TestADialogSaysThatItLoads(t *testing.T) {
	s := openSite(t, openShop(t))
	b := s.open(t).mayFail().signIn("olga", "operator").visit("types/one?type=OrderPlaced").sees("Pause …")
	goOn := make(chan struct{})
	var asked atomic.Int64
	s.between.slows(func(r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/pause") && asked.Add(1) <= 2 {
			<-goOn
		}
	})
	b.click(`.acts a.btn`).sees("Loading …").click(`dialog [data-close]`).becomes(`!document.getElementById("dialog").open`)
	b.click(`.acts a.btn`).sees("Loading …")
	close(goOn)
	b.sees("Pause the event type OrderPlaced?").becomes(`document.getElementById("dialog").open && document.querySelectorAll("[aria-busy]").length === 0`)
	b.click(`dialog [data-close]`)
	if n := asked.Load(); n != 2 {
		t.Errorf("asked %d times", n)
	}
}

func TestADialogThatCannotBeLoadedSaysWhatToDo(t *testing.T) {
	s := openSite(t, openShop(t))
	s.fill()
	b := s.open(t).mayFail().signIn("olga", "operator")
	const says = "Nothing was changed. Check your connection"
	for name, broken := range map[string]http.HandlerFunc{
		"a proxy without a server": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusBadGateway)
			_, _ = w.Write([]byte("<h1>502 Bad Gateway</h1><script>window.pwned=1</script>"))
		},
		"no network": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	} {
		t.Run(name, func(t *testing.T) {
			b.visit("dead-letters/list?type=PaymentCaptured").click(`[data-select]`)
			s.between.breaks(broken)
			b.click(`[data-needs-selection][value=resolve]`).sees(says)
			if value[bool](b, `window.pwned === 1 || document.body.innerText.includes("Bad Gateway")`) {
				t.Error("what another server said is shown")
			}
			s.between.breaks(nil)
			b.click(`dialog [data-again]`).sees("Resolve one dead letter?")
		})
	}
}

func TestAPageSaysThatItIsNoLongerUpdated(t *testing.T) {
	s := openSite(t, openShop(t))
	b := s.open(t).mayFail().signIn("ada", "admin").sees("no alerts")
	s.write("PaymentCaptured", 1)
	b.becomes(`document.querySelector('#menu .n.bad')?.textContent === "1"`) // the stream is there
	s.between.breaks(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	b.sees("What you see is no longer updated.").sees("offline").sees("Overview")
	b.becomes(`/^Last update: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/.test(document.getElementById("lost-at").textContent)`)
	const age = `Number(/^· (\d+) s ago$/.exec(document.getElementById("lost-age").textContent)?.[1])`
	b.watchShifts()
	b.becomes(age + ` >= 1`).becomes(age + ` >= 3`)
	if moved := b.shifts(); moved[0] != "" {
		t.Errorf("moved while its age grew: %q", moved)
	}
	since := value[float64](b, `Date.parse(document.getElementById("lost-at").textContent.slice(13, 32).replace(" ", "T") + "Z")`)
	if old := value[float64](b, `Date.now()`) - since; old < 2000 || old > 120_000 {
		t.Errorf("%.0f ms old", old)
	}
	s.between.breaks(nil)
	b.becomes(`document.getElementById("lost").hidden && document.getElementById("live-state").textContent === "live"`)
	s.write("PaymentCaptured", 1)
	b.becomes(`document.querySelector('#menu .n.bad')?.textContent === "2"`)

	// The first connection of a page can fail too.
	s.between.slows(func(r *http.Request) {
		if r.URL.Query().Has("live") {
			panic(http.ErrAbortHandler)
		}
	})
	b.visit("types").sees("What you see is no longer updated.").sees("PaymentCaptured")
	s.between.breaks(nil)
	b.becomes(`document.getElementById("lost").hidden`)
}

func TestAChinesePageSaysHowOldItIs(t *testing.T) {
	s := openSite(t, openShop(t))
	b := s.open(t).mayFail().signIn("ada", "admin").click(`.side [value=zh]`).becomes(`document.documentElement.lang === "zh-Hans"`)
	s.until("it is live", func() bool { return s.between.count(0) == 1 })
	before := value[float64](b, `Date.now()`)
	s.write("PaymentCaptured", 1)
	b.becomes(`document.querySelector('#menu .n.bad')?.textContent === "1"`) // a message has come since
	s.between.breaks(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	b.sees("控制台没有响应").sees("最后更新：").becomes(`/^· \d+ 秒前$/.test(document.getElementById("lost-age").textContent)`)
	if since := value[float64](b, `Date.parse(document.getElementById("lost-at").textContent.slice(5, 24).replace(" ", "T") + "Z")`); since < before-1000 {
		t.Errorf("the message came %.0f ms later than it says", before-since)
	}
	b.picture("offline-zh")
}

func TestSigningOutInOneTabLeadsOthersToTheLogin(t *testing.T) {
	s := openSite(t, openShop(t))
	b := s.open(t).mayFail().signIn("ada", "admin").visit("types").sees("Event types")
	s.write("OrderPlaced", 1)
	b.sees("OrderPlaced") // the stream is there
	value[bool](b, `fetch("logout", {method: "POST", redirect: "manual"}), true`)
	b.sees("Password or token")
	if at := b.at(); at != "login?to=types" {
		t.Errorf("came to %q", at)
	}
}

func TestAPageThatWasStoppedAsksForNothing(t *testing.T) {
	s := openSite(t, openShop(t))
	b := s.open(t).signIn("ada", "admin").visit("types").sees("Event types")
	s.until("it is live", func() bool { return s.between.count(0) == 1 })
	b.click("#live-switch").sees("stopped")
	s.until("its stream is over", func() bool { return s.between.count(0) == 0 })
	b.visit("events").sees("stopped") // in the same tab
	s.write("OrderPlaced", 1)
	b.click("#live-switch").sees("OrderPlaced")
	s.until("it is live again", func() bool { return s.between.count(0) == 1 })
}
