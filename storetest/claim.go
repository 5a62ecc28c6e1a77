package storetest

import (
	"fmt"
	"slices"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func claimLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "a claim returns what was written, as number 1 with no attempts",
			Why:   "a relay delivers what the claim returns, and fences with its number",
			Check: check(claimReturnsWhatWasWritten[Tx]),
		},
		{
			Name:  "a claim takes no more rows of a lane than wanted",
			Why:   "a relay asks for what it has room for; more would fill its memory without bound",
			Check: check(claimKeepsToRows[Tx]),
		},
		{
			Name:  "a claim keeps to the bytes of a lane, but takes at least one row",
			Why:   "large payloads must not fill the memory, and one that exceeds the room must not wait forever",
			Check: check(claimKeepsToBytes[Tx]),
		},
		{
			Name:  "a claim takes nothing from lanes it does not name",
			Why:   "a lane that is paused, or served by another relay, must cost and lose nothing",
			Check: check(claimKeepsToLanes[Tx]),
		},
		{
			Name:  "lane names are compared byte for byte",
			Why:   "collations that ignore case, accents or trailing spaces hand events to the wrong listener",
			Check: check(claimComparesExactly[Tx]),
		},
		{
			Name:  "claimers get disjoint rows and together all of them",
			Why:   "an event claimed twice is delivered twice, one never claimed is lost",
			Check: check(claimersAreDisjoint[Tx]),
		},
		{
			Name:  "a full lane does not keep others from being claimed",
			Why:   "one slow type, or one whose sink is down, must delay only itself",
			Check: check(lanesAreIndependent[Tx]),
		},
		{
			Name:  "one claim takes from as many lanes as it names",
			Why:   "a relay asks for all its event types at once, and there may be hundreds",
			Check: check(claimOfManyLanes[Tx]),
		},
		{
			Name:  "an event is not claimed before its time",
			Why:   "a delayed event that comes early is wrong for the receiver",
			Check: check(claimWaitsForTheTime[Tx]),
		},
		{
			Name:  "a claim with an age leaves out what became due later",
			Why:   "a round of a relay must end, however fast others write, and must leave out nothing that waited",
			Check: check(claimKeepsToTheAge[Tx]),
		},
		{
			Name:  "a claim that asks for nothing gets nothing",
			Why:   "a relay without room must neither take rows nor fail",
			Check: check(claimOfNothing[Tx]),
		},
	}
}

func claimReturnsWhatWasWritten[Tx any](k *kit[Tx]) {
	e := event(lane)
	e.AggregateType, e.AggregateID, e.Headers = "Order", "4711", map[string]string{"a": "b"}
	e.ID = k.write(e)[0]
	c := k.claimOne(driver.NewOwner("a"), long)
	if d := difference(c.Event, e, k.ClockResolution); d != "" {
		k.Errorf("the claimed event differs: %s", d)
	}
	if c.EventID != e.ID || c.Seq <= 0 || c.ClaimNo != 1 {
		k.Errorf("held as %+v, expected event %s, a positive seq and number 1", c.Held, e.ID)
	}
	if c.Attempts != 0 || c.Recovered != 0 || len(driver.ParseFailures(c.Failures)) != 0 || c.Problem != nil {
		k.Errorf("attempts %d, recovered %d, failures %s, problem %v: expected none of them", c.Attempts, c.Recovered, c.Failures, c.Problem)
	}
	if c.CreatedAt.IsZero() || c.Position.AvailableAt.IsZero() || c.Position.Seq != c.Seq {
		k.Errorf("created at %s, position %+v: expected times and seq %d", c.CreatedAt, c.Position, c.Seq)
	}
}

func claimKeepsToRows[Tx any](k *kit[Tx]) {
	ids := k.write(events(lane, 7)...)
	a := driver.NewOwner("a")
	var got []string
	for _, n := range []int{3, 3, 1} {
		cs := k.claimWants(a, long, driver.Want{Lane: lane, Rows: 3})
		if len(cs) != n {
			k.Fatalf("claimed %d rows, expected %d: wanted 3 of 7, repeatedly", len(cs), n)
		}
		got = append(got, idsOf(cs)...)
	}
	k.sameIDs("claimed", got, ids)
}

func claimKeepsToBytes[Tx any](k *kit[Tx]) {
	const other = "OrderShipped"
	sizes := []int{1000, 1000, 1000, 5000, 10}
	var es []outbox.Event
	for _, size := range sizes {
		es = append(es, outbox.Event{Type: lane, Bytes: make([]byte, size)})
	}
	es = append(es, outbox.Event{Type: other, Bytes: make([]byte, 3000)})
	ids := k.write(es...)
	a := driver.NewOwner("a")
	var got []string
	for round := 0; len(got) < len(ids); round++ {
		if round > len(ids) {
			k.Fatalf("after %d claims only %d of %d rows came", round, len(got), len(ids))
		}
		perLane := map[string]int{}
		cs := k.claimWants(a, long,
			driver.Want{Lane: lane, Rows: all, Bytes: 2500},
			driver.Want{Lane: other, Rows: all, Bytes: 2500})
		rows := map[string]int{}
		for _, c := range cs {
			perLane[c.Event.Type] += len(c.Event.Payload())
			rows[c.Event.Type]++
			if c.ClaimNo != 1 || c.Recovered != 0 {
				k.Fatalf("row %+v was touched before it was returned (recovered %d)", c.Held, c.Recovered)
			}
			got = append(got, c.EventID)
		}
		for l, size := range perLane {
			if size > 2500 && rows[l] > 1 {
				k.Fatalf("%d rows of %d bytes in all, wanted 2500 at most", rows[l], size)
			}
		}
		if round == 0 && (rows[lane] != 2 || rows[other] != 1) {
			k.Fatalf("the first claim has %v rows: two of 1000 bytes fit in 2500, and the first of a lane always does", rows)
		}
	}
	k.sameIDs("claimed", got, ids)
}

func claimKeepsToLanes[Tx any](k *kit[Tx]) {
	mine, yours := k.write(event("mine"))[0], k.write(event("yours"))[0]
	if got := idsOf(k.claim(driver.NewOwner("me"), "mine")); !slices.Equal(got, []string{mine}) {
		k.Fatalf("claimed %v of the lane, expected %s", got, mine)
	}
	cs := k.claim(driver.NewOwner("you"), "yours")
	if len(cs) != 1 || cs[0].EventID != yours || cs[0].ClaimNo != 1 {
		k.Fatalf("the other lane gave %v, expected %s under number 1", heldOf(cs), yours)
	}
}

func claimComparesExactly[Tx any](k *kit[Tx]) {
	names := []string{"order", "Order", "ORDER", "ordér", "order ", "order\t", "orde", "order%", "order_", "straße", "strasse"}
	for _, name := range names {
		k.write(event(name))
	}
	for i, name := range names {
		cs := k.claim(driver.NewOwner(fmt.Sprint(i)), name)
		if len(cs) != 1 || cs[0].Event.Type != name {
			k.Errorf("lane %q gave %d events, expected its own one", name, len(cs))
		}
	}
}

func claimersAreDisjoint[Tx any](k *kit[Tx]) {
	ids := k.write(events(lane, 20)...)
	a, b := driver.NewOwner("a"), driver.NewOwner("b")
	got := idsOf(k.claimWants(a, long, driver.Want{Lane: lane, Rows: 12}))
	theirs, err := k.client(1).Claim(k.ctx, driver.ClaimRequest{Owner: b, Lease: long, Wants: wants(lane)})
	k.must(err)
	k.sameIDs("claimed by two clients", append(got, idsOf(theirs)...), ids)
}

func lanesAreIndependent[Tx any](k *kit[Tx]) {
	k.write(append(events("full", 600), event("small"), event("tiny"))...)
	a := driver.NewOwner("a")
	for round := range 3 {
		rows := map[string]int{}
		for _, c := range k.claimWants(a, long,
			driver.Want{Lane: "full", Rows: 50}, driver.Want{Lane: "small", Rows: 50}, driver.Want{Lane: "tiny", Rows: 50}) {
			rows[c.Event.Type]++
		}
		first := map[bool]int{true: 1}[round == 0]
		if rows["full"] != 50 || rows["small"] != first || rows["tiny"] != first {
			k.Errorf("round %d: claimed %v, expected 50 of the full lane and %d of each other", round, rows, first)
		}
	}
}

func claimOfManyLanes[Tx any](k *kit[Tx]) {
	var es []outbox.Event
	var lanes []string
	for i := range 150 {
		name := fmt.Sprintf("lane-%03d", i)
		lanes = append(lanes, name)
		if i%3 == 0 {
			es = append(es, events(name, 2)...)
		}
	}
	ids := k.write(es...)
	k.sameIDs("claimed", idsOf(k.claim(driver.NewOwner("a"), lanes...)), ids)
}

func claimWaitsForTheTime[Tx any](k *kit[Tx]) {
	tomorrow, later := event(lane), event(lane)
	tomorrow.AvailableAt = time.Now().Add(24 * time.Hour)
	later.DeliverAfter = long
	k.write(tomorrow, later)
	k.claimNothing("it is due only later", lane)
	soon := event(lane)
	soon.DeliverAfter = 50 * time.Millisecond
	id := k.write(soon)[0]
	if c := k.claimSoon(driver.NewOwner("a"), long, 1)[0]; c.EventID != id {
		k.Fatalf("claimed %s, expected %s, which was to be kept back shortly", c.EventID, id)
	} else if c.Position.AvailableAt.Sub(c.CreatedAt) < 50*time.Millisecond-k.ClockResolution {
		k.Errorf("created at %s and due at %s: kept back for less than 50 ms", c.CreatedAt, c.Position.AvailableAt)
	}
}

func claimKeepsToTheAge[Tx any](k *kit[Tx]) {
	a := driver.NewOwner("a")
	claimed := func(age time.Duration, want ...string) {
		k.Helper()
		cs, err := k.Store.Claim(k.ctx, driver.ClaimRequest{Owner: a, Lease: long, Wants: wants(lane), Age: age})
		k.must(err)
		if got := idsOf(cs); !slices.Equal(got, want) {
			k.Fatalf("claimed %v with an age of %s, expected %v", got, age, want)
		}
	}
	old := event(lane)
	old.AvailableAt = time.Now().Add(-time.Hour)
	first := k.write(old, event(lane))
	moment := time.Now()
	claimed(30*time.Minute, first[0])
	claimed(time.Since(moment), first[1])
	late := k.write(event(lane))
	claimed(30 * time.Minute)
	claimed(0, late...)
}

func claimOfNothing[Tx any](k *kit[Tx]) {
	k.write(event(lane))
	a := driver.NewOwner("a")
	for _, ws := range [][]driver.Want{nil, {}, {{Lane: lane, Rows: 0}}, {{Lane: "Unknown", Rows: 10}}} {
		if cs := k.claimWants(a, long, ws...); len(cs) != 0 {
			k.Errorf("wanted %+v, claimed %v", ws, heldOf(cs))
		}
	}
	if c := k.claimOne(a, long); c.ClaimNo != 1 {
		k.Errorf("claims of nothing moved the number to %d", c.ClaimNo)
	}
}
