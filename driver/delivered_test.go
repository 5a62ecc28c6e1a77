package driver_test

import (
	"testing"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

var (
	refusedFailure = []driver.Failure{{Attempt: 1, Class: driver.ClassPermanent}}
	lostFailure    = []driver.Failure{{Class: driver.ClassUnavailable, Maybe: true}, {Attempt: 1, Class: driver.ClassFailed}}
)

func TestALetterSaysWhetherItMayHaveBeenDelivered(t *testing.T) {
	for want, fs := range map[driver.Delivered][]driver.Failure{driver.DeliveredNo: refusedFailure, driver.DeliveredMaybe: lostFailure} {
		l := driver.DeadLetter{Failures: fs}
		if got := l.Delivered(); got != want || l.Class() != fs[len(fs)-1].Class {
			t.Errorf("%+v: %s, class %s", fs, got, l.Class())
		}
	}
	var none driver.DeadLetter
	if none.Delivered() != driver.DeliveredMaybe || none.Class() != "" {
		t.Error("without a history nobody knows")
	}
}

func TestAnEventSaysWhetherItWasDelivered(t *testing.T) {
	for want, es := range map[driver.Delivered][]driver.StoredEvent{
		driver.DeliveredYes: {{Status: driver.EventDone, Failures: lostFailure}},
		driver.DeliveredMaybe: {
			{Status: driver.EventWaiting, Failures: lostFailure}, {Status: driver.EventHeld, LockedUntil: time.Now()},
			{Status: driver.EventWaiting, LockedUntil: time.Now().Add(-time.Hour)}, {Status: driver.EventDead},
		},
		driver.DeliveredNo: {{Status: driver.EventWaiting}, {Status: driver.EventWaiting, Failures: refusedFailure}, {Status: driver.EventDead, Failures: refusedFailure}},
	} {
		for _, e := range es {
			if got := e.Delivered(); got != want {
				t.Errorf("%+v: %s, expected %s", e, got, want)
			}
		}
	}
}
