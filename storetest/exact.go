package storetest

import (
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
			Check: check(func(k *kit[Tx]) { k.roundTrip(jsonSamples()) }),
		},
		{
			Name:  "bytes arrive byte for byte",
			Why:   "not everything is text, and an empty payload is a payload",
			Check: check(func(k *kit[Tx]) { k.roundTrip(byteSamples()) }),
		},
		{
			Name:  "headers arrive exactly",
			Why:   "they carry trace contexts, signatures and whatever else applications need",
			Check: check(func(k *kit[Tx]) { k.roundTrip(headerSamples()) }),
		},
		{
			Name:  "every field takes its maximum length in characters",
			Why:   "what passed validation must not fail in the database, and the business transaction with it",
			Check: check(fieldsTakeTheirMaximum[Tx]),
		},
		{
			Name:  "ids are compared byte for byte",
			Why:   "two events whose ids differ only in case are two events",
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
			Name:  "stored events share no memory with callers or receivers",
			Why:   "callers reuse buffers, and a listener may change what it got",
			Check: check(nothingIsShared[Tx]),
		},
	}
}

// samples are events by what is odd about them.
type samples map[string]outbox.Event

// writeSamples writes them into one lane. It returns a check that an event is
// the one written.
func (k *kit[Tx]) writeSamples(es samples) (same func(where string, got outbox.Event, problem error)) {
	k.Helper()
	names, want := map[string]string{}, map[string]outbox.Event{}
	for name, e := range es {
		e.Type = lane
		e.ID = k.write(e)[0]
		names[e.ID], want[e.ID] = name, e
	}
	return func(where string, got outbox.Event, problem error) {
		k.Helper()
		if problem != nil {
			k.Errorf("%s, %s: problem %v", names[got.ID], where, problem)
		} else if d := difference(got, want[got.ID], k.ClockResolution); d != "" {
			k.Errorf("%s, %s: %s", names[got.ID], where, d)
		}
	}
}

// claimSamples claims n of them, looks at each, and settles them.
func (k *kit[Tx]) claimSamples(n int, next driver.OutcomeKind, look func(e outbox.Event, problem error)) {
	k.Helper()
	a := driver.NewOwner("a")
	cs := k.claim(a, lane)
	if len(cs) != n {
		k.Fatalf("claimed %d events, want %d", len(cs), n)
	}
	var outcomes []driver.Outcome
	for _, c := range cs {
		look(c.Event, c.Problem)
		outcomes = append(outcomes, driver.Outcome{Held: c.Held, Kind: next, Attempts: 1, Error: "no"})
	}
	k.mustSettle(a, outcomes...)
}

// roundTrip checks that events come out of the store as they were written, even
// after a retry.
func (k *kit[Tx]) roundTrip(es samples) {
	k.Helper()
	same := k.writeSamples(es)
	k.claimSamples(len(es), driver.Retry, func(e outbox.Event, problem error) { same("claimed", e, problem) })
	k.claimSamples(len(es), driver.Done, func(e outbox.Event, problem error) { same("claimed after a retry", e, problem) })
}

func fieldsTakeTheirMaximum[Tx any](k *kit[Tx]) {
	for char, e := range longest() {
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
	}
}

func idsAreExact[Tx any](k *kit[Tx]) {
	ids := oddIDs()
	for _, id := range ids {
		k.write(named(id))
	}
	a := driver.NewOwner("a")
	cs := k.claim(a, lane)
	k.sameIDs("claimed", idsOf(cs), ids)
	half := len(cs) / 2
	for _, c := range cs[:half] {
		k.mustSettle(a, driver.Outcome{Held: c.Held, Kind: driver.Dead, Error: c.EventID})
	}
	k.dead(idsOf(cs[:half])...)
	k.kept(idsOf(cs[half:])...)
}

func timesAreExact[Tx any](k *kit[Tx]) {
	k.roundTrip(timeSamples())
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
