package consoletest

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/sendoff-go/outbox/admin/console"
)

func TestSomebodyIsAskedToSignInAndComesBackToTheirPage(t *testing.T) {
	s := openSite(t, openShop(t))
	b := s.open(t).visit("types?x=1")
	if at := b.at(); at != "login?to=types%3Fx%3D1" {
		t.Fatalf("sent to %q", at)
	}
	b.fill(`[name=user]`, "ada").fill(`[name=secret]`, "wrong").click(`.login .primary`).sees("Nobody has this token, or this user and password.")
	b.fill(`[name=secret]`, "admin").click(`.login .primary`).sees("Event types")
	if at := b.at(); at != "types?x=1" {
		t.Errorf("came to %q", at)
	}
	b.click(`.foot button.link`).sees("Sign in")
	b.visit("types").sees("Password or token")
}

func TestATypeAndADestinationArePausedAndResumed(t *testing.T) {
	s := openSite(t, openShop(t))
	s.fill()
	b := s.open(t).signIn("olga", "operator")
	b.visit("types/one?type=OrderPlaced").click(`.acts a.btn`).sees("Pause the event type OrderPlaced?")
	b.fill(`dialog [name=note]`, "a test").click(`dialog .primary`).sees("Paused: in force everywhere within two seconds.")
	if n := s.count("SELECT count(*) FROM outbox_control WHERE lane = 'OrderPlaced' AND paused AND changed_by = 'olga'"); n != 1 {
		t.Errorf("%d rows say that the type is paused", n)
	}
	b.visit("types/one?type=OrderPlaced").sees("paused").click(`.acts a.primary`).click(`dialog .primary`).sees("Resumed: in force everywhere within two seconds.")
	if n := s.count("SELECT count(*) FROM outbox_control WHERE paused"); n != 0 {
		t.Errorf("%d types are still paused", n)
	}
	b.visit("destinations").click(`tbody a.btn`).sees("Pause the destination").click(`dialog .primary`).sees("Paused: in force everywhere")
	if n := s.count("SELECT count(*) FROM outbox_destination WHERE paused"); n != 1 {
		t.Errorf("%d destinations are paused", n)
	}
	b.sees("paused by olga").click(`tbody a.primary`).click(`dialog .primary`).sees("Resumed: in force everywhere")
	b.visit("types").click(`.acts a.btn`).sees("Pause all event types?").click(`dialog .primary`).sees("Everything is paused")
	b.click(`.acts a.primary`).click(`dialog .primary`).sees("Resumed: in force everywhere")
	b.visit("audit").becomes(`[...document.querySelectorAll("tbody td")].some((c) => c.innerText === "pause-destination")`).sees("a test")
}

func TestAnAlertIsMutedAndUnmuted(t *testing.T) {
	s := openSite(t, openShop(t))
	s.fill()
	s.until("an alert is open", func() bool { return s.count("SELECT count(*) FROM outbox_alert WHERE resolved_at IS NULL") > 0 })
	b := s.open(t).signIn("olga", "operator").visit("alerts")
	b.click(`.grp .acts a.btn`).sees("Mute this alert?").fill(`dialog [name=note]`, "known").click(`dialog .primary`).sees("Muted.")
	if n := s.count("SELECT count(*) FROM outbox_alert WHERE muted_until > now() + interval '50 minutes'"); n != 1 {
		t.Errorf("%d alerts are muted for an hour", n)
	}
	b.click(`.grp form button`).sees("No longer muted.")
	if n := s.count("SELECT count(*) FROM outbox_alert WHERE muted_until > now()"); n != 0 {
		t.Errorf("%d alerts are still muted", n)
	}
}

func TestDeliveredEventsAreDeliveredAgain(t *testing.T) {
	s := openSite(t, openShop(t))
	s.fill()
	s.until("the orders are delivered", func() bool {
		return s.count("SELECT count(*) FROM outbox_event WHERE event_type = 'OrderPlaced' AND status = 1") == 40
	})
	b := s.open(t).signIn("olga", "operator").visit("jobs").click(`main .acts a.btn`)
	b.fill(`[name=type]`, "OrderPlaced").click(`[name=new_ids]`).click(`[name=count]`).sees("40 events match.")
	b.click(`main .primary`).sees("Started: it runs as soon as an instance takes it.").sees("40 of 40").sees("done")
	if n := s.count("SELECT count(*) FROM outbox_event WHERE event_type = 'OrderPlaced'"); n != 80 {
		t.Errorf("there are %d events, expected 40 and their copies", n)
	}
}

func TestAJobWaitsForASecondPerson(t *testing.T) {
	s := openSite(t, openShop(t), func(c *console.Config) { c.API.ConsentOver = 10 })
	s.fill()
	s.until("the orders are delivered", func() bool {
		return s.count("SELECT count(*) FROM outbox_event WHERE event_type = 'OrderPlaced' AND status = 1") == 40
	})
	b := s.open(t).signIn("olga", "operator").visit("jobs/new?action=replay&type=OrderPlaced&count=1").click(`main .primary`)
	b.sees("ask somebody else")
	if value[bool](b, `document.querySelector('form[action*="jobs/consent"]') !== null`) {
		t.Error("somebody may allow their own job")
	}
	job := b.at()
	other := s.open(t).signIn("ada", "admin").visit(strings.SplitN(job, "&", 2)[0])
	other.sees("second person: you").click(`form[action*="jobs/consent"] button`).sees("40 of 40")
	b.sees("decided by ada")

	s.until("the orders are delivered again", func() bool {
		return s.count("SELECT count(*) FROM outbox_event WHERE event_type = 'OrderPlaced' AND status = 1") == 40
	})
	b.visit("jobs/new?action=replay&type=OrderPlaced&count=1").click(`main .primary`).sees("ask somebody else")
	b.click(`form[action*="jobs/cancel"] button`).sees("cancelled")
}

func TestADoubleClickSendsAFormOnce(t *testing.T) {
	s := openSite(t, openShop(t))
	b := s.open(t).signIn("olga", "operator").visit("pause?type=OrderPlaced")
	sent := value[int](b, `(() => {
		let sent = 0;
		addEventListener("submit", (e) => { if (!e.defaultPrevented) sent++; e.preventDefault(); }); // after the page's own
		const button = document.querySelector("main .primary");
		button.click();
		button.click();
		return sent;
	})()`)
	if sent != 1 {
		t.Errorf("the form was sent %d times", sent)
	}
}

func TestAViewerSeesNoButtonThatWouldBeRefused(t *testing.T) {
	s := openSite(t, openShop(t))
	s.fill()
	b := s.open(t).signIn("vera", "viewer")
	for name, page := range s.pages() {
		b.visit(page)
		shown := value[string](b, `[...document.querySelectorAll('main form[method=post], main .acts a.primary, main .danger, main a[href]')].filter((e) =>
			!e.href || e.matches(".primary, .danger") || /\/(pause|edit|mark|mute|act|jobs\/new)\?/.test(e.href)).map((e) => e.outerHTML.slice(0, 120)).join("\n")`)
		if shown != "" {
			t.Errorf("%s shows to a viewer:\n%s", name, shown)
		}
	}
}

func TestWhatIsShownFollowsWhatHappens(t *testing.T) {
	s := openSite(t, openShop(t))
	b := s.open(t).signIn("ada", "admin").sees("No dead letters")
	s.write("PaymentCaptured", 7)
	b.becomes(`document.querySelector('#menu .n.bad')?.innerText === "7"`).sees("Unprocessable Entity").sees("7")
	b.click(`#live-switch`).sees("stopped")
	value[bool](b, `document.querySelector('.tile .v').dataset.kept = "yes", true`)
	s.write("PaymentCaptured", 1)
	s.until("another letter is there", func() bool { return s.count("SELECT count(*) FROM outbox_dlq_event") == 8 })
	other := s.open(t).signIn("vera", "viewer")
	other.becomes(`document.querySelector('#menu .n.bad')?.innerText === "8"`)
	if n := value[string](b, `document.querySelector('#menu .n.bad').innerText`); n != "7" {
		t.Errorf("a page that was stopped shows %s letters", n)
	}
	b.click(`#live-switch`).becomes(`document.querySelector('#menu .n.bad')?.innerText === "8"`)
}

func TestAHiddenTabAsksForNothing(t *testing.T) {
	s := openSite(t, openShop(t))
	b := s.open(t).signIn("ada", "admin").sees("No dead letters")
	hide := func(hidden string) {
		value[bool](b, `Object.defineProperty(document, "hidden", {value: `+hidden+`, configurable: true}), document.dispatchEvent(new Event("visibilitychange"))`)
	}
	s.write("PaymentCaptured", 1)
	b.becomes(`document.querySelector('#menu .n.bad')?.innerText === "1"`) // the stream is there
	hide("true")
	s.write("PaymentCaptured", 6)
	other := s.open(t).signIn("vera", "viewer")
	other.becomes(`document.querySelector('#menu .n.bad')?.innerText === "7"`)
	if n := value[string](b, `document.querySelector('#menu .n.bad').innerText`); n != "1" {
		t.Errorf("a tab that nobody sees shows %s", n)
	}
	hide("false")
	b.becomes(`document.querySelector('#menu .n.bad')?.innerText === "7"`)
}

func TestThemeAndLanguageAreKept(t *testing.T) {
	s := openSite(t, openShop(t))
	b := s.open(t).size(1440, false).signIn("ada", "admin")
	light := value[string](b, `getComputedStyle(document.body).backgroundColor`)
	b.click(`.side [value=dark]`).becomes(`document.documentElement.dataset.theme === "dark"`)
	if dark := value[string](b, `getComputedStyle(document.body).backgroundColor`); dark == light {
		t.Errorf("the background stays %s", dark)
	}
	b.click(`.side [value=zh]`).becomes(`document.documentElement.lang === "zh-Hans"`).sees("死信")
	b.visit("types").becomes(`document.documentElement.lang === "zh-Hans" && document.documentElement.dataset.theme === "dark"`)
	b.click(`.side [value=en]`).sees("Event types")
}

func TestTheKeyboardReachesEverything(t *testing.T) {
	s := openSite(t, openShop(t))
	s.fill()
	b := s.open(t).size(1440, false).signIn("ada", "admin")
	press := func(keys string) {
		t.Helper()
		b.do(chromedp.KeyEvent(keys))
	}
	press("?")
	b.becomes(`document.getElementById("help").open`)
	b.click(`#help button`)
	press("/")
	b.becomes(`document.activeElement.id === "search"`)
	value[bool](b, `document.activeElement.blur(), true`)
	value[bool](b, `window.setTimeout = () => 0, true`) // the page would not wait for the second key for long
	press("g")
	press("t")
	b.becomes(`location.href.endsWith("/types")`).becomes(`document.readyState === "complete"`)
	b.click(`#live-switch`).sees("stopped") // the order of the rows would change with what waits
	value[bool](b, `document.activeElement.blur(), true`)
	press("j")
	press("j")
	press("k")
	b.becomes(`[...document.querySelectorAll("tbody tr")].findIndex(r => r.classList.contains("at")) === 0`)
	press("\r")
	b.becomes(`location.href.includes("/types/one?type=")`)
	b.visit("dead-letters").becomes(`document.querySelectorAll(".grp").length === 2`)
	value[bool](b, `document.activeElement.blur(), true`)
	press("j")
	press("j")
	b.becomes(`[...document.querySelectorAll(".grp")].findIndex(r => r.classList.contains("at")) === 1`)
	press("\r")
	b.becomes(`location.href.includes("/dead-letters/group?id=")`)
}

func TestPagesCanBeReadWithoutScripts(t *testing.T) {
	s := openSite(t, openShop(t))
	s.fill()
	b := s.open(t).signIn("ada", "admin")
	call(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	for page, text := range map[string]string{"": "OrderPlaced", "types": "PaymentCaptured", "destinations": "listener:OrderPlaced", "alerts": "Open alerts", "about": "Health"} {
		b.visit(page)
		shown, err := chromedp.Run(b.ctx, chromedp.Text(chromedp.CSS("body")))
		if err != nil || !strings.Contains(shown, text) {
			t.Errorf("%q without scripts: %v\n%.500s", page, err, shown)
		}
	}
	b.visit("pause?type=OrderPlaced").click(`main .primary`)
	s.until("the type is paused", func() bool { return s.count("SELECT count(*) FROM outbox_control WHERE paused") == 1 })
}
