package doctor_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/cmd/internal/doctor"
)

func TestACheckThatHangsDoesNotStopTheOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stuck := make(chan struct{})
		began := time.Now()
		found := doctor.Run(t.Context(), []doctor.Check{
			{Name: "deaf", Look: func(context.Context) (doctor.Answer, error) { <-stuck; return doctor.Answer{}, nil }},
			{Name: "slow", Look: func(ctx context.Context) (doctor.Answer, error) { <-ctx.Done(); return doctor.Answer{}, ctx.Err() }},
			{Name: "quick", Look: func(context.Context) (doctor.Answer, error) { return doctor.Okay("fine"), nil }},
		}, time.Second, 1)
		if took := time.Since(began); took > 3*time.Second {
			t.Errorf("took %s", took)
		}
		for i, want := range []struct {
			name  string
			state doctor.State
			seen  string
		}{{"deaf", doctor.Failure, "no answer within 1s"}, {"slow", doctor.Failure, "no answer within 1s"}, {"quick", doctor.OK, "fine"}} {
			if f := found[i]; f.Check != want.name || f.State != want.state || f.Seen != want.seen {
				t.Errorf("finding %d is %+v", i, f)
			}
		}
		close(stuck)
	})
}

func TestErrorsOfAChecksBecomeFindings(t *testing.T) {
	for _, c := range []struct {
		err   error
		state doctor.State
	}{
		{errors.New("a\nb"), doctor.Failure},
		{&dburl.Problem{Kind: dburl.Down, Err: errors.New("away"), Advice: "start it"}, doctor.Failure},
		{&dburl.Problem{Kind: dburl.Refused, Err: errors.New("no")}, doctor.Skipped},
	} {
		f := doctor.Run(t.Context(), []doctor.Check{{Name: "x", Look: func(context.Context) (doctor.Answer, error) { return doctor.Answer{}, c.err }}}, time.Minute, 1)[0]
		if f.State != c.state || f.Seen == "" {
			t.Errorf("%v: %+v", c.err, f)
		}
	}
}
