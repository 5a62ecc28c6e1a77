package main

import (
	"context"
	"io"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/job"
)

// apiTokens are those of served, by the name in the audit log.
var apiTokens = map[string]admin.Role{"ann": admin.Admin, "bob": admin.Admin, "olga": admin.Operator, "vera": admin.Viewer}

// served is a database with the API of a daemon before it.
type served struct {
	db      *dburl.Handle
	address string // of the database
	url     string // of the API
}

// serve makes a database and serves its API, with the tokens token-NAME and a
// runner of jobs.
func serve(t *testing.T, change ...func(*admin.Config)) *served {
	t.Helper()
	s := &served{address: "sqlite://" + filepath.ToSlash(filepath.Join(t.TempDir(), "shop.db"))}
	if code, _, errs := call(t.Context(), "migrate", "up", "--database", s.address); code != exitOK {
		t.Fatal(errs)
	}
	db, err := dburl.Open(t.Context(), drivers, s.address, dburl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() }) // the test has its result
	s.db = db
	var tokens []admin.Token
	for name, role := range apiTokens {
		tokens = append(tokens, admin.Token{Name: name, Role: role, SHA256: admin.Sum("token-" + name)})
	}
	known, err := admin.Tokens(tokens...)
	if err != nil {
		t.Fatal(err)
	}
	users, err := admin.Users(admin.User{Name: "ann", Role: admin.Admin, SHA256: admin.Sum("p@ss")})
	if err != nil {
		t.Fatal(err)
	}
	c := admin.Config{Store: db.Store, Auth: admin.FirstOf(known, users), Rate: 100_000, FailedLogins: 1000, Logger: slog.New(slog.DiscardHandler)}
	for _, f := range change {
		f(&c)
	}
	h, err := admin.New(c)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	s.url = server.URL
	r, err := job.NewRunner(job.Config{Store: db.Store, Interval: 20 * time.Millisecond, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	var running sync.WaitGroup
	running.Go(func() { r.Run(ctx) })
	t.Cleanup(func() { stop(); running.Wait() })
	return s
}

func (s *served) exec(t *testing.T, statements ...string) {
	t.Helper()
	for _, one := range statements {
		if err := s.db.Exec(t.Context(), one); err != nil {
			t.Fatal(err)
		}
	}
}

// asked is what a command says.
type asked struct {
	code           int
	stdout, stderr string
}

// through runs a command as somebody.
func (s *served) through(t *testing.T, name, line string) asked {
	t.Helper()
	code, out, errs := call(t.Context(), append(words(line), "--api", s.url, "--token", "token-"+name)...)
	return asked{code, out, errs}
}

// words are those of a line, of which some are in single quotes.
func words(line string) (all []string) {
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			all = append(all, part)
		} else {
			all = append(all, strings.Fields(part)...)
		}
	}
	return all
}

// seeds have a relay that is alive for longer than a test takes.
var seeds = []string{
	`INSERT INTO outbox_dlq_event (event_id, seq, event_type, aggregate_type, aggregate_id, tenant_id, payload, headers, attempts, created_at, died_at, last_error, failures, claim_no, group_id) VALUES
		('a1', 1, 'OrderPlaced', 'Order', '7', 'acme', '{"n":1,"pin":42}', '{"k":"v"}', 3, 1700000000000, 1700000001000, 'refused: gateway', '[{"at":"2026-01-02T03:04:05Z","took":2345678901,"owner":"relay-1","attempt":0,"error":"no answer","class":"unavailable","maybe":true},{"at":"2026-01-02T03:04:06Z","took":1,"owner":"relay-1","attempt":3,"error":"refused: gateway","class":"permanent"}]', 5, '9f86'),
		('a2', 2, 'OrderPlaced', NULL, NULL, NULL, '2', NULL, 3, 1700000000000, 1700000002000, 'refused: gateway', NULL, 1, '9f86'),
		('a/3', 3, 'OrderPlaced', NULL, NULL, NULL, '3', NULL, 3, 1700000000000, 1700000003000, 'no such customer', NULL, 1, NULL),
		('b1', 4, 'OrderPaid', NULL, NULL, NULL, '4', NULL, 1, 1700000000000, 1700000004000, 'refused: bank', NULL, 1, NULL),
		('b2', 5, 'OrderPaid', NULL, NULL, NULL, '5', 'broken', 1, 1700000000000, 1700000005000, 'refused: bank', NULL, 1, NULL)`,
	`INSERT INTO outbox_dlq_event (event_id, seq, event_type, payload, payload_bytes, attempts, created_at, died_at, last_error, claim_no) VALUES ('c1', 6, 'Raw', NULL, x'00ff41', 1, 1700000000000, 1700000000500, 'no', 1)`,
	`INSERT INTO outbox_dlq_group (group_id, event_type, destination, reason, last_at) VALUES ('9f86', 'OrderPlaced', '', 'refused: gateway', 1700000002000)`,
	`INSERT INTO outbox_event (event_id, event_type, aggregate_type, aggregate_id, tenant_id, payload, headers, status, created_at, available_at, done_at, claim_no) VALUES
		('e1', 'OrderPlaced', 'Order', '7', 'acme', '{"n":1,"pin":42}', '{"k":"v"}', 1, 1700000000000, 1700000000000, 1700000001000, 1),
		('b2', 'OrderPaid', NULL, NULL, NULL, '5', NULL, 0, 1700000002000, 4000000000000, NULL, 0),
		('e2', 'OrderMoved', NULL, NULL, 'acme', '{"n":2}', NULL, 0, 1700000002000, 4000000000000, NULL, 0)`,
	`INSERT INTO outbox_alert (alert_id, rule, subject, severity, message) VALUES ('00000000000000aa', 'no-relay', '', 'critical', 'No relay is alive.')`,
	`INSERT INTO outbox_alert (alert_id, rule, subject, severity, message, raised_at, resolved_at) VALUES ('00000000000000bb', 'unclaimed', 'order-placed', 'critical', 'nobody', 500, 1000)`,
	`INSERT INTO outbox_instance (owner, version, seen_at, lanes, destinations) VALUES ('relay/1', '1', unixepoch('now', '+1 hour') * 1000, '["OrderPaid"]', '[{"name":"kafkasink#0:orders","down":60000000000,"reason":"refused\nby it","lanes":["OrderMoved","OrderPlaced"]},{"name":"listener:OrderPaid","lanes":["OrderPaid","OrderPlaced"]},{"name":"httpsink#1:hooks","lanes":["OrderPaid"],"more":true}]')`,
	`INSERT INTO outbox_job (job_id, action, spec, actor, note, matches, matches_more, state) VALUES ('j1', 'replay', '{"filter":{"type":"None"},"new_ids":true,"rate":7}', 'ann', '', 1, 0, 'waiting'), ('j2', 'retry', '{"filter":{"type":"None"}}', 'bob', '', 1, 0, 'waiting')`,
}

// sameLines are called twice, on databases that are alike: directly and through the
// API. A name before a colon is who does it.
var sameLines = []string{
	"status --rates=false", "status -o json", "check", "check --no-relay-ok --format prometheus",
	"dlq list", "dlq list -o json", "dlq list --type OrderPlaced --error gateway --limit 1", "dlq list --key 7 --tenant acme -o jsonl",
	"dlq list --after 1h", "dlq list --before 2023-11-14T22:13:22Z", "dlq list --resolved", "dlq list --group 9f86 --destination x",
	"dlq show a1", "dlq show a1 -o json", "dlq show a/3", "dlq show b2", "dlq show c1", "dlq show c1 -o json", "dlq show nope",
	"dlq list --payload $.n=1", "dlq list --payload n", "dlq groups", "dlq groups -o json", "dlq groups --limit 1",
	"events list", "events list -o json", "events list --payloads", "events list --payloads -o jsonl", "events list --status done --key 7", "events list --payload $.n=2", "events list --payload $.n=1 --payloads -o jsonl", "events list --payload n", "events list --payload $.n=9",
	"events show e1", "events show e1 -o json", "events show e2", "events show nope",
	"alerts", "alerts -o jsonl --limit 1", "jobs", "jobs -o json", "jobs show j1", "jobs show j1 -o json", "jobs show none", "audit", "audit -o json",

	"ann: dlq mark 9f86 investigating --note 'asking the bank'", "dlq groups", "ann: dlq mark 9f86 muted --for 24h", "dlq groups", "ann: dlq mark none new", "ann: dlq mark 9f86 new -o json", "ann: dlq note a1 nope --note x -o json",
	"ann: dlq note a1 nope --note 'ask the bank'", "dlq show a1", "ann: dlq note a1 --note ''", "ann: dlq retry --payload $.n=1 --dry-run",
	"ann: dlq retry a1 nope --note 'gateway is back'", "ann: dlq resolve a/3 -o json", "ann: dlq delete c1", "ann: dlq delete c1 --yes",
	"ann: dlq edit a2 --payload broken.json", "ann: dlq edit a2 --header x=y --remove-header k", "ann: dlq edit a2 --header outbox_x=y", "ann: dlq edit a2 --payload mended.json --header x=y --note typo", "dlq show a2", "events show a2",
	"ann: dlq edit a2 --header x=y", "ann: dlq edit b2 --header x=y", "ann: dlq retry b2", "ann: dlq edit b1 --payload bytes.bin --bytes -o json", "events show b1", "dlq list --resolved -o json",
	"ann: dlq retry --error bank --dry-run", "ann: dlq retry --error bank --dry-run -o json", "ann: dlq retry --error bank", "ann: dlq retry --error bank --yes --note back",
	"ann: dlq retry --all --yes -o json", "ann: dlq resolve --type None --yes", "events list",
	"ann: replay --type OrderPlaced", "ann: replay --destination kafkasink#0:orders --dry-run", "ann: replay --destination kafkasink#0:orders --dry-run -o json", "ann: replay --destination kafkasink#0:orders", "ann: replay --destination httpsink#1:hooks --dry-run", "ann: replay --destination httpsink#1:hooks --type OrderPaid --dry-run", "ann: replay --destination nowhere --yes", "ann: replay --destination kafkasink#0:orders --type OrderPaid --yes", "ann: replay --key 7 --new-ids --rate 100 --yes", "ann: replay --all --yes", "ann: replay --destination kafkasink#0:orders --key 0 --yes -o json", "ann: erase --tenant acme --dry-run", "ann: erase --tenant acme --yes", "events list --payloads", "ann: dlq retry a2 nope", "ann: dlq resolve a2",
	"ann: pause OrderPaid OrderPlaced --note slow", "ann: pause --all", "check --no-relay-ok", "ann: resume --all", "ann: resume OrderPaid OrderPlaced", "ann: pause OrderPaid --destination d -o json", "ann: resume OrderPaid --destination d -o json",
	"ann: pause --destination kafkasink#0:orders --destination none OrderPaid", "check", "ann: resume --destination none OrderPaid", "ann: pause", "ann: pause --destination ''",
	"ann: alerts mute 00000000000000aa --for 24h --note mending", "alerts", "ann: alerts unmute 00000000000000aa", "ann: alerts unmute none", "ann: alerts mute 00000000000000aa --for 2d -o json", "ann: alerts unmute 00000000000000aa -o json", "alerts",
	"ann: jobs consent j1", "bob: jobs consent j1", "jobs run j1", "jobs show j1", "bob: jobs consent j1", "ann: jobs cancel j2 -o json", "ann: jobs cancel j2 -o json", "ann: jobs cancel none", "jobs run j2", "jobs run none",
	"jobs", "audit", "audit --csv", "audit --limit 1 -o json",
	"dlq list --limit 0", "dlq retry", "ann: dlq retry a1 --id 01M7KYSS57BTHAXT4Y24NXCHYH", "ann: dlq retry --all --yes --id mine", "events list --status lost",
}

// varying is what two runs cannot have in common: times, ids and who ran a job.
var varying = []*regexp.Regexp{
	regexp.MustCompile(`20[2-9]\d-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?Z?`), regexp.MustCompile(`\b0[0-9A-Z]{25}\b`),
	regexp.MustCompile(`oldest=[\d.]+s`), regexp.MustCompile(`"run_by":"[^"]*",?`), regexp.MustCompile(`(?m)^run by .*\n`),
}

func alike(a asked) asked {
	for _, v := range varying {
		a.stdout, a.stderr = v.ReplaceAllString(a.stdout, "…"), v.ReplaceAllString(a.stderr, "…")
	}
	return a
}

func TestEveryCommandSaysTheSameThroughTheAPI(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFiles(t, map[string]string{"mended.json": `{"n": 2}`, "broken.json": `{"n": `, "bytes.bin": "\x00\xff"})
	here, there := serve(t), serve(t)
	for _, s := range []*served{here, there} {
		s.exec(t, seeds...)
	}
	called := map[string]bool{}
	for _, line := range sameLines {
		who, command, changes := strings.Cut(line, ": ")
		if !changes {
			who, command = "vera", line
		}
		args := append(words(command), "--database", here.address)
		if changes {
			args = append(args, "--by", who)
		}
		code, out, errs := call(t.Context(), args...)
		want, got := alike(asked{code, out, errs}), alike(there.through(t, who, command))
		if got != want {
			t.Errorf("outbox %s\nthrough the API: %d\n%s%s\ndirectly: %d\n%s%s", command, got.code, got.stdout, got.stderr, want.code, want.stdout, want.stderr)
		}
		c, _, err := (&app{stdout: io.Discard, stderr: io.Discard}).root().Find(words(command))
		if err != nil {
			t.Fatal(err)
		}
		called[c.CommandPath()] = true
	}
	for _, c := range documented((&app{stdout: io.Discard, stderr: io.Discard}).root()) {
		apart := c.CommandPath() == "outbox events tail" || c.CommandPath() == "outbox top" // which show the time
		if works := c.Flags().Lookup("api") != nil; works && !called[c.CommandPath()] && !apart {
			t.Errorf("%s is not compared", c.CommandPath())
		}
	}
}

func writeFiles(t *testing.T, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
