package storetest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func fairLaws[Tx any]() []Law[Tx] {
	laws := []Law[Tx]{
		{
			Name:  "a store says whether it is prepared for fair claims",
			Why:   "without its index a fair claim reads all that waits, again and again",
			Check: check(fairIsChecked[Tx]),
		},
		{
			Name:  "tenants with pending rows of a lane are listed page by page",
			Why:   "a tenant that is not found waits until all others are done",
			Check: check(prepared(tenantsAreListed[Tx])),
		},
		{
			Name:  "a tenant is due when its earliest row is",
			Why:   "a claim from tenants whose retries are hours away finds nothing",
			Check: check(prepared(tenantsAreDue[Tx])),
		},
		{
			Name:  "a claim by tenant takes rows of that tenant and lane alone",
			Why:   "rows of others are the share of others, or of another relay",
			Check: check(prepared(tenantsAreApart[Tx])),
		},
		{
			Name:  "one claim divides a lane among tenants as it asks",
			Why:   "the rows and bytes of each want are the share of its tenant",
			Check: check(prepared(laneIsDivided[Tx])),
		},
		{
			Name:  "a claim by tenant reads on from a position, or from the head again",
			Why:   "retries and expired claims lie behind the position; losing them loses events",
			Check: check(prepared(tenantPositionIsAHint[Tx])),
		},
		{
			Name:  "a claim by tenant leaves what is held or not due",
			Why:   "an event claimed twice is delivered twice",
			Check: check(prepared(tenantClaimIsFenced[Tx])),
		},
		{
			Name:  "claims by tenant and by lane at once get each row once",
			Why:   "relays with and without the setting share a table while it is rolled out",
			Check: check(prepared(tenantClaimersAtOnce[Tx])),
		},
		{
			Name:    "a claim by tenant skips a row that another session has locked",
			Why:     "one transaction left open would keep all tenants waiting",
			Applies: func(s Subject[Tx]) bool { return s.LockRow != nil },
			Check:   check(prepared(tenantClaimLeavesOutLocked[Tx])),
		},
		{
			Name:  "a claim of a tenant keeps to the age",
			Why:   "a round beside a busy writer would never end",
			Check: check(prepared(tenantClaimKeepsToTheAge[Tx])),
		},
	}
	return append(laws, foreign([]Law[Tx]{{
		Name:  "a tenant that another program wrote as empty is none",
		Why:   "its rows would belong to nobody's share and wait forever",
		Check: check(prepared(foreignTenants[Tx])),
	}})...)
}

// prepared runs a law on a store that is prepared for it.
func prepared[Tx any](f func(k *kit[Tx])) func(k *kit[Tx]) {
	return func(k *kit[Tx]) {
		k.must(k.Store.(driver.FairStore).PrepareFair(k.ctx))
		f(k)
	}
}

func tenantClaimKeepsToTheAge[Tx any](k *kit[Tx]) {
	old := ofTenant(lane, "t")
	old.AvailableAt = time.Now().Add(-time.Hour)
	none := ofTenant(lane, "")
	none.AvailableAt = old.AvailableAt
	ids := k.write(old, ofTenant(lane, "t"), none, ofTenant(lane, ""))
	for i, tenant := range []string{"t", ""} {
		cs, err := k.Store.Claim(k.ctx, driver.ClaimRequest{
			Owner: driver.NewOwner("a"), Lease: long, Wants: []driver.Want{byTenant(tenant, 10)}, Age: 30 * time.Minute,
		})
		k.must(err)
		if got := idsOf(cs); !slices.Equal(got, ids[2*i:2*i+1]) {
			k.Errorf("claimed %v of tenant %q with an age, expected %v", got, tenant, ids[2*i:2*i+1])
		}
	}
}

func fairIsChecked[Tx any](k *kit[Tx]) {
	s := k.Store.(driver.FairStore)
	if err := s.CheckFair(k.ctx); err != nil && !errors.Is(err, outbox.ErrSchema) {
		k.Errorf("a store that is not prepared says %v, expected nothing or ErrSchema", err)
	}
	for range 2 {
		k.must(s.PrepareFair(k.ctx))
		k.must(s.CheckFair(k.ctx))
	}
}

// ofTenant returns an event of a tenant.
func ofTenant(lane, tenant string) outbox.Event {
	e := event(lane)
	e.TenantID = tenant
	return e
}

// writeTenants commits n events of each tenant, one tenant after the other.
func (k *kit[Tx]) writeTenants(n int, tenants ...string) (ids []string) {
	k.Helper()
	var es []outbox.Event
	for _, t := range tenants {
		for range n {
			es = append(es, ofTenant(lane, t))
		}
	}
	return k.write(es...)
}

func byTenant(tenant string, rows int) driver.Want {
	return driver.Want{Lane: lane, Rows: rows, ByTenant: true, Tenant: tenant}
}

// tenantsOf lists all tenants of the lane, in pages.
func (k *kit[Tx]) tenantsOf(lane string, page int) (all []driver.WaitingTenant) {
	k.Helper()
	after := ""
	for range 100 {
		ts, err := k.Store.(driver.FairStore).Tenants(k.ctx, lane, after, page)
		k.must(err)
		if len(ts) > page {
			k.Fatalf("%d tenants, asked for %d", len(ts), page)
		}
		if len(ts) == 0 {
			return all
		}
		all = append(all, ts...)
		after = ts[len(ts)-1].Tenant
	}
	k.Fatalf("the list never ends: %v", all)
	return nil
}

func names(ts []driver.WaitingTenant) (all []string) {
	for _, t := range ts {
		all = append(all, t.Tenant)
	}
	return all
}

func tenantsAreListed[Tx any](k *kit[Tx]) {
	want := []string{"A", "B", "a", "ab", "b", "é", "語", "🙂"}
	for _, t := range []string{"b", "🙂", "A", "語", "ab", "", "a", "é", "B"} {
		k.writeTenants(3, t)
	}
	k.writeTenants(300, "b") // more than a sample of rows
	k.write(ofTenant("other", "elsewhere"))
	a := driver.NewOwner("a")
	k.claimWants(a, long, byTenant("é", all)) // held rows are pending too
	k.writeTenants(1, "done")
	k.mustSettle(a, driver.Outcome{Held: k.claimWants(a, long, byTenant("done", 1))[0].Held, Kind: driver.Done})
	for _, page := range []int{1, 3, 100} {
		got := names(k.tenantsOf(lane, page))
		slices.Sort(got) // the order is the store's own
		if !slices.Equal(got, want) {
			k.Errorf("in pages of %d: %q, expected %q", page, got, want)
		}
	}
	if got := names(k.tenantsOf("nothing", 10)); len(got) > 0 {
		k.Errorf("a lane without rows has the tenants %q", got)
	}
	if got, err := k.Store.(driver.FairStore).Tenants(k.ctx, lane, "", 0); err != nil || len(got) > 0 {
		k.Errorf("asked for none: %v, error %v", got, err)
	}
}

func tenantsAreDue[Tx any](k *kit[Tx]) {
	later, early := ofTenant(lane, "later"), ofTenant(lane, "both")
	later.DeliverAfter, early.AvailableAt = long, time.Now().Add(-time.Hour)
	both := later
	both.TenantID = "both"
	k.write(later, both, early, ofTenant(lane, "now"))
	got := k.tenantsOf(lane, 10)
	slices.SortFunc(got, func(a, b driver.WaitingTenant) int { return cmp.Compare(a.Tenant, b.Tenant) })
	if want := []driver.WaitingTenant{{Tenant: "both", Due: true}, {Tenant: "later"}, {Tenant: "now", Due: true}}; !slices.Equal(got, want) {
		k.Errorf("tenants %+v, expected %+v", got, want)
	}
}

func tenantsAreApart[Tx any](k *kit[Tx]) {
	tenants := []string{"acme", "Acme", "ACME", "acmé", "acm", "acme%", "acme_", "straße", "strasse", "acme,b", `ac"me`, ""}
	for _, t := range tenants {
		k.write(ofTenant(lane, t), ofTenant("other", t))
	}
	for i, t := range tenants {
		cs := k.claimWants(driver.NewOwner(fmt.Sprint(i)), long, byTenant(t, all))
		if len(cs) != 1 || cs[0].Event.TenantID != t || cs[0].Event.Type != lane || cs[0].ClaimNo != 1 {
			k.Errorf("tenant %q gave %v, expected its own event of the lane under number 1", t, heldOf(cs))
		}
	}
	if n := len(k.claim(driver.NewOwner("rest"), "other")); n != len(tenants) {
		k.Errorf("the other lane has %d rows left of %d", n, len(tenants))
	}
}

func laneIsDivided[Tx any](k *kit[Tx]) {
	ids := k.writeTenants(40, "big")
	ids = append(ids, k.writeTenants(3, "small", "")...)
	ids = append(ids, k.write(events("plain", 4)...)...)
	large := ofTenant(lane, "large")
	large.JSON, large.Bytes = nil, make([]byte, 1000)
	ids = append(ids, k.write(large, large, large)...)
	a := driver.NewOwner("a")
	heavy := byTenant("large", all)
	heavy.Bytes = 2500
	var got []string
	for round, want := range []map[string]int{
		{"big": 10, "small": 2, "": 3, "large": 2, "plain": 4}, {"big": 10, "small": 1, "large": 1}, {"big": 10}, {"big": 10},
	} {
		cs := k.claimWants(a, long, byTenant("small", 2), driver.Want{Lane: "plain", Rows: all}, byTenant("big", 10), byTenant("", 5), heavy, byTenant("nobody", 5))
		rows := map[string]int{}
		for _, c := range cs {
			of := c.Event.TenantID
			if c.Event.Type == "plain" {
				of = "plain"
			}
			rows[of]++
		}
		if fmt.Sprint(rows) != fmt.Sprint(want) {
			k.Errorf("claim %d took %v, expected %v", round+1, rows, want)
		}
		if !slices.IsSortedFunc(cs, func(a, b driver.Claimed) int {
			return cmp.Or(cmp.Compare(a.Event.Type, b.Event.Type), a.Position.AvailableAt.Compare(b.Position.AvailableAt), cmp.Compare(a.Seq, b.Seq))
		}) {
			k.Errorf("claim %d is not in order of lane, time and seq", round+1)
		}
		got = append(got, idsOf(cs)...)
	}
	k.sameIDs("claimed", got, ids)
}

func tenantPositionIsAHint[Tx any](k *kit[Tx]) {
	a := driver.NewOwner("a")
	ids := k.writeTenants(4, "b")
	k.writeTenants(4, "a", "c")
	first := k.claimWants(a, long, byTenant("b", 2))
	if got := idsOf(first); !slices.Equal(got, ids[:2]) {
		k.Fatalf("claimed %v, expected the first two of %v", got, ids)
	}
	on := byTenant("b", all)
	on.After = first[1].Position
	rest := k.claimWants(a, long, on)
	if got := idsOf(rest); !slices.Equal(got, ids[2:]) {
		k.Fatalf("claimed %v from the position on, expected the last two of %v", got, ids)
	}
	k.mustSettle(a, driver.Outcome{Held: first[0].Held, Kind: driver.Release})
	if got := idsOf(k.claimWants(a, long, byTenant("b", all))); !slices.Equal(got, ids[:1]) {
		k.Errorf("claimed %v from the head, expected %s, which was freed", got, ids[0])
	}
}

func tenantClaimIsFenced[Tx any](k *kit[Tx]) {
	a, b := driver.NewOwner("a"), driver.NewOwner("b")
	later := ofTenant(lane, "t")
	later.DeliverAfter = long
	k.write(later)
	hot := k.writeHot(long, ofTenant(lane, "t"))
	ids := k.writeTenants(3, "t")
	mine := k.claimWants(a, long, byTenant("t", 2))
	theirs := k.claimWants(b, long, byTenant("t", all))
	if got := append(idsOf(mine), idsOf(theirs)...); !slices.Equal(got, ids) {
		k.Fatalf("claimed %v, expected %v: without the one for later and the one with a head start, %s", got, ids, hot[0].Event.ID)
	}
	k.mustBeStale(b, driver.Outcome{Held: mine[0].Held, Kind: driver.Done})
	k.mustSettle(a, driver.Outcome{Held: mine[0].Held, Kind: driver.Done}, driver.Outcome{Held: mine[1].Held, Kind: driver.Release})
	again := k.claimWants(b, long, byTenant("t", all))
	if len(again) != 1 || again[0].EventID != ids[1] || again[0].ClaimNo != 3 || again[0].Recovered != 0 {
		k.Fatalf("claimed %v, expected %s under number 3: it was claimed and released", heldOf(again), ids[1])
	}
	if k.Expire == nil {
		return
	}
	k.must(k.Expire(k.ctx, ids[1], ids[2]))
	for _, c := range k.claimWants(a, long, byTenant("t", all)) {
		if c.Recovered != 1 {
			k.Errorf("%s was recovered %d times, expected once: its owner disappeared", c.EventID, c.Recovered)
		}
	}
}

func tenantClaimersAtOnce[Tx any](k *kit[Tx]) {
	tenants := []string{"a", "b", "c", ""}
	ids := k.writeTenants(100, tenants...)
	var mu sync.Mutex
	var got []string
	k.run(4, func(i int, s Store[Tx]) {
		owner := driver.NewOwner(fmt.Sprint(i))
		ws := []driver.Want{{Lane: lane, Rows: 20}}
		if i > 0 {
			ws = nil
			for _, t := range tenants {
				ws = append(ws, byTenant(t, 5))
			}
		}
		for {
			cs, err := s.Claim(k.ctx, driver.ClaimRequest{Owner: owner, Lease: long, Wants: ws})
			if err != nil {
				k.Errorf("claim: %v", err)
				return
			}
			mu.Lock()
			got = append(got, idsOf(cs)...)
			enough := len(got) >= len(ids)
			mu.Unlock()
			if enough {
				return
			}
		}
	}).Wait()
	k.sameIDs("claimed", got, ids)
}

func tenantClaimLeavesOutLocked[Tx any](k *kit[Tx]) {
	ids := k.writeTenants(3, "t")
	release := k.LockRow(k, ids[0])
	k.soon(func(ctx context.Context) {
		cs, err := k.Store.Claim(ctx, driver.ClaimRequest{Owner: driver.NewOwner("a"), Lease: long, Wants: []driver.Want{byTenant("t", all)}})
		k.must(err)
		k.sameIDs("claimed beside a locked row", idsOf(cs), ids[1:])
		ts, err := k.Store.(driver.FairStore).Tenants(ctx, lane, "", 10)
		if err != nil || len(ts) != 1 {
			k.Errorf("tenants %v, error %v, expected one", ts, err)
		}
	})
	release()
	k.sameIDs("claimed afterwards", idsOf(k.claimSoon(driver.NewOwner("a"), long, 1)), ids[:1])
}

func foreignTenants[Tx any](k *kit[Tx]) {
	for _, tenant := range []string{"''", "NULL", "'t'"} {
		k.must(k.exec(`INSERT INTO outbox_event (event_type, payload, tenant_id) VALUES ('OrderPlaced', '1', ` + tenant + `)`))
	}
	if got := names(k.tenantsOf(lane, 1)); !slices.Equal(got, []string{"t"}) {
		k.Errorf("tenants %q, expected t", got)
	}
	a := driver.NewOwner("a")
	one, rest := k.claimWants(a, long, byTenant("", 1)), k.claimWants(a, long, byTenant("", all))
	if len(one) != 1 || len(rest) != 1 {
		k.Errorf("claimed %d and then %d of no tenant, expected one each", len(one), len(rest))
	}
}

// fairCalls are the methods of [driver.FairStore], in an order in which they
// succeed: the others need what the first prepares.
func fairCalls[Tx any]() []call[Tx] {
	return []call[Tx]{
		{"PrepareFair", func(ctx context.Context, s Store[Tx]) error { return s.(driver.FairStore).PrepareFair(ctx) }},
		{"Tenants", func(ctx context.Context, s Store[Tx]) error {
			return second(s.(driver.FairStore).Tenants(ctx, "x", "", 10))
		}},
		{"CheckFair", func(ctx context.Context, s Store[Tx]) error { return s.(driver.FairStore).CheckFair(ctx) }},
	}
}
