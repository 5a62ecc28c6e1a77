package core

import (
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// tally counts what happened to the events of a lane, for operators.
type tally struct {
	delivered, hot, failed, dead int64
	ages                         *driver.Ages // nil: nothing was delivered
}

func (t *tally) count(kind driver.OutcomeKind, hot bool, age time.Duration) {
	switch kind {
	case driver.Done:
		t.delivered++
		if hot {
			t.hot++
		}
		if t.ages == nil {
			t.ages = new(driver.Ages)
		}
		t.ages[driver.AgeBucket(age)]++
	case driver.Retry:
		t.failed++
	case driver.Dead:
		t.failed++
		t.dead++
	case driver.Release: // no attempt was counted
	}
}

// Figures returns what happened to the events of the lane; ok is false if none ran.
func (l *Lane) Figures() (f driver.TypeFigures, ok bool) {
	t := &l.tally
	f = driver.TypeFigures{Type: l.Name, Delivered: t.delivered, Hot: t.hot, Failed: t.failed, Dead: t.dead}
	if t.ages != nil {
		f.Ages = *t.ages
	}
	return f, t.delivered+t.failed > 0
}
