package doctor

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// deadLetters compares the age of open dead letters with what is kept for how
// long.
func (d *Database) deadLetters(ctx context.Context) (Answer, error) {
	all, err := d.db.Store.CountDead(ctx, driver.DeadFilter{})
	if err != nil {
		return Answer{}, d.db.Problem("", err)
	}
	if all.N == 0 {
		return Okay("none is open"), nil
	}
	for _, bound := range []struct {
		age time.Duration
		why string
		do  string
	}{
		{d.limits.ResolvedRetention, "the retention of resolved ones", "look at them with `outbox dlq list`, and retry, resolve or delete them"},
		{d.limits.DeadLetterAge, "--dead-letter-age", "look at them with `outbox dlq list`, and retry, resolve or delete them"},
	} {
		if bound.age == 0 {
			continue
		}
		old, err := d.db.Store.CountDead(ctx, driver.DeadFilter{DiedBefore: d.now().Add(-bound.age)})
		if err != nil {
			return Answer{}, d.db.Problem("", err)
		}
		if old.N > 0 {
			return Warn(bound.do, "%s open for longer than %s (%s)", are(old), days(bound.age), bound.why), nil
		}
	}
	return Okay("%s open, and none for longer than %s", are(all), days(d.limits.DeadLetterAge)), nil
}

// consumed compares how long ids are remembered with what can still come back.
func (d *Database) consumed(ctx context.Context) (Answer, error) {
	rows, asked, err := d.ask(ctx, "consumed")
	if err != nil || !asked || len(rows) != 1 {
		return d.none("consumed ids"), err
	}
	if rows[0][0] == "" {
		return Okay("no consumer has recorded an id in this database"), nil
	}
	keep := d.limits.ConsumedRetention
	old, err := d.db.Store.CountDead(ctx, driver.DeadFilter{DiedBefore: d.now().Add(-keep)})
	if err != nil {
		return Answer{}, d.db.Problem("", err)
	}
	const do = "raise the retention of consumed ids (outbox.consumer.clean-up.ttl, inbox.Config.Retention) above the age of what can still be delivered; resolve old dead letters instead of retrying them"
	if old.N > 0 {
		return Warn(do, "%s older than the retention of consumed ids (%s): a retry may take effect again", are(old), days(keep)), nil
	}
	if age, _ := strconv.ParseFloat(rows[0][1], 64); time.Duration(age*float64(time.Second)) > keep {
		return Warn(do, "an event that is not delivered yet is %s old, and consumed ids are kept for %s: if it was delivered once, it may take effect again",
			days(time.Duration(age*float64(time.Second))), days(keep)), nil
	}
	return Okay("ids are kept for %s, longer than any pending event or open dead letter is old", days(keep)), nil
}

func are(c driver.Count) string {
	more := ""
	if c.More {
		more = "+"
	}
	if c.N == 1 {
		return "1 dead letter is"
	}
	return fmt.Sprintf("%d%s dead letters are", c.N, more)
}

// days is a time span in the largest unit that people use for it.
func days(d time.Duration) string {
	if d >= 48*time.Hour {
		return fmt.Sprintf("%d days", d/(24*time.Hour))
	}
	return d.Round(time.Second).String()
}
