package core_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// chaos is a core to which anything is reported at any time that a relay may
// report then.
type chaos struct {
	*rig
	rand   *rand.Rand
	seq    int64
	runs   []*core.Run
	probes []*core.Breaker
	late   []*core.Breaker
	lone   []*core.Item
	got    map[string]int // transitions of destinations that are noted
}

// Neither events nor destinations make a transition that is not allowed, whatever
// is answered in which order, and what goes on is counted.
func TestNoTransitionIsForbidden(t *testing.T) {
	got := map[string]int{}
	for seed := range uint64(100) {
		c := &chaos{rig: newRig(t, seed%2 == 0), rand: rand.New(rand.NewPCG(seed, 1)), got: got}
		for range 500 {
			c.act()
			c.now = c.now.Add(time.Duration(c.rand.Int64N(int64(time.Second))))
			c.collect(seed)
		}
	}
	for _, kind := range []core.NoteKind{core.NoteAway, core.NoteStillAway, core.NoteHalfOpen, core.NoteBack, core.NoteStuck, core.NotePaused} {
		if got[fmt.Sprint(kind)] < 20 {
			t.Errorf("note %d came %d times: the test shows little", kind, got[fmt.Sprint(kind)])
		}
	}
}

// collect takes what the core asks for.
func (c *chaos) collect(seed uint64) {
	for _, n := range append(c.fx.Notes, c.fx.Turns...) {
		c.got[fmt.Sprint(n.Kind)]++
		if n.Kind == core.NoteBug {
			c.t.Fatalf("seed %d: %s", seed, n.Text)
		}
	}
	if _, since := c.Running(); c.RunsEnded() != (len(since) == 0) {
		c.t.Fatalf("seed %d: the runs have ended: %t, and these go on: %v", seed, c.RunsEnded(), since)
	}
	c.runs = append(c.runs, c.fx.Runs...)
	if c.fx.Lone != nil {
		c.lone = append(c.lone, c.fx.Lone)
	}
	overdue := append([]*core.Run(nil), c.fx.Overdue...)
	c.fx.Reset()
	for _, run := range overdue {
		c.step(func(co *core.Core) { co.Runs.GiveUp(run, c.answers(run)) })
	}
}

func (c *chaos) act() {
	switch c.rand.IntN(14) {
	case 0, 1, 2:
		c.seq++
		r := row(fmt.Sprint(c.rand.IntN(20)), c.seq)
		r.ClaimNo, r.Recovered, r.Attempts = c.seq, c.rand.IntN(5), c.rand.IntN(2)
		c.keyed(r)
	case 3, 4, 5:
		if run := take(c.rand, &c.runs); run != nil {
			c.step(func(co *core.Core) { co.Runs.Finished(run, c.answers(run)) })
		}
	case 6:
		due, _ := c.dueProbes()
		c.probes = append(c.probes, due...)
	case 7, 8:
		if b := take(c.rand, &c.probes); b != nil {
			if c.rand.IntN(3) == 0 {
				c.late = append(c.late, b)
				c.step(func(co *core.Core) { co.Dests.CheckLate(b) })
			}
			c.step(func(co *core.Core) { co.Dests.Probed(b, c.err()) })
		}
	case 9:
		if b := take(c.rand, &c.late); b != nil {
			c.step(func(co *core.Core) { co.Dests.CheckEnded(b, c.err()) })
		}
	case 10:
		var p core.Paused
		if c.rand.IntN(4) == 0 {
			p.Dests = []string{"a"}
		}
		c.step(func(co *core.Core) { co.Pause(p) })
	case 11:
		if it := take(c.rand, &c.lone); it != nil {
			c.step(func(co *core.Core) {
				if c.rand.IntN(3) == 0 {
					co.Lone.PutOff(it, errors.New("away"))
				} else if co.Lone.Proving(it) {
					if run := co.Lone.Proved(it, c.now, c.rand.IntN(5) == 0, c.err()); run != nil {
						c.runs = append(c.runs, run)
					}
				}
			})
		}
	case 12:
		c.settle()
	default:
		c.renew()
	}
}

// renew renews what is due, and loses some of it.
func (c *chaos) renew() {
	var due core.Renewals
	c.step(func(co *core.Core) { due = co.Leases.Due() })
	for _, items := range due.Batches {
		var held, lost []driver.Held
		for _, it := range items {
			held = append(held, it.Held())
			if c.rand.IntN(4) == 0 {
				lost = append(lost, it.Held())
			}
		}
		c.step(func(co *core.Core) { co.Leases.Renewed(items, held, c.now, lost, nil) })
	}
	if c.rand.IntN(3) == 0 { // runs get too long
		c.now = c.now.Add(time.Minute)
	}
}

func (c *chaos) answers(run *core.Run) []core.Answer {
	kinds := []core.AnswerKind{core.Delivered, core.Failed, core.Unavailable, core.Unavailable, core.NotYet}
	answers := make([]core.Answer, len(run.Items))
	for i := range answers {
		answers[i] = core.Answer{Kind: kinds[c.rand.IntN(len(kinds))], Err: errors.New("no"), Unasked: c.rand.IntN(5) == 0}
	}
	return answers
}

func (c *chaos) err() error {
	if c.rand.IntN(2) == 0 {
		return errors.New("no")
	}
	return nil
}

// take removes one of some.
func take[T any](r *rand.Rand, from *[]*T) *T {
	if len(*from) == 0 {
		return nil
	}
	i := r.IntN(len(*from))
	v := (*from)[i]
	*from = append((*from)[:i], (*from)[i+1:]...)
	return v
}
