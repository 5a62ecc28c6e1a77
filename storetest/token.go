package storetest

import (
	"github.com/sendoff-go/outbox/driver"
)

// locators settles far more rows than a store looks up one by one, with tokens
// of every kind. Only the fence decides what is settled.
func locators[Tx any](k *kit[Tx]) {
	for _, keep := range []bool{true, false} {
		a, b := driver.NewOwner("a"), driver.NewOwner("b")
		k.write(events(lane, 200)...)
		lost := k.claimWants(b, long, driver.Want{Lane: lane, Rows: 10})
		mine := k.claimWants(a, long, driver.Want{Lane: lane, Rows: 190})
		k.renew(a, long, mine[57].Held, mine[58].Held, mine[59].Held) // they may be elsewhere now
		outcomes, stale := make([]driver.Outcome, 0, 220), []driver.Held(nil)
		for i, c := range mine {
			o := driver.Outcome{Held: c.Held, Kind: driver.Done, Token: c.Token}
			switch {
			case i < 60:
			case i < 70:
				o.Token = 0
			case i < 90:
				o.Token = mine[159-i].Token // the token of another row
			case i < 100:
				o.Token = lost[i-90].Token
			case i < 130:
				o.Token = 1<<48 - 1 // past the end of any table
			case i < 160:
				o.Token = 1<<64 - 1
			case i < 180:
				o.ClaimNo++
				stale = append(stale, o.Held)
			}
			outcomes = append(outcomes, o)
		}
		for _, c := range lost { // a's outcomes of what b holds
			outcomes = append(outcomes, driver.Outcome{Held: c.Held, Kind: driver.Done, Token: c.Token})
			stale = append(stale, c.Held)
		}
		got, err := k.Store.Settle(k.ctx, a, outcomes, keep)
		k.must(err)
		k.sameHeld("stale", got, stale)
		want := 0
		if keep {
			want = 170
		}
		k.claimNothing("it is settled, or held", lane)
		for _, c := range mine[160:180] {
			k.settleAndDelete(a, driver.Outcome{Held: c.Held, Kind: driver.Done, Token: c.Token})
		}
		for _, c := range lost {
			k.settleAndDelete(b, driver.Outcome{Held: c.Held, Kind: driver.Done, Token: c.Token})
		}
		k.nonePending()
		k.sweepAll(want)
	}
}
