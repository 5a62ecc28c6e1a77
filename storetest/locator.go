package storetest

import "github.com/sendoff-go/outbox"

// locators settles far more rows than a store asks for one by one, with
// locators of every kind. Only the fence says what is settled.
func locators[Tx any](k *kit[Tx]) {
	for _, keep := range []bool{true, false} {
		a, b := outbox.NewOwner("a"), outbox.NewOwner("b")
		k.write(events(lane, 200)...)
		lost := k.claimWants(b, long, outbox.Want{Lane: lane, Rows: 10})
		mine := k.claimWants(a, long, outbox.Want{Lane: lane, Rows: 190})
		k.renew(a, long, mine[57].Held, mine[58].Held, mine[59].Held) // they may be elsewhere now
		outcomes, stale := make([]outbox.Outcome, 0, 220), []outbox.Held(nil)
		for i, c := range mine {
			o := outbox.Outcome{Held: c.Held, Kind: outbox.Done, Locator: c.Locator}
			switch {
			case i < 60:
			case i < 70:
				o.Locator = 0
			case i < 90:
				o.Locator = mine[159-i].Locator // another one's of these
			case i < 100:
				o.Locator = lost[i-90].Locator
			case i < 130:
				o.Locator = 1<<48 - 1 // behind the end of any table
			case i < 160:
				o.Locator = 1<<64 - 1
			case i < 180:
				o.ClaimNo++
				stale = append(stale, o.Held)
			}
			outcomes = append(outcomes, o)
		}
		for _, c := range lost { // a's outcomes of what b holds
			outcomes = append(outcomes, outbox.Outcome{Held: c.Held, Kind: outbox.Done, Locator: c.Locator})
			stale = append(stale, c.Held)
		}
		got, err := k.Store.Settle(k.ctx, a, outcomes, keep)
		k.must(err)
		k.sameHeld("stale", got, stale)
		want := 0
		if keep {
			want = 170
		}
		if st := k.stats(); int(st.Done.N) != want || st.Held.N != 30 || st.Waiting.N != 0 {
			k.Errorf("%+v: expected %d done and 30 held", st, want)
		}
		for _, c := range mine[160:180] {
			k.settleAndDelete(a, outbox.Outcome{Held: c.Held, Kind: outbox.Done, Locator: c.Locator})
		}
		for _, c := range lost {
			k.settleAndDelete(b, outbox.Outcome{Held: c.Held, Kind: outbox.Done, Locator: c.Locator})
		}
		k.sweepAll(want)
	}
}
