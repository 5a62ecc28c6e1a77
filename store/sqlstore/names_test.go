package sqlstore

import (
	"errors"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/driver"
)

func naming1(t *testing.T, schema string, tables Tables) *naming {
	t.Helper()
	d := fakeDialect()
	d.DefaultSchema = schema
	d.Text = func(schema, table string) string { return schema + "/" + table }
	n, err := newNaming(&d, tables)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestNamesArePutIntoTheText(t *testing.T) {
	const text = `UPDATE outbox_event e SET x = 'outbox_event' FROM outbox_dlq_event WHERE outbox_event.y = my_outbox_event;
CREATE INDEX outbox_event_pending ON outbox_event; SELECT 'outbox_schema'::regclass, outbox_dlq_event_died, outbox_events, outbox_consumed`
	for _, tt := range []struct {
		name, schema string
		tables       Tables
		want         string
	}{
		{"default names stay bare", "", Tables{}, strings.ReplaceAll(strings.ReplaceAll(text, "'outbox_event'", "'/outbox_event'"), "'outbox_schema'", "'/outbox_schema'")},
		{"a default schema qualifies tables, not indexes", "public", Tables{}, `UPDATE public.outbox_event e SET x = 'public/outbox_event' FROM public.outbox_dlq_event WHERE public.outbox_event.y = my_outbox_event;
CREATE INDEX outbox_event_pending ON public.outbox_event; SELECT 'public/outbox_schema'::regclass, outbox_dlq_event_died, outbox_events, outbox_consumed`},
		{"other names are quoted", "public", Tables{Schema: "Ops", Event: "order", DeadLetter: "graves.letters"}, `UPDATE "Ops"."order" e SET x = 'Ops/order' FROM "graves"."letters" WHERE "Ops"."order".y = my_outbox_event;
CREATE INDEX "order_pending" ON "Ops"."order"; SELECT 'Ops/outbox_schema'::regclass, "letters_died", outbox_events, outbox_consumed`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := naming1(t, tt.schema, tt.tables).rewrite(text); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestNamesOfAnythingElseAreRefused(t *testing.T) {
	for _, tables := range []Tables{
		{Event: `a"b`}, {Event: "a b"}, {Event: "a;b"}, {Event: "a.b.c"}, {Event: "."}, {Event: "a."}, {Event: ".a"},
		{Event: "tisch_ä"}, {Event: "a-b"}, {Event: "a\x00"}, {Event: strings.Repeat("x", 49)}, {Schema: "a.b"},
		{Schema: "a'b"}, {DeadLetter: "`a`"}, {Control: "a\n"}, {Instance: "$1"}, {Consumed: "a b"}, {Version: "a,b"},
		{Event: "outbox_dlq_event"}, {Event: "same", DeadLetter: "same"}, {Schema: "s", Event: "same", DeadLetter: "s.same"},
	} {
		if _, err := New(nil, fakeDialect(), Config{Tables: tables}); !errors.Is(err, driver.ErrName) {
			t.Errorf("%+v: error %v, expected ErrName", tables, err)
		}
	}
}

func TestASchemaIsRefusedWhereThereAreNone(t *testing.T) {
	d := fakeDialect()
	d.NoSchemas = true
	for _, tables := range []Tables{{Schema: "s"}, {Event: "s.t"}} {
		if _, err := New(nil, d, Config{Tables: tables}); !errors.Is(err, driver.ErrName) {
			t.Errorf("%+v: error %v, expected ErrName", tables, err)
		}
	}
}

func TestOnlyWholeWordsAreNames(t *testing.T) {
	n := naming1(t, "", Tables{Event: "ev", Job: "jobs"})
	for text, want := range map[string]string{
		"":                                  "",
		"outbox_":                           "outbox_",
		"outbox_event":                      `"ev"`,
		"outbox_event2, outbox_event_a1":    "outbox_event2, outbox_event_a1",
		"outbox_event_, xoutbox_event":      "outbox_event_, xoutbox_event",
		"'outbox_event":                     `'"ev"`,
		"outbox_event'":                     `"ev"'`,
		"'outbox_event_due'":                `'"ev_due"'`,
		"'outbox_event'outbox_job":          `'/ev'"jobs"`,
		"'outbox_event''outbox_job'":        `'/ev''/jobs'`,
		"outbox_outbox_event.outbox_job_at": `outbox_outbox_event."jobs_at"`,
	} {
		if got := n.rewrite(text); got != want {
			t.Errorf("%q becomes %q, expected %q", text, got, want)
		}
	}
}

func TestCommentsAreLeftOut(t *testing.T) {
	for text, want := range map[string]string{
		"-- a\nSELECT 1\n  -- b\nFROM c": "SELECT 1\nFROM c",
		"SELECT 1 -- a\n\n\n-- b":        "SELECT 1 -- a\n",
		"SELECT 1\n\nFROM c\n\n":         "SELECT 1\n\nFROM c\n\n",
		"--":                             "",
	} {
		if got := withoutComments(text); got != want {
			t.Errorf("%q becomes %q, expected %q", text, got, want)
		}
	}
}
