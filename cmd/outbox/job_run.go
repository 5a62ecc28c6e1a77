package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/backoff"
	"github.com/sendoff-go/outbox/job"
)

// starting has the flags of commands that start a job.
type starting struct {
	person personFlags
	out    listOutput
	dryRun bool
	yes    bool
	rate   int
	id     string
}

func (s *starting) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&s.dryRun, "dry-run", false, "only say how many rows match")
	flags.BoolVarP(&s.yes, "yes", "y", false, "do not ask for confirmation")
	flags.IntVar(&s.rate, "rate", 0, "change at most this many per second (default no limit)")
	flags.StringVar(&s.id, "id", "", "`id` of the job, a ULID: repeats a start whose answer was lost, without a second job (default a new one)")
	s.person.add(cmd)
	s.out.add(cmd)
}

// runJob counts what a job would change, asks, starts it and runs it to its end.
func (a *app) runJob(ctx context.Context, db operator, spec job.Spec, s *starting) error {
	spec.ID = s.id
	if err := spec.Validate(); err != nil {
		return plain(err)
	}
	now, err := db.CountJob(ctx, spec)
	if err != nil {
		return db.Problem("count", err)
	}
	n := now.Matches
	spec.Types = now.Types // what is confirmed is what is done
	thing := "dead letter"
	if spec.Action == job.Replay || spec.Action == job.Erase {
		thing = "event"
	}
	what := numbered(n.N, thing)
	if n.More {
		what = "more than " + what
	}
	if len(now.Types) > 0 {
		what += " of " + numbered(len(now.Types), "type")
	}
	if s.dryRun && s.out.machine() {
		return a.printJSON(struct {
			admin.Count
			Types  []string `json:"types,omitempty"`
			AlsoTo []string `json:"also_to,omitempty"`
		}{n, now.Types, now.AlsoTo})
	}
	a.printRoute(now)
	if s.dryRun {
		fmt.Fprintf(a.stdout, "would %s %s\n", spec.Action, what)
		return nil
	}
	if n.N > 0 {
		if err := a.confirm(ctx, s.yes, string(spec.Action), what); err != nil {
			return err
		}
	}
	spec.ID = cmp.Or(s.id, outbox.NewID())
	j, err := a.start(ctx, db, spec, s.person.act())
	if err != nil {
		return err
	}
	j, err = a.follow(ctx, db, j)
	if errors.Is(err, errInterrupted) {
		j, err = a.cancel(ctx, db, j, s.person.act())
	}
	return a.report(db, j, s.out.output, err)
}

// startTries is how often a start is tried if its answer is lost.
const startTries = 4

// start starts a job. The id of the spec makes it safe to try again.
func (a *app) start(ctx context.Context, db operator, spec job.Spec, act driver.Act) (admin.Job, error) {
	for n := 1; ; n++ {
		j, err := db.StartJob(ctx, spec, act)
		if err == nil {
			return j, nil
		}
		err = db.Problem("start a job", err)
		var p *dburl.Problem
		if !errors.As(err, &p) || p.Kind != dburl.Down {
			return j, err
		}
		if n == startTries || !backoff.Pause(ctx, n) {
			return j, &dburl.Problem{Kind: p.Kind, Err: p.Err, Advice: "it may have been started: see outbox jobs show " + spec.ID + ", or repeat the command with --id " + spec.ID}
		}
	}
}

// printRoute says what the destination of a replay stands for.
func (a *app) printRoute(now admin.StartedJob) {
	if len(now.Types) > 0 {
		fmt.Fprintf(a.stderr, "Event types that go there now, of which all events are replayed: %s\n", printable(strings.Join(now.Types, ", ")))
	}
	if len(now.AlsoTo) > 0 {
		fmt.Fprintf(a.stderr, "Some of their events go elsewhere, and will again: %s\n", printable(strings.Join(now.AlsoTo, ", ")))
	}
}

// report says how a job ended, or that it did not.
func (a *app) report(db operator, j admin.Job, out output, err error) error {
	action := job.Action(j.Action)
	if out != text {
		err = errors.Join(a.printJSON(j), err)
	} else {
		fmt.Fprintf(a.stdout, "%d %s\n", j.Applied, pastOf[action])
	}
	switch {
	case err != nil:
		return db.Problem(j.Action, err)
	case j.State == driver.JobWaiting:
		return fmt.Errorf("job %s waits for the consent of a second person: see outbox jobs consent", j.ID)
	case j.State != driver.JobDone:
		return errors.New(strings.TrimSuffix("the job is "+string(j.State)+": "+j.Error, ": "))
	case j.Conflicts > 0 && action == job.Erase:
		return fmt.Errorf("%s left alone, not delivered yet: erase again later", numbered(j.Conflicts, "event"))
	case j.Conflicts > 0:
		return fmt.Errorf("%s left alone: an event with the same id is in the outbox again, or a later letter with it was retried", numbered(j.Conflicts, "dead letter"))
	}
	return nil
}

// idleFor is how long a daemon may take to find a job.
const idleFor = 10 * time.Second

// follow runs a job to its end, or watches a daemon run it, and shows progress on
// a terminal.
func (a *app) follow(ctx context.Context, db operator, j admin.Job) (admin.Job, error) {
	shown, idle := "", time.Now().Add(idleFor)
	progress := func(now admin.Job) {
		if isTerminal(a.stderr) {
			fmt.Fprint(a.stderr, "\r"+progressBar(now, j.Matches))
			shown = "\n"
		}
		if now.RunBy == "" && !idle.IsZero() && time.Now().After(idle) {
			fmt.Fprintf(a.stderr, "%sJob %s is waiting for a daemon to run it.\n", shown, j.ID)
			shown, idle = "", time.Time{} // once
		}
	}
	now, err := db.RunJob(ctx, j.ID, progress)
	fmt.Fprint(a.stderr, shown)
	if now.ID != "" {
		j = now
	}
	if ctx.Err() != nil {
		err = errInterrupted
	}
	return j, err
}

// cancel cancels a job after an interrupt.
func (a *app) cancel(ctx context.Context, db operator, j admin.Job, act driver.Act) (admin.Job, error) {
	ctx, end := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer end()
	now, err := db.Cancel(ctx, j.ID, act)
	if err != nil && !errors.Is(err, job.ErrDecided) {
		return j, errors.Join(errInterrupted, fmt.Errorf("cannot cancel job %s, which a daemon may continue: %w", j.ID, err))
	}
	return now, errInterrupted
}

// pastOf says what an action did to rows.
var pastOf = map[job.Action]string{
	job.Retry: "back in the outbox", job.Resolve: "resolved", job.Delete: "deleted", job.Note: "noted",
	job.Replay: "will be delivered again", job.Erase: "erased",
}

// confirm asks before a change to many rows, or one that nobody can undo.
func (a *app) confirm(ctx context.Context, yes bool, action, what string) error {
	if yes {
		return nil
	}
	if !isTerminal(a.stdin) {
		return usagef("this would %s %s: pass --yes to do it", action, what)
	}
	fmt.Fprintf(a.stderr, "%s%s %s? [y/N] ", strings.ToUpper(action[:1]), action[1:], what)
	answers := make(chan string, 1)
	go func() { // after an interrupt it ends with the process
		answer, _ := bufio.NewReader(a.stdin).ReadString('\n') // the end of input means no
		answers <- strings.ToLower(strings.TrimSpace(answer))
	}()
	select {
	case answer := <-answers:
		if answer == "y" || answer == "yes" {
			return nil
		}
		return errors.New("nothing was changed")
	case <-ctx.Done():
		fmt.Fprintln(a.stderr)
		return errInterrupted
	}
}
