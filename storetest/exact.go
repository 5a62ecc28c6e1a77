package storetest

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func exactLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "JSON text arrives byte for byte",
			Why:   "signatures and hashes are made over bytes, and the hot path delivers the original",
			Check: check(jsonIsExact[Tx]),
		},
		{
			Name:  "bytes arrive byte for byte",
			Why:   "not everything is text, and an empty payload is a payload",
			Check: check(bytesAreExact[Tx]),
		},
		{
			Name:  "headers arrive exactly",
			Why:   "they carry trace contexts, signatures and whatever else people put there",
			Check: check(headersAreExact[Tx]),
		},
		{
			Name:  "every field takes its maximum length in characters",
			Why:   "what passed the checks must not fail in the database, and with it the business transaction",
			Check: check(fieldsTakeTheirMaximum[Tx]),
		},
		{
			Name:  "ids are compared byte for byte",
			Why:   "two events whose ids differ in case only are two events",
			Check: check(idsAreExact[Tx]),
		},
		{
			Name:  "times arrive as they were, to the store's resolution",
			Why:   "a column that rounds, shifts a zone or overflows tells receivers a wrong time",
			Check: check(timesAreExact[Tx]),
		},
		{
			Name:  "the hot path's event is the one that the poller finds",
			Why:   "a receiver must not be able to tell which way an event came",
			Check: check(hotIsCold[Tx]),
		},
		{
			Name:  "what was written shares no memory with the caller, nor with a receiver",
			Why:   "callers reuse buffers, and a listener may change what it got",
			Check: check(nothingIsShared[Tx]),
		},
	}
}

// roundTrip writes events and checks them on every way out of the store: a
// claim, a claim after a retry, a dead letter, a replay.
func (k *kit[Tx]) roundTrip(es map[string]outbox.Event) {
	k.Helper()
	names, want := map[string]string{}, map[string]outbox.Event{}
	for name, e := range es {
		e.Type = lane
		e.ID = k.write(e)[0]
		names[e.ID], want[e.ID] = name, e
	}
	same := func(where string, got outbox.Event, problem error) {
		k.Helper()
		if problem != nil {
			k.Errorf("%s, %s: problem %v", names[got.ID], where, problem)
		} else if d := difference(got, want[got.ID], k.ClockResolution); d != "" {
			k.Errorf("%s, %s: %s", names[got.ID], where, d)
		}
	}
	a := driver.NewOwner("a")
	for _, step := range []struct {
		where string
		next  driver.OutcomeKind
	}{{"claimed", driver.Retry}, {"claimed after a retry", driver.Dead}, {"claimed after a replay", driver.Done}} {
		cs := k.claim(a, lane)
		if len(cs) != len(es) {
			k.Fatalf("%s: %d events, written were %d", step.where, len(cs), len(es))
		}
		var outcomes []driver.Outcome
		for _, c := range cs {
			same(step.where, c.Event, c.Problem)
			outcomes = append(outcomes, driver.Outcome{Held: c.Held, Kind: step.next, Attempts: 1, Error: "no"})
		}
		k.mustSettle(a, outcomes...)
		if step.next != driver.Dead {
			continue
		}
		ls, err := k.Store.ListDead(k.ctx, driver.DeadFilter{}, nil, all)
		k.must(err)
		if len(ls) != len(es) {
			k.Fatalf("%d dead letters, expected %d", len(ls), len(es))
		}
		for _, l := range ls {
			same("as a dead letter", l.Event, l.Problem)
			k.replay(l.Event.ID)
		}
	}
}

func jsonIsExact[Tx any](k *kit[Tx]) {
	es := map[string]outbox.Event{}
	for _, text := range []string{
		`{}`, `[]`, `null`, `true`, `0`, `""`, `-0`, `-0.0`,
		`{"b":1,"a":2}`,                  // order of keys
		" {\n\t\"a\" :  1 }\r\n ",        // spaces
		`{"a":1,"a":2}`,                  // a key twice
		`1234567890123456789012345.0100`, // more digits than a float has
		`1E400`, `1e-400`, `1.0E+2`,      // beyond a float
		`"\u0000 \ud83d\ude42 \u00e9 \/ \b\f\n\r\t"`, // escapes
		`"\ud800"`,                // half a character
		"\"é 🙂 \u2028 \ufeff ￿\"", // unescaped
		`{"":""}`, `{"'":"''","\\":"\\\\","%s":"?$1:a"}`,
		"\"\x7f <>& \"",
		strings.Repeat("[", 1500) + strings.Repeat("]", 1500),
	} {
		es[fmt.Sprintf("JSON %s", short([]byte(text)))] = outbox.Event{JSON: []byte(text)}
	}
	big := []byte(`"` + strings.Repeat("é", outbox.MaxPayload/2-1) + `"`)
	es["JSON of 1 MiB"] = outbox.Event{JSON: big}
	k.roundTrip(es)
}

func bytesAreExact[Tx any](k *kit[Tx]) {
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	k.roundTrip(map[string]outbox.Event{
		"no bytes":       {Bytes: []byte{}},
		"a NUL":          {Bytes: []byte{0}},
		"every byte":     {Bytes: every},
		"text like JSON": {Bytes: []byte(` {"a":1} `)},
		"text like hex":  {Bytes: []byte(`\x41`)},
		"1 MiB":          {Bytes: bytes.Repeat(every, outbox.MaxPayload/256)},
	})
}

func headersAreExact[Tx any](k *kit[Tx]) {
	var control strings.Builder
	for r := range rune(0x20) {
		control.WriteRune(r)
	}
	k.roundTrip(map[string]outbox.Event{
		"no headers": {JSON: []byte(`1`)},
		"quotes":     {JSON: []byte(`1`), Headers: map[string]string{`"`: `"'\"\\`, "'": `''`, "`": "`"}},
		"control":    {JSON: []byte(`1`), Headers: map[string]string{"c": control.String() + "\x7f\u0085\u2028\ufeff", "\x00": "\x00"}},
		"emoji":      {JSON: []byte(`1`), Headers: map[string]string{"🙂": "👩‍👩‍👧", "é": "e\u0301", "\U0010ffff": "\ufffd"}},
		"empty":      {JSON: []byte(`1`), Headers: map[string]string{"empty": "", " ": " "}},
		"case":       {JSON: []byte(`1`), Headers: map[string]string{"a": "1", "A": "2"}},
		"markup":     {JSON: []byte(`1`), Headers: map[string]string{"<&>": "<&>", "null": "null", "%": "%s"}},
		"trace":      {Bytes: []byte{1}, Headers: map[string]string{driver.HeaderTraceParent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", driver.HeaderTraceState: "a=b,c=d"}},
		"long":       {JSON: []byte(`1`), Headers: map[string]string{"long": strings.Repeat("x", outbox.MaxHeaders-100)}},
	})
}

func fieldsTakeTheirMaximum[Tx any](k *kit[Tx]) {
	for _, char := range []string{"x", "é", "語", "🙂", "'", `"`, `\`, "%", "\n", " "} {
		e := event(strings.Repeat(char, outbox.MaxTypeLength))
		e.AggregateType = strings.Repeat(char, outbox.MaxAggregateType)
		e.AggregateID = strings.Repeat(char, outbox.MaxAggregateID)
		e.TenantID = strings.Repeat(char, outbox.MaxTenantID)
		e.CorrelationID = strings.Repeat(char, outbox.MaxCorrelationID)
		e.TraceID = strings.Repeat(char, outbox.MaxTraceID)
		e.ID = k.write(e)[0]
		owner := driver.NewOwner(strings.Repeat("o", 200))
		cs := k.claim(owner, e.Type)
		if len(cs) != 1 {
			k.Errorf("a lane of %d times %q: claimed %d events, expected 1", outbox.MaxTypeLength, char, len(cs))
			continue
		}
		if d := difference(cs[0].Event, e, k.ClockResolution); d != "" {
			k.Errorf("fields of %q: %s", char, d)
		}
		k.mustSettle(owner, driver.Outcome{Held: cs[0].Held, Kind: driver.Dead, Error: "no"})
		if d := difference(k.letter(e.ID).Event, e, k.ClockResolution); d != "" {
			k.Errorf("fields of %q, as a dead letter: %s", char, d)
		}
	}
}

func idsAreExact[Tx any](k *kit[Tx]) {
	ids := []string{
		"abc", "ABC", "Abc", "abc.", "ab", strings.Repeat("~", outbox.MaxIDLength),
		`'"\%_` + "`", "{}", "null", "0", "00", "1e3", "1000", "--", "a,b", "$1", "?",
	}
	for _, id := range ids {
		k.write(named(id))
	}
	a := driver.NewOwner("a")
	cs := k.claim(a, lane)
	k.sameIDs("claimed", idsOf(cs), ids)
	for _, c := range cs {
		k.mustSettle(a, driver.Outcome{Held: c.Held, Kind: driver.Dead, Error: c.EventID})
	}
	for _, id := range ids {
		if l := k.letter(id); l.Event.ID != id || l.Error != id {
			k.Errorf("the letter of %q is that of %q (%q)", id, l.Event.ID, l.Error)
		}
	}
	k.replay(ids...)
	k.sameIDs("claimed after a replay", idsOf(k.claim(a, lane)), ids)
}

func timesAreExact[Tx any](k *kit[Tx]) {
	tokyo := time.FixedZone("", 9*60*60)
	es := map[string]outbox.Event{}
	for _, at := range []time.Time{
		time.Date(2026, 3, 29, 2, 30, 0, 123456000, time.UTC), // an hour that daylight saving skips
		time.Date(2026, 10, 25, 1, 59, 59, 999999000, tokyo),
		time.Date(1969, 12, 31, 23, 59, 59, 999001000, time.UTC),
		time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(1900, 1, 1, 0, 0, 0, 1000, time.UTC),
		time.Date(1000, 1, 2, 0, 0, 0, 0, time.UTC),
		time.Date(2038, 1, 19, 3, 14, 8, 0, time.UTC),
		time.Date(2262, 4, 12, 0, 0, 0, 0, time.UTC), // beyond 64 bits of nanoseconds
		time.Date(9998, 12, 31, 23, 59, 59, 999999000, time.UTC),
		time.Now(),
	} {
		e := outbox.Event{JSON: []byte(`1`), OccurredAt: at}
		es[at.String()] = e
	}
	k.roundTrip(es)

	due := time.Date(2001, 2, 3, 4, 5, 6, 7000000, tokyo)
	k.write(outbox.Event{Type: "past", JSON: []byte(`1`), AvailableAt: due})
	cs := k.claim(driver.NewOwner("a"), "past")
	if len(cs) != 1 || !cs[0].Position.AvailableAt.Equal(due) {
		k.Errorf("claimed %+v, expected one row due at %s", cs, due)
	}
}

func hotIsCold[Tx any](k *kit[Tx]) {
	e := outbox.Event{
		Type: lane, AggregateID: "4711", TenantID: "t", CorrelationID: "c", TraceID: "tr",
		Headers: map[string]string{"h": "é"}, JSON: []byte(`{"b": 1, "a": 2.0}`),
	}
	raw := outbox.Event{Type: lane, AggregateType: "Order", Bytes: []byte{0, 255}}
	ws := k.writeHot(brief, e, raw)
	for i, c := range k.claimSoon(driver.NewOwner("a"), long, 2) {
		if d := difference(c.Event, ws[i].Event, k.ClockResolution); d != "" {
			k.Errorf("cold and hot differ: %s", d)
		}
		if c.Seq != ws[i].Seq {
			k.Errorf("seq %d on the cold path, %d on the hot path", c.Seq, ws[i].Seq)
		}
	}
}

func nothingIsShared[Tx any](k *kit[Tx]) {
	text, raw, headers := []byte(`"original"`), []byte("original"), map[string]string{"h": "original"}
	k.inTx(func(tx Tx) error {
		_, err := k.w.WriteAll(k.ctx, tx, []outbox.Event{
			{Type: lane, JSON: text, Headers: headers},
			{Type: lane, Bytes: raw, Headers: headers},
		}...)
		copy(text, `"changed!"`)
		copy(raw, "changed!")
		headers["h"] = "changed"
		return err
	})
	a := driver.NewOwner("a")
	for round := range 3 {
		cs := k.claim(a, lane)
		if len(cs) != 2 {
			k.Fatalf("claimed %d, expected 2", len(cs))
		}
		for _, c := range cs {
			if !strings.Contains(string(c.Event.Payload()), "original") || c.Event.Headers["h"] != "original" {
				k.Errorf("round %d: %s with headers %v: somebody changed it", round, c.Event.Payload(), c.Event.Headers)
			}
			copy(c.Event.Payload(), "\"received")
			c.Event.Headers["h"] = "received"
			k.mustSettle(a, driver.Outcome{Held: c.Held, Kind: driver.Release})
		}
	}
}
