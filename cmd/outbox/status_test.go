package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sendoff-go/outbox/admin"
)

// announcing is an outbox whose relay announces itself every so often.
type announcing struct {
	operator
	began time.Time
	every time.Duration
}

// Status implements operator: 20 events go out per second and one attempt of them
// fails, and three more wait every second.
func (a *announcing) Status(context.Context) (admin.Status, error) {
	gone := time.Since(a.began)
	seen := gone.Truncate(a.every)
	n := int64(seen / time.Second)
	return admin.Status{
		Lane: admin.Lane{Waiting: admin.Count{N: 3 * int64(gone/time.Second)}},
		Relays: []admin.Relay{{Owner: "relay/1", StartedAt: a.began.Add(-time.Hour), SeenAt: a.began.Add(seen),
			Figures: admin.Figures{Types: []admin.TypeFigures{{Type: "a", Delivered: 900 + 20*n, Failed: n}}}}},
	}, nil
}

func TestStatusMeasuresRates(t *testing.T) {
	for every, want := range map[time.Duration]string{
		5 * time.Second: "per second: in 23, out 20, failing 1.0\n",
		time.Minute:     "Rates are not known: not every relay has announced itself again; see outbox top.\n",
	} {
		synctest.Test(t, func(t *testing.T) {
			var out bytes.Buffer
			db := &announcing{began: time.Now(), every: every}
			first, err := db.Status(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if err := (&app{stdout: &out}).printRates(t.Context(), db, first, time.Now()); err != nil || out.String() != want {
				t.Errorf("every %s: %q, error %v", every, out.String(), err)
			}
			if took := time.Since(db.began); took > measureWithin {
				t.Errorf("it took %s", took)
			}
		})
	}
}

func TestStatusDoesNotWaitForRatesWithoutARelay(t *testing.T) {
	s := serve(t)
	if got := s.through(t, "vera", "status"); got.code != exitOK || strings.Contains(got.stdout, "per second") || strings.Contains(got.stdout, "Rates") {
		t.Errorf("got %+v", got)
	}
}
