package apiclient

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/job"
)

// answers are a server's answers, one after another; the last one repeats for
// ever.
type answers struct {
	all  []string // with a status before a space, or an error
	seen int
}

func (a *answers) RoundTrip(*http.Request) (*http.Response, error) {
	one := a.all[min(a.seen, len(a.all)-1)]
	a.seen++
	status, text, _ := strings.Cut(one, " ")
	r := &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(text))}
	switch status {
	case "503":
		r.StatusCode = http.StatusServiceUnavailable
		r.Header.Set("Content-Type", "application/problem+json")
	case "lost":
		return nil, io.ErrUnexpectedEOF
	}
	return r, nil
}

func remote(t *testing.T, all ...string) (*Remote, *answers) {
	t.Helper()
	c, err := New(Options{URL: "http://localhost", Token: "t"})
	if err != nil {
		t.Fatal(err)
	}
	a := &answers{all: all}
	c.http.Transport = a
	return c, a
}

const runs, ended = `200 {"id":"j","state":"running","applied":3}`, `200 {"id":"j","state":"done","applied":5}`

func TestAJobIsWatchedThroughARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := remote(t, runs, `503 {"detail":"not yet"}`, "lost", `503 {}`, runs, ended)
		steps := 0
		j, err := c.RunJob(t.Context(), "j", func(admin.Job) { steps++ })
		if err != nil || j.Applied != 5 || steps != 2 {
			t.Errorf("it ends with %d applied after %d steps, error %v", j.Applied, steps, err)
		}
	})
}

func TestAServerThatStaysAwayEndsTheWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := remote(t, runs, "lost")
		begin := time.Now()
		j, err := c.RunJob(t.Context(), "j", nil)
		if err == nil || !strings.Contains(err.Error(), "the job goes on without this command: see outbox jobs show j") || j.Applied != 3 {
			t.Errorf("it ends with %d applied, error %v", j.Applied, err)
		}
		if took := time.Since(begin); took < watchThrough || took > watchThrough+2*time.Second {
			t.Errorf("it ends after %s", took)
		}
	})
}

func TestAnInterruptEndsTheWatchAndNotTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, a := remote(t, runs)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		if _, err := c.RunJob(ctx, "j", nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the watch ends with %v", err)
		}
		before := a.seen
		if _, err := c.StartJob(ctx, job.Spec{Action: job.Retry, All: true}, driver.Act{}); !errors.Is(err, context.DeadlineExceeded) || a.seen != before {
			t.Errorf("a start after an interrupt: %d requests, error %v", a.seen-before, err)
		}
	})
}

func TestAChangeWithoutAnAnswerMayHaveBeenMade(t *testing.T) {
	c, a := remote(t, "lost")
	_, err := c.Apply(t.Context(), "retry", driver.Act{}, []string{"a"})
	if err == nil || !strings.Contains(err.Error(), "the change may have been made: see outbox audit") || a.seen != 1 {
		t.Errorf("%d requests, error %v", a.seen, err)
	}
	_, err = c.Status(t.Context())
	if err == nil || strings.Contains(err.Error(), "may have been made") {
		t.Errorf("the error of a read says that a change may have been made: %v", err)
	}
}
