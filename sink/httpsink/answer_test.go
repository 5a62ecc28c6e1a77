package httpsink

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func TestEveryStatusHasItsMeaning(t *testing.T) {
	rc := newReceiver(t)
	s := open(t, Config{URL: rc.URL + "/hook"})
	for status, want := range map[int]string{
		200: "delivered", 201: "delivered", 202: "delivered", 204: "delivered",
		301: "counted", 302: "counted", 304: "counted",
		400: "permanent", 401: "permanent", 403: "permanent", 404: "permanent", 409: "permanent", 410: "permanent", 422: "permanent",
		408: "unavailable", 425: "counted", 429: "unavailable",
		500: "counted", 501: "counted", 502: "unavailable", 503: "unavailable", 504: "unavailable", 507: "counted", 599: "counted",
	} {
		rc.answers(func(w http.ResponseWriter, _ *http.Request, _ outbox.Received) bool {
			w.WriteHeader(status)
			if status != http.StatusNoContent && status != http.StatusNotModified {
				_, _ = fmt.Fprint(w, "because\x00of this ", strings.Repeat("x", 100_000))
			}
			return true
		})
		err := s.Send(t.Context(), []outbox.Message{message("a")})[0]
		if got := meaning(err); got != want {
			t.Errorf("%d is %s (%v), want %s", status, got, err, want)
		}
		if uncertain := status == 502 || status == 504 || status == 599; driver.IsUncertain(err) != uncertain {
			t.Errorf("%d: the message may have been delivered: %t, want %t", status, !uncertain, uncertain)
		}
		if err == nil {
			continue
		}
		if text := err.Error(); !strings.Contains(text, fmt.Sprint(status)) || len(text) > 1000 {
			t.Errorf("%d: text %q, want the status and a bounded excerpt", status, text)
		}
		if status != 304 && !strings.Contains(err.Error(), "because") {
			t.Errorf("%d: text %q, want an excerpt of the answer", status, err)
		}
	}
}

func meaning(err error) string {
	_, counted, asked := driver.RetryDelay(err)
	switch {
	case err == nil:
		return "delivered"
	case outbox.IsPermanent(err):
		return "permanent"
	case outbox.IsUnavailable(err):
		return "unavailable"
	case asked && !counted:
		return "not yet"
	}
	return "counted"
}

func TestRetryAfterIsHonoured(t *testing.T) {
	rc := newReceiver(t)
	s := open(t, Config{URL: rc.URL + "/hook", MaxRetryAfter: 10 * time.Minute})
	const format = "Mon, 02 Jan 2006 15:04:05 GMT"
	skewed := time.Now().UTC().Add(5 * time.Hour)
	for _, c := range []struct {
		status      int
		after, date string
		want        time.Duration
		asked       bool
	}{
		{500, "7", "", 7 * time.Second, true},
		{503, "7", "", 7 * time.Second, true},
		{429, "0", "", 0, true},
		{503, "86400", "", 10 * time.Minute, true},
		{503, "4294967296", "", 10 * time.Minute, true},
		{503, "99999999999999999999999999", "", 10 * time.Minute, true},
		{500, "18446744073709551616", "", 10 * time.Minute, true},
		{503, "Fri, 31 Dec 9999 23:59:59 GMT", "", 10 * time.Minute, true},
		{503, "1e99", "", 0, false},
		{503, skewed.Add(time.Minute).Format(format), skewed.Format(format), time.Minute, true},
		{503, skewed.Add(-time.Minute).Format(format), skewed.Format(format), 0, true},
		{503, "soon", "", 0, false},
		{503, "-5", "", 0, false},
		{503, "", "", 0, false},
	} {
		rc.answers(func(w http.ResponseWriter, _ *http.Request, _ outbox.Received) bool {
			w.Header().Set("Retry-After", c.after)
			if c.date != "" {
				w.Header().Set("Date", c.date)
			}
			w.WriteHeader(c.status)
			return true
		})
		err := s.Send(t.Context(), []outbox.Message{message("a")})[0]
		delay, counted, asked := driver.RetryDelay(err)
		if delay != c.want || asked != c.asked || !counted {
			t.Errorf("%d with %q: %s (asked %t, counted %t), want %s", c.status, c.after, delay, asked, counted, c.want)
		}
	}
}

func TestTheCheckWaitsAsLongAsTheServerAsked(t *testing.T) {
	rc := newReceiver(t)
	s := open(t, Config{URL: rc.URL + "/hook"})
	busy := func(after string) {
		rc.answers(func(w http.ResponseWriter, r *http.Request, _ outbox.Received) bool {
			if r.Method == http.MethodHead {
				return false
			}
			w.Header().Set("Retry-After", after)
			w.WriteHeader(http.StatusTooManyRequests)
			return true
		})
		if err := s.Send(t.Context(), []outbox.Message{message("a")})[0]; !outbox.IsUnavailable(err) {
			t.Fatalf("got %v", err)
		}
	}
	busy("3600")
	if err := s.Check(t.Context()); !outbox.IsUnavailable(err) || !strings.Contains(err.Error(), "asked to wait") {
		t.Errorf("the check says %v", err)
	}
	busy("0")
	if err := s.Check(t.Context()); err != nil {
		t.Errorf("the check says %v", err)
	}
}

func TestTheCheckAsksTheHostThatWasDown(t *testing.T) {
	rc := newReceiver(t)
	s := open(t, Config{})
	if err := s.Check(t.Context()); err != nil {
		t.Errorf("nothing to check: %v", err)
	}
	rc.answers(func(w http.ResponseWriter, _ *http.Request, _ outbox.Received) bool {
		w.WriteHeader(http.StatusBadGateway)
		return true
	})
	m := message("a")
	m.Destination = rc.URL + "/hook"
	if err := s.Send(t.Context(), []outbox.Message{m})[0]; !outbox.IsUnavailable(err) {
		t.Fatalf("got %v", err)
	}
	if err := s.Check(t.Context()); !outbox.IsUnavailable(err) {
		t.Errorf("the check says %v", err)
	}
	rc.answers(nil)
	if err := s.Check(t.Context()); err != nil {
		t.Errorf("the check says %v", err)
	}
}

func TestAHostThatIsAwayDoesNotKeepAnotherBack(t *testing.T) {
	up, down := newReceiver(t), newReceiver(t)
	s := open(t, Config{URL: up.URL + "/hook"})
	var status atomic.Int64
	status.Store(http.StatusServiceUnavailable)
	down.answers(func(w http.ResponseWriter, _ *http.Request, _ outbox.Received) bool {
		w.Header().Set("Retry-After", "0")
		w.WriteHeader(int(status.Load()))
		return true
	})
	m := message("a")
	m.Destination = down.URL + "/hook"
	if err := s.Send(t.Context(), []outbox.Message{m})[0]; !outbox.IsUnavailable(err) {
		t.Fatalf("got %v", err)
	}
	if err := s.CheckDestination(t.Context(), m); !outbox.IsUnavailable(err) {
		t.Errorf("the host that is down: %v", err)
	}
	for _, d := range []string{up.URL + "/other", "order-placed", "/path"} {
		if err := s.CheckDestination(t.Context(), outbox.Message{Destination: d}); err != nil {
			t.Errorf("%s: %v", d, err)
		}
	}
	if err := s.CheckDestination(t.Context(), m); !outbox.IsUnavailable(err) {
		t.Errorf("the host that is down, after the others passed: %v", err)
	}
	status.Store(http.StatusMethodNotAllowed)
	if err := s.CheckDestination(t.Context(), m); err != nil {
		t.Errorf("the host that is back, and does not support HEAD: %v", err)
	}
}

func TestOnlyRedirectsThatKeepThePostAndTheHostAreFollowed(t *testing.T) {
	other := newReceiver(t)
	rc := newReceiver(t)
	s := open(t, Config{URL: rc.URL + "/old"})
	for _, c := range []struct {
		status int
		to     string
		want   string
	}{
		{307, "/hook", "delivered"},
		{308, "/hook", "delivered"},
		{301, "/hook", "counted"},
		{302, "/hook", "counted"},
		{303, "/hook", "counted"},
		{307, other.URL + "/hook", "counted"},
		{308, strings.Replace(rc.URL, "http:", "https:", 1) + "/hook", "counted"},
		{307, "/old", "counted"},
	} {
		before := len(rc.received(0, 0))
		rc.answers(func(w http.ResponseWriter, r *http.Request, _ outbox.Received) bool {
			if r.URL.Path == "/old" {
				w.Header().Set("Location", c.to)
				w.WriteHeader(c.status)
			}
			return r.URL.Path == "/old"
		})
		err := s.Send(t.Context(), []outbox.Message{message("a")})[0]
		if got := meaning(err); got != c.want {
			t.Errorf("%d to %s is %s (%v), want %s", c.status, c.to, got, err, c.want)
		}
		if got := len(rc.received(0, 0)) - before; got != map[bool]int{true: 1}[c.want == "delivered"] {
			t.Errorf("%d to %s: %d arrived", c.status, c.to, got)
		}
	}
	if got := other.received(0, 0); len(got) > 0 {
		t.Error("an event went to another host")
	}
}

func TestAMessageDoesNotOvertakeAFailedOneOfItsKey(t *testing.T) {
	rc := newReceiver(t)
	s := open(t, Config{URL: rc.URL + "/hook"})
	batch := []outbox.Message{message("a"), message("b"), message("a"), message("c"), message("a"), message("b"), message(""), message("c")}
	status := map[string]int{batch[2].Event.ID: 500, batch[1].Event.ID: 422, batch[3].Event.ID: 0}
	rc.answers(func(w http.ResponseWriter, _ *http.Request, m outbox.Received) bool {
		code := status[m.EventID]
		if code != 0 {
			w.WriteHeader(code)
		}
		return code != 0
	})
	errs := s.Send(t.Context(), batch)
	for i, want := range []string{"delivered", "permanent", "counted", "delivered", "not yet", "delivered", "delivered", "delivered"} {
		if got := meaning(errs[i]); got != want {
			t.Errorf("message %d is %s (%v), want %s", i, got, errs[i], want)
		}
	}
	if got := rc.received(5, patience); len(got) != 5 {
		t.Errorf("%d arrived, want 5", len(got))
	}
}

func TestAHostThatIsDownIsNotTriedForEveryMessage(t *testing.T) {
	rc := newReceiver(t)
	var asked int
	rc.answers(func(w http.ResponseWriter, _ *http.Request, _ outbox.Received) bool {
		asked++ // no lock: Concurrency is 1
		w.WriteHeader(http.StatusServiceUnavailable)
		return true
	})
	s := open(t, Config{URL: rc.URL + "/hook", Concurrency: 1})
	there := newReceiver(t)
	var batch []outbox.Message
	for i := range 50 {
		batch = append(batch, message(fmt.Sprint(i)))
	}
	batch[49].Destination = there.URL + "/hook"
	errs := s.Send(t.Context(), batch)
	for i, err := range errs[:49] {
		if !outbox.IsUnavailable(err) {
			t.Errorf("message %d: %v", i, err)
		}
	}
	if asked != 1 {
		t.Errorf("asked %d times", asked)
	}
	if errs[49] != nil {
		t.Errorf("another host: %v", errs[49])
	}
}

func TestMessagesOfDifferentKeysArePostedConcurrently(t *testing.T) {
	rc := newReceiver(t)
	const n = 4
	all := make(chan struct{})
	arrived := make(chan struct{}, n)
	rc.answers(func(http.ResponseWriter, *http.Request, outbox.Received) bool {
		arrived <- struct{}{}
		<-all // no answer before all requests have arrived
		return false
	})
	go func() {
		for range n {
			<-arrived
		}
		close(all)
	}()
	s := open(t, Config{URL: rc.URL + "/hook", Concurrency: n, Timeout: patience})
	var batch []outbox.Message
	for i := range n {
		batch = append(batch, message(fmt.Sprint(i)))
	}
	for _, err := range s.Send(t.Context(), batch) {
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestAnEndlessAnswerIsCutOff(t *testing.T) {
	endless := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		chunk := []byte(strings.Repeat("x", 4096))
		for r.Context().Err() == nil {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	}))
	defer endless.Close()
	s := open(t, Config{URL: endless.URL, Timeout: patience})
	began := time.Now()
	if err := s.Send(t.Context(), []outbox.Message{message("a")})[0]; err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took > patience/2 {
		t.Errorf("took %s", took)
	}
}
