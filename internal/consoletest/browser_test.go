package consoletest

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/remote"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/admin/console"
	"github.com/sendoff-go/outbox/internal/testenv"
)

//go:embed testdata/axe.min.js
var axe string

// site is a console behind a proxy that serves it under a path of its own.
type site struct {
	*shop
	address string // of the overview, with a slash at its end
	also    string // another site that pages lead to
	between between
}

// between is what lies between a browser and the console.
type between struct {
	mu     sync.Mutex
	answer http.HandlerFunc // instead of the console
	slow   func(*http.Request)
	live   int // streams that are open
	server *httptest.Server
}

// breaks has something else answer the browser, and ends what it is receiving.
func (n *between) breaks(answer http.HandlerFunc) {
	n.mu.Lock()
	n.answer, n.slow = answer, nil
	n.mu.Unlock()
	n.server.CloseClientConnections()
}

// slows has the console answer, after something else.
func (n *between) slows(before func(*http.Request)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.slow = before
}

// count adds to the streams that are open, and returns how many there are.
func (n *between) count(more int) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.live += more
	return n.live
}

func (n *between) before(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n.mu.Lock()
		answer, slow := n.answer, n.slow
		n.mu.Unlock()
		if slow != nil {
			slow(r)
		}
		if r.URL.Query().Has("live") {
			n.count(1)
			defer n.count(-1)
		}
		if answer == nil {
			next.ServeHTTP(w, r)
			return
		}
		answer(w, r)
	})
}

func openSite(t *testing.T, s *shop, change ...func(*console.Config)) *site {
	t.Helper()
	users := testenv.Must(admin.Users(
		admin.User{Name: "vera", Role: admin.Viewer, SHA256: admin.Sum("viewer")},
		admin.User{Name: "olga", Role: admin.Operator, SHA256: admin.Sum("operator")},
		admin.User{Name: "ada", Role: admin.Admin, SHA256: admin.Sum("admin")}))
	cfg := console.Config{
		API:  admin.Config{Store: s.store, Auth: users, Rate: 1_000_000, FailedLogins: 1_000_000, Concurrent: 1000, Logger: silent(), Version: "1.4.0"},
		Name: "shop", Database: "PostgreSQL 15", TraceURL: "https://traces.example/{trace}", Every: 500 * time.Millisecond,
		Settings:     func() string { return "outbox:\n  name: " + hostile },
		TypeSettings: func(string) []console.Setting { return []console.Setting{{Name: "batch-size", Value: "50"}} },
	}
	for _, f := range change {
		f(&cfg)
	}
	c := testenv.Must(console.New(cfg))
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { c.Run(ctx) })
	inner := httptest.NewServer(http.StripPrefix("/console", c))
	target := testenv.Must(url.Parse(inner.URL + "/console"))
	proxy := &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(target); r.Out.Host = r.In.Host },
		FlushInterval: -1,
		ErrorLog:      nil,
	}
	made := &site{shop: s}
	outer := httptest.NewServer(made.between.before(http.StripPrefix("/ops/outbox", proxy)))
	made.address, made.between.server = outer.URL+"/ops/outbox/", outer
	t.Cleanup(func() {
		cancel()
		running.Wait()
		outer.CloseClientConnections()
		outer.Close()
		inner.Close()
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	})
	return made
}

// browser is a window with cookies of its own, in which nobody is signed in.
type browser struct {
	*site
	t   *testing.T
	ctx context.Context

	mu       sync.Mutex
	problems []string
	offline  bool // requests may fail
}

// mayFail lets requests fail, as a network or a proxy makes them.
func (b *browser) mayFail() *browser {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.offline = true
	return b
}

func (s *site) open(t *testing.T) *browser {
	t.Helper()
	all, cancelAll := remote.NewAllocator(context.Background(), testenv.URL(t, "chromium"), remote.WithDialTimeout(patience))
	ctx, cancel := chromedp.NewContext(all, chromedp.WithNewBrowserContext())
	b := &browser{site: s, t: t, ctx: ctx}
	b.do()
	var watching sync.WaitGroup
	watch(b, &watching, log.EntryAdded, func(e log.EventEntryAdded) string {
		if e.Entry.Level != log.EntryLevelError || strings.Contains(e.Entry.Text, "status of 4") { // a page that says no
			return ""
		}
		return "the browser says: " + e.Entry.Text + " " + e.Entry.URL
	})
	watch(b, &watching, runtime.ExceptionThrown, func(e runtime.EventExceptionThrown) string {
		return fmt.Sprintf("a script failed: %v", e.ExceptionDetails)
	})
	watch(b, &watching, runtime.ConsoleAPICalled, func(e runtime.EventConsoleAPICalled) string {
		if e.Type != "error" && e.Type != "warning" {
			return ""
		}
		said := "a script wrote: "
		for _, a := range e.Args {
			said += string(a.Value) + a.Description + " "
		}
		return said
	})
	watch(b, &watching, network.RequestWillBeSent, func(e network.EventRequestWillBeSent) string {
		if u := e.Request.URL; (b.also == "" || !strings.HasPrefix(u, b.also)) && !strings.HasPrefix(u, b.address) && !strings.HasPrefix(u, "about:") && !strings.HasPrefix(u, "data:") { // an icon of a field
			return "a page asks for " + u
		}
		return ""
	})
	call(b, network.Enable, network.EnableParams{})
	call(b, log.Enable, cdp.Empty{})
	call(b, runtime.Enable, cdp.Empty{})
	t.Cleanup(func() {
		cancel()
		cancelAll()
		watching.Wait()
		for _, p := range b.problems {
			t.Error(p)
		}
	})
	return b
}

// watch notes what no page may do: break its policy, write errors to the console
// of the browser, or ask for anything elsewhere.
func watch[E any](b *browser, watching *sync.WaitGroup, event cdp.Event[E], problem func(E) string) {
	events := chromedp.Events(b.ctx, event)
	watching.Go(func() {
		for e, err := range events {
			if err != nil {
				return // it was closed
			}
			if p := problem(e); p != "" {
				b.mu.Lock()
				if !b.offline || !strings.Contains(p, "Failed to load resource") && !strings.Contains(p, "htmx:error") && !strings.Contains(p, "htmx:sse:error") {
					b.problems = append(b.problems, p)
				}
				b.mu.Unlock()
			}
		}
	})
}

// call sends a command to the browser.
func call[P, R any](b *browser, command cdp.Command[P, R], params P) {
	b.t.Helper()
	if _, err := chromedp.Call(b.ctx, command, params); err != nil {
		b.t.Fatal(err)
	}
}

// patience is how long a page may take on a busy machine.
const patience = time.Minute

func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	b.wait(chromedp.Steps(steps...), "")
}

// wait runs an action, and shows the page if it fails.
func (b *browser) wait(a chromedp.Action[chromedp.Void], what string) {
	b.t.Helper()
	if _, err := chromedp.Run(b.ctx, func(context.Context, *chromedp.Target) (chromedp.Void, error) { return chromedp.Void{}, nil }); err != nil {
		b.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if _, err := chromedp.Run(ctx, a); err != nil {
		at, _ := chromedp.Run(b.ctx, chromedp.Location())                                           // for the message
		text, _ := chromedp.Run(b.ctx, chromedp.Evaluate[string](`document.body?.innerText ?? ""`)) // likewise
		b.t.Fatalf("%s%v at %s:\n%.3000s", what, err, at, text)
	}
}

// visit opens a page of the console.
func (b *browser) visit(page string) *browser {
	b.t.Helper()
	b.do(chromedp.Navigate(b.address + page))
	return b
}

// signIn signs a user in.
func (b *browser) signIn(user, password string) *browser {
	b.t.Helper()
	b.visit("login")
	b.do(chromedp.SetValue(chromedp.CSS(`[name=user]`), user), chromedp.SetValue(chromedp.CSS(`[name=secret]`), password),
		chromedp.Click(chromedp.CSS(`.login .primary`)), chromedp.WaitVisible(chromedp.CSS(`.app`)))
	return b.loaded()
}

// loaded waits until the scripts of a page that is seen have run: before that no key
// is heard, and what opens a dialog leads to a page of its own.
func (b *browser) loaded() *browser {
	b.t.Helper()
	return b.becomes(`document.readyState === "complete"`)
}

// size sets the size of the window, and the theme of the system. The page follows.
func (b *browser) size(width int64, dark bool) *browser {
	b.t.Helper()
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	b.do(chromedp.EmulateViewport(width, 900))
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
	return b.becomes(fmt.Sprintf(`innerWidth === %d && matchMedia("(prefers-color-scheme: %s)").matches`, width, scheme))
}

// click clicks the first element of a selector, once it is visible.
func (b *browser) click(selector string) *browser {
	b.t.Helper()
	b.loaded()
	b.wait(again(chromedp.WaitVisible(chromedp.CSS(selector)), chromedp.Click(chromedp.CSS(selector))), selector+": ")
	return b
}

// again repeats steps while an update exchanges their element for another between
// the search for it and what is done to it: then nothing was done. People do not
// notice, since they point at the page, and not at an element.
func again(steps ...chromedp.Action[chromedp.Void]) chromedp.Action[chromedp.Void] {
	return func(ctx context.Context, t *chromedp.Target) (done chromedp.Void, err error) {
		for {
			done, err = chromedp.Steps(steps...)(ctx, t)
			if err == nil || ctx.Err() != nil || !strings.Contains(err.Error(), "Could not find node with given id") {
				return done, err
			}
		}
	}
}

// fill enters a text.
func (b *browser) fill(selector, text string) *browser {
	b.t.Helper()
	b.wait(again(chromedp.WaitVisible(chromedp.CSS(selector)), chromedp.SetValue(chromedp.CSS(selector), text)), selector+": ")
	return b
}

// sees waits until the page has a text.
func (b *browser) sees(text string) *browser {
	b.t.Helper()
	quoted, _ := json.Marshal(text) // of a string
	b.becomes(`document.body.innerText.includes(` + string(quoted) + `)`)
	return b
}

// becomes waits until an expression is true, even if another page is loading.
func (b *browser) becomes(expression string) *browser {
	b.t.Helper()
	b.wait(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		for {
			ok, err := chromedp.Evaluate[bool](expression)(ctx, t)
			if err == nil && ok {
				return chromedp.Void{}, nil
			}
			select { // the error may come from a page that is being left
			case <-ctx.Done():
				return chromedp.Void{}, errors.Join(ctx.Err(), err)
			case <-time.After(50 * time.Millisecond):
			}
		}
	}, expression+": ")
	return b
}

// value evaluates an expression.
func value[T any](b *browser, expression string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.t.Fatal(err)
	}
	return v
}

// at returns the page that is shown.
func (b *browser) at() string {
	b.t.Helper()
	return strings.TrimPrefix(value[string](b, "location.href"), b.address)
}
