package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
)

func TestTheBarFillsWithWhatIsDone(t *testing.T) {
	full, half, none := strings.Repeat("#", 30), strings.Repeat("#", 15)+strings.Repeat("-", 15), strings.Repeat("-", 30)
	for _, c := range []struct {
		now  admin.Job
		of   admin.Count
		want string
	}{
		{admin.Job{}, admin.Count{N: 40}, "[" + none + "] 0 of 40"},
		{admin.Job{Applied: 20}, admin.Count{N: 40}, "[" + half + "] 20 of 40"},
		{admin.Job{Applied: 10, Conflicts: 6, Gone: 4}, admin.Count{N: 40}, "[" + half + "] 10 of 40"},
		{admin.Job{Applied: 40}, admin.Count{N: 40}, "[" + full + "] 40 of 40"},
		{admin.Job{Applied: 25000}, admin.Count{N: 10000, More: true}, "[" + full + "] 25000 of 10000+"},
		{admin.Job{}, admin.Count{}, "[" + none + "] 0 of 0"},
	} {
		if got := progressBar(c.now, c.of); got != c.want {
			t.Errorf("%+v of %+v: %s", c.now, c.of, got)
		}
	}
}

// halfDone runs jobs to their half, and then says so.
type halfDone struct{ operator }

func (halfDone) RunJob(_ context.Context, id string, progress func(admin.Job)) (admin.Job, error) {
	progress(admin.Job{ID: id, Applied: 5, RunBy: "x"})
	return admin.Job{ID: id, Applied: 10}, nil
}

func TestTheBarIsForTerminalsAlone(t *testing.T) {
	var errs bytes.Buffer
	j := admin.Job{ID: "j1", Matches: admin.Count{N: 10}}
	for _, a := range []*app{{stderr: &errs}, {stderr: openNull(t)}} {
		if _, err := a.follow(t.Context(), halfDone{}, j); err != nil {
			t.Error(err)
		}
	}
	if errs.Len() > 0 {
		t.Errorf("without a terminal: %q", errs.String())
	}
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no terminal can be made here: %v", err)
	}
	defer func() { _ = terminal.Close() }()
	if _, err := (&app{stderr: terminal}).follow(t.Context(), halfDone{}, j); err != nil {
		t.Error(err)
	}
	echo := make([]byte, 200) // a terminal shows what it is sent
	n, err := terminal.Read(echo)
	if want := "[" + strings.Repeat("#", 15) + strings.Repeat("-", 15) + "] 5 of 10"; err != nil || !strings.Contains(string(echo[:n]), want) {
		t.Errorf("on a terminal: %q, error %v", echo[:n], err)
	}
}

func TestAJobThatIsDoneIsNotCountedShort(t *testing.T) {
	more := admin.Count{N: 10000, More: true}
	for want, j := range map[string]admin.Job{
		"20 of 40":        {Applied: 20, Matches: admin.Count{N: 40}, State: driver.JobDone},
		"25000":           {Applied: 25000, Matches: more, State: driver.JobDone},
		"25000 of 10000+": {Applied: 25000, Matches: more, State: driver.JobRunning},
		"9000 of 10000+":  {Applied: 9000, Matches: more, State: driver.JobCancelled},
	} {
		if got := doneOf(j); got != want {
			t.Errorf("%+v: %s, want %s", j, got, want)
		}
	}
}
