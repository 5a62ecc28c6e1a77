package main

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/await"
)

func matches(pattern, text string) bool { return regexp.MustCompile(pattern).MatchString(text) }

func TestWhatTheServerHidesIsShownAsHidden(t *testing.T) {
	s := serve(t, func(c *admin.Config) { c.HidePayloads, c.Mask = true, []string{"pin"} })
	s.exec(t, seeds...)
	for _, c := range []struct{ who, line, want, not string }{
		{"vera", "dlq show a1", "The server hides headers and payload from your role", "pin|k: v"},
		{"vera", "dlq show a1 -o json", `"failures":`, "payload|headers|unreadable"},
		{"vera", "events show e1", "The server hides headers and payload from your role", "pin|k: v"},
		{"vera", "events list --payloads --key 7", `  hidden\n`, "pin"},
		{"vera", "events list --payloads -o json", `"id":"e1"`, "payload|headers"},
		{"olga", "dlq show a1", `{"n":1,"pin":"\*\*\*"}`, "42"},
		{"olga", "events list --payloads", `{"n":1,"pin":"\*\*\*"}`, "42"},
		{"olga", "dlq show c1", `"\*\*\*"`, "bytes"},
		{"ann", "dlq show a1", `{"n":1,"pin":42}`, "hides"},
		{"ann", "events list --payloads", `{"n":1,"pin":42}`, "hidden"},
	} {
		got := s.through(t, c.who, c.line)
		if got.code != exitOK || !matches(c.want, got.stdout) || matches(c.not, got.stdout) {
			t.Errorf("%s: outbox %s: %+v", c.who, c.line, got)
		}
	}
}

func TestTheCredentialsComeFromFlagsOrTheEnvironment(t *testing.T) {
	s := serve(t)
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("token-ann\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	works := func(args ...string) {
		t.Helper()
		if code, _, errs := call(t.Context(), append([]string{"pause", "--all"}, args...)...); code != exitOK {
			t.Error(errs)
		}
	}
	works("--api", s.url, "--token-file", file)
	user, _ := url.Parse(s.url)
	user.User = url.UserPassword("ann", "p@ss")
	works("--api", user.String())
	t.Setenv(databaseVariable, "sqlite://none.db") // a flag counts for more
	t.Setenv(apiTokenVariable, "token-bob")
	works("--api", s.url)
	works("--api", user.String()) // as ann
	t.Setenv(databaseVariable, "")
	t.Setenv(apiVariable, s.url)
	works()
	works("--database", s.address, "--by", "cyd")
	_, out, _ := call(t.Context(), "audit", "--csv")
	if got := regexp.MustCompile(`,(ann|bob|cyd),pause,`).FindAllString(out, -1); strings.Join(got, "") != ",cyd,pause,,bob,pause,,ann,pause,,bob,pause,,ann,pause,,ann,pause," {
		t.Errorf("the audit log has %q", got)
	}
}

func TestCompletionAsksTheAPI(t *testing.T) {
	s := serve(t)
	s.exec(t, seeds...)
	t.Setenv(apiVariable, s.url)
	t.Setenv(apiTokenVariable, "token-vera")
	for line, want := range map[string]string{
		"dlq show a": "a1\tOrderPlaced: refused: gateway", "pause Order": "OrderMoved\n", "dlq mark 9": "9f86\t",
		"alerts mute 0": "00000000000000aa\t", "jobs cancel j": "j1\treplay by ann", "dlq list --type OrderP": "OrderPaid\n",
	} {
		if code, out, errs := call(t.Context(), append([]string{"__complete"}, words(line)...)...); code != exitOK || !strings.Contains(out, want) {
			t.Errorf("%s: exit code %d: %s%s", line, code, out, errs)
		}
	}
	t.Setenv(apiTokenVariable, "wrong")
	if _, out, errs := call(t.Context(), "__complete", "dlq", "show", ""); out != ":4\n" || strings.Contains(errs, "outbox:") {
		t.Errorf("a refused completion prints %q and %q", out, errs)
	}
}

func TestTailFollowsThroughTheAPI(t *testing.T) {
	s := serve(t)
	write := func(eventType string) {
		if err := s.db.Writer().InTx(t.Context(), func(ctx context.Context, tx dburl.Tx) error {
			return tx.Write(ctx, outbox.Event{Type: eventType, JSON: []byte(`{"n":1}`)})
		}); err != nil {
			t.Error(err)
		}
	}
	write("before")
	var f operatorFlags
	f.add(&cobra.Command{})
	f.api, f.token = s.url, "token-vera"
	err := f.with(t.Context(), func(ctx context.Context, db operator) error {
		ctx, end := context.WithCancel(ctx)
		out := untilWritten{end: end}
		tailing := tail{app: &app{stdout: &out, stderr: &out}, db: db, out: listOutput{text}, payloads: true}
		if es, more, err := tailing.next(ctx); len(es) > 0 || more || err != nil {
			t.Errorf("%d events, more %t, error %v: want none at first", len(es), more, err)
		}
		write("after")
		err := tailing.follow(ctx)
		if got := out.String(); !strings.Contains(got, `  after  -  {"n":1}`) || strings.Count(got, "\n") != 1 {
			t.Errorf("tail printed %q", got)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestAnInterruptCancelsAJobThroughTheAPI(t *testing.T) {
	s := serve(t)
	s.exec(t, `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
		INSERT INTO outbox_dlq_event (event_id, seq, event_type, payload, attempts, created_at, died_at, last_error, claim_no) SELECT 'd' || i, i, 'T', '1', 1, 1, i, 'no', 1 FROM n`)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan asked, 1)
	go func() {
		code, out, errs := call(ctx, "dlq", "retry", "--all", "--yes", "--rate", "1", "--api", s.url, "--token", "token-olga")
		done <- asked{code, out, errs}
	}()
	await.Until(t, "a daemon runs the job", func() bool {
		js, _, err := s.db.Store.ListJobs(t.Context(), driver.JobFilter{}, "", 1)
		return err == nil && len(js) > 0 && js[0].Owner != ""
	})
	cancel()
	if got := <-done; got.code != exitInterrupted || !strings.Contains(got.stdout, "back in the outbox") {
		t.Errorf("an interrupt ends with %+v", got)
	}
	if js, _, err := s.db.Store.ListJobs(t.Context(), driver.JobFilter{}, "", 1); err != nil || js[0].State != "cancelled" || js[0].DecidedBy != "olga" {
		t.Errorf("the job is %+v, error %v", js, err)
	}
}
