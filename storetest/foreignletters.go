package storetest

import (
	"fmt"

	"github.com/sendoff-go/outbox/driver"
)

func foreignLetterLaws[Tx any]() []Law[Tx] {
	return foreign([]Law[Tx]{
		{
			Name:  "a row that another program marked dead becomes a dead letter",
			Why:   "nobody looks for dead events among the living",
			Check: check(foreignDead[Tx]),
		},
		{
			Name:  "letters that SQL has marked go back, or are resolved",
			Why:   "the specification lets people set the status of a letter with SQL",
			Check: check(markedLetters[Tx]),
		},
		{
			Name:  "the letter of a row that cannot be read says so",
			Why:   "an operator has to see what is wrong with it, and what is left of it",
			Check: check(foreignHeadersLetter[Tx]),
		},
	})
}

func foreignDead[Tx any](k *kit[Tx]) {
	k.must(k.exec(`INSERT INTO outbox_event (event_id, event_type, payload, status, attempts) VALUES ('gone', 'OrderPlaced', '1', 3, 10)`))
	k.claimNothing("it is dead", lane)
	_, err := k.Store.Sweep(k.ctx, long, 100)
	k.must(err)
	if l := k.letter("gone"); l.Attempts != 10 || l.Event.Type != lane {
		k.Errorf("the letter is %+v", l)
	}
	k.replay("gone")
	k.claimOne(driver.NewOwner("a"), long)
}

func markedLetters[Tx any](k *kit[Tx]) {
	ids := k.kill("refused", events(lane, 5)...)
	mark := func(id, status string) {
		k.must(k.exec("UPDATE outbox_dlq_event SET status = '" + status + "' WHERE event_id = '" + id + "'"))
	}
	mark(ids[0], "TO_RETRY")
	mark(ids[1], "RESOLVED")
	mark(ids[2], "TO_RETRY")
	mark(ids[3], "SOMETHING")
	k.must(k.exec("INSERT INTO outbox_event (event_id, event_type, payload) VALUES ('" + ids[2] + "', 'other', '1')"))
	for range 2 {
		_, err := k.Store.Sweep(k.ctx, long, 100)
		k.must(err)
	}
	if c := k.claimOne(driver.NewOwner("a"), long); c.EventID != ids[0] || c.Attempts != 0 {
		k.Errorf("claimed %+v, expected the one that was marked", c)
	}
	if l := k.letter(ids[1]); l.ResolvedAt.IsZero() {
		k.Errorf("%+v, expected it to be resolved", l)
	}
	k.dead(ids[3], ids[4])
	for _, id := range ids[2:] {
		if l := k.letter(id); !l.ResolvedAt.IsZero() {
			k.Errorf("%+v, expected it to be open", l)
		}
	}
}

func foreignHeadersLetter[Tx any](k *kit[Tx]) {
	a := driver.NewOwner("a")
	for i, headers := range badHeaders {
		id := fmt.Sprintf("bad-%d", i)
		k.writeBadHeaders(id, headers)
		c := k.claimOne(a, long)
		k.mustSettle(a, driver.Outcome{Held: c.Held, Kind: driver.Dead, Error: driver.ErrorText(c.Problem)})
		if l := k.letter(id); l.Problem == nil || l.Error == "" {
			k.Errorf("headers %s: the letter says %q, problem %v", headers, l.Error, l.Problem)
		}
	}
}
