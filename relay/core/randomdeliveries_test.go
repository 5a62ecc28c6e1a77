package core

import (
	"errors"
	"slices"
	"strings"
	"time"
)

// deliveries are the runs that have not ended, also stuck ones, and suspects that are
// about to run.
type deliveries struct {
	*world
	live     []*Run
	overdue  []*Run
	suspects []*Item
}

// begin begins what a step asks for.
func (d *deliveries) begin(fx *Effects) {
	for _, run := range fx.Runs {
		for i, it := range run.Items {
			d.checkTurn(it, run.Items[:i])
		}
		d.run(run)
	}
	if it := fx.Lone; it != nil {
		d.say("%s is about to run alone", it.held.EventID)
		d.checkTurn(it, nil)
		d.suspects = append(d.suspects, it)
	}
	for _, run := range fx.Overdue {
		d.say("the run of %s ignores the end of its context", idsOf(run))
		d.overdue = append(d.overdue, run)
	}
}

func (d *deliveries) run(run *Run) {
	d.say("%s runs, to %s", idsOf(run), nameOf(run.Items[0].Dest))
	d.saw["runs"]++
	if len(run.Items) > 1 {
		d.saw["batches"]++
	}
	d.checkAlone(run)
	for _, it := range run.Items {
		d.rounds.runs(it)
	}
	d.live = append(d.live, run)
}

// finishAny ends a run, which may have been given up.
func (d *deliveries) finishAny() {
	if len(d.live) == 0 {
		return
	}
	i := d.rand.IntN(len(d.live))
	run := d.live[i]
	d.live = slices.Delete(d.live, i, i+1)
	answers := make([]Answer, len(run.Items))
	for i, it := range run.Items {
		if answers[i] = d.answer(it); answers[i].Kind == Delivered {
			d.store.deliver(it.held)
		}
		d.say("%s is answered: %s", it.held.EventID, answerNames[answers[i].Kind])
	}
	d.rounds.ends(run, func(c *Core) { c.Runs.Finished(run, answers) })
}

// giveUp settles a run that ignores the end of its context, and goes on.
func (d *deliveries) giveUp() {
	if len(d.overdue) == 0 {
		return
	}
	run := d.overdue[0]
	d.overdue = d.overdue[1:]
	answers := make([]Answer, len(run.Items))
	for i := range answers {
		answers[i] = Answer{Kind: Failed, Retry: time.Second, Err: errors.New("too long"), Broken: true}
	}
	d.say("the run of %s is given up", idsOf(run))
	d.saw["stuck runs"]++
	d.rounds.ends(run, func(c *Core) { c.Runs.GiveUp(run, answers) })
}

var answerNames = map[AnswerKind]string{
	Delivered: "delivered", Failed: "failed", Permanent: "permanent", Unavailable: "unavailable", NotYet: "not yet", NoRoute: "no route",
}

func (d *deliveries) answer(it *Item) Answer {
	kinds := []AnswerKind{Delivered, Delivered, Delivered, Failed, Unavailable, Unavailable, NotYet, Permanent}
	if it.Dest == nil {
		kinds = []AnswerKind{Delivered, Failed, NoRoute, Unavailable}
	}
	a := Answer{Kind: kinds[d.rand.IntN(len(kinds))]}
	if d.calm || a.Kind == Delivered {
		return Answer{Kind: Delivered}
	}
	a.Err, a.Retry = errors.New("no"), time.Second
	a.Inferred, a.Unasked, a.Broken = d.oneIn(2), d.oneIn(6), d.oneIn(3)
	return a
}

// prove checks the destination of a suspect, and writes its attempt.
func (d *deliveries) prove() {
	if len(d.suspects) == 0 {
		return
	}
	it := d.suspects[0]
	d.suspects = d.suspects[1:]
	var b *Breaker
	d.step(func(c *Core) { b = c.Lone.Check(it) })
	if b == nil {
		d.writeAttempt(it)
		return
	}
	d.statements.send("check before the lone run of "+it.held.EventID, func(lost bool) {
		if lost {
			d.step(func(c *Core) { c.Lone.PutOff(it, errLost) })
		} else {
			d.writeAttempt(it)
		}
	})
}

func (d *deliveries) writeAttempt(it *Item) {
	may := false
	d.step(func(c *Core) { may = c.Lone.Proving(it) })
	if !may {
		return
	}
	sent := d.now
	gone, locked := d.store.renew(heldOf([]*Item{it}), it.Attempts+1, sent, d.core.mem.cfg.Lease)
	d.statements.send("attempt of "+it.held.EventID, func(lost bool) {
		var run *Run
		d.step(func(c *Core) { run = c.Lone.Proved(it, sent, len(gone) > 0, lostError(lost || len(locked) > 0)) })
		if run != nil {
			d.saw["lone runs"]++
			d.run(run)
		}
	})
}

func idsOf(run *Run) string {
	var ids []string
	for _, it := range run.Items {
		ids = append(ids, it.held.EventID)
	}
	return strings.Join(ids, " ")
}
