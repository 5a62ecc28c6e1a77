package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/job"
)

func (a *app) jobs() *cobra.Command {
	var f operatorFlags
	var out listOutput
	var limit int
	var state, action string
	cmd := &cobra.Command{
		Use:   "jobs",
		Short: "List jobs, such as retries and replays of many events",
		Long: `Lists jobs, latest first. A job is stored with its position, so that another
process can continue it if the one that runs it ends. Daemons run the jobs that
nobody else runs. A command that starts a job runs it itself, or with --api watches
a daemon run it. "outbox audit --job JOB" lists what a job changed.`,
		Example: `  outbox jobs
  outbox jobs --state waiting
  outbox jobs show 01M7KYSS57BTHAXT4Y24NXCHYH
  outbox jobs cancel 01M7KYSS57BTHAXT4Y24NXCHYH --note 'the wrong type'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit < 1 {
				return usagef("--limit is %d: ask for at least one", limit)
			}
			if err := cmp.Or(oneOf("state", state, admin.JobStates()), oneOf("action", action, admin.JobActions())); err != nil {
				return err
			}
			which := driver.JobFilter{State: driver.JobState(state), Action: action}
			return f.with(cmd.Context(), func(ctx context.Context, db operator) error {
				js, err := db.Jobs(ctx, which, limit)
				switch {
				case err != nil:
					return db.Problem("list jobs", err)
				case out.machine():
					return printList(a, out, js)
				}
				return a.printJobs(js)
			})
		},
	}
	f.add(cmd)
	out.add(cmd)
	checkFilters(cmd)
	flags := cmd.Flags()
	flags.StringVar(&state, "state", "", "only those in this `state`: "+strings.Join(admin.JobStates(), ", "))
	flags.StringVar(&action, "action", "", "only those that do this `action`: "+strings.Join(admin.JobActions(), ", "))
	values(cmd, "state", admin.JobStates()...)
	values(cmd, "action", admin.JobActions()...)
	flags.IntVar(&limit, "limit", 50, "at most this many")
	cmd.AddCommand(a.jobsShow(), a.jobsRun(),
		a.jobsDecide("cancel", "Cancel a job; what it has done stays done", "cancelled", operator.Cancel),
		a.jobsDecide("consent", "Allow a job that waits for a second person", "allowed", operator.Consent))
	return cmd
}

func (a *app) printJobs(js []admin.Job) error {
	if len(js) == 0 {
		fmt.Fprintln(a.stdout, "No jobs.")
		return nil
	}
	var rows [][]string
	for _, j := range js {
		rows = append(rows, []string{j.ID, j.Action, string(j.State), doneOf(j), clock(j.CreatedAt), j.By, firstLine(j.Note, 60)})
	}
	return a.printTable("JOB ACTION STATE DONE STARTED BY NOTE", rows)
}

// doneOf says how many rows a job has changed, and of how many. Once it has ended, a
// first count that was cut short says nothing more.
func doneOf(j admin.Job) string {
	if j.State == driver.JobDone && j.Matches.More {
		return fmt.Sprint(j.Applied)
	}
	return fmt.Sprintf("%d of %s", j.Applied, counted(j.Matches))
}

func (a *app) jobsShow() *cobra.Command {
	var f operatorFlags
	var out output
	cmd := &cobra.Command{
		Use:               "show JOB",
		Short:             "Show one job",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: complete(&f, jobIDs(true), false),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.with(cmd.Context(), func(ctx context.Context, db operator) error {
				j, err := findJob(ctx, db, "show a job", args[0])
				switch {
				case err != nil:
					return err
				case out == asJSON:
					return a.printJSON(j)
				}
				return a.printJob(j)
			})
		},
	}
	f.add(cmd)
	out.add(cmd)
	return cmd
}

// findJob returns the job with an id; doing names what it is for in the error.
func findJob(ctx context.Context, db operator, doing, id string) (admin.Job, error) {
	j, found, err := db.Job(ctx, id)
	if err == nil && !found {
		return j, noJob(id)
	}
	return j, db.Problem(doing, err)
}

func noJob(id string) error {
	return fmt.Errorf("no job has the id %s: see outbox jobs", printable(id))
}

func (a *app) printJob(j admin.Job) error {
	filter, err := json.Marshal(j.Filter)
	if err != nil {
		return err
	}
	rate, ids := "", ""
	if j.Rate > 0 {
		rate = fmt.Sprintf("%d a second", j.Rate)
	}
	if j.NewIDs {
		ids = "new"
	}
	rows := [][]string{
		{"job", j.ID}, {"action", j.Action}, {"filter", string(filter)}, {"types", strings.Join(j.Types, ", ")}, {"ids", ids}, {"rate", rate}, {"state", string(j.State)}, {"matched", counted(j.Matches)},
		{"applied", fmt.Sprint(j.Applied)}, {"conflicts", fmt.Sprint(j.Conflicts)}, {"gone", fmt.Sprint(j.Gone)},
		{"by", j.By}, {"note", j.Note}, {"started", clock(j.CreatedAt)}, {"changed", clock(j.ChangedAt)}, {"ended", clockOf(j.EndedAt)},
		{"run by", j.RunBy}, {"decided by", j.DecidedBy}, {"error", j.Error},
	}
	var filled [][]string
	for _, r := range rows {
		if r[1] != "" && r[1] != "-" {
			filled = append(filled, r)
		}
	}
	return a.printTable("", filled)
}

func (a *app) jobsRun() *cobra.Command {
	var f operatorFlags
	var out output
	cmd := &cobra.Command{
		Use:   "run JOB",
		Short: "Continue a job whose process has ended, or watch it run",
		Long: `Continues a job that no other process runs, or watches the process that runs it,
until the job ends. With --api it only watches. After an interrupt the job stays as
it is: run it again, or cancel it.`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: complete(&f, jobIDs(false), false),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.with(cmd.Context(), func(ctx context.Context, db operator) error {
				j, err := findJob(ctx, db, "run a job", args[0])
				if err != nil {
					return err
				}
				j, err = a.follow(ctx, db, j)
				return a.report(db, j, out, err)
			})
		},
	}
	f.add(cmd)
	out.add(cmd)
	return cmd
}

// jobIDs completes the ids of jobs, also of those that have ended if it is told so.
func jobIDs(ended bool) lookUp {
	return func(ctx context.Context, db operator) (ids []string) {
		js, _ := db.Jobs(ctx, driver.JobFilter{}, completeMost) // a completion has nobody to tell
		for _, j := range js {
			if ended || !j.State.Ended() {
				ids = append(ids, j.ID+"\t"+printable(j.Action+" by "+j.By+": "+string(j.State)))
			}
		}
		return ids
	}
}

func (a *app) jobsDecide(name, short, done string, decide func(operator, context.Context, string, driver.Act) (admin.Job, error)) *cobra.Command {
	var f operatorFlags
	var person personFlags
	var out output
	cmd := &cobra.Command{
		Use:               name + " JOB",
		Short:             short,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: complete(&f, jobIDs(false), false),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.with(cmd.Context(), func(ctx context.Context, db operator) error {
				j, err := decide(db, ctx, args[0], person.act())
				switch {
				case errors.Is(err, job.ErrNotFound):
					return noJob(args[0])
				case errors.Is(err, job.ErrDecided):
					return fmt.Errorf("job %s is %s: it can no longer be %s", printable(args[0]), j.State, done)
				case errors.Is(err, job.ErrSame):
					return fmt.Errorf("%s started this job: somebody else must allow it", printable(j.By))
				case err != nil:
					return db.Problem(name+" a job", err)
				case out == asJSON:
					return a.printJSON(j)
				}
				fmt.Fprintf(a.stdout, "%s  %s\n", j.ID, done)
				return nil
			})
		},
	}
	f.add(cmd)
	person.add(cmd)
	out.add(cmd)
	return cmd
}
