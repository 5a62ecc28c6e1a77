package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox/cmd/internal/daemon"
	"github.com/sendoff-go/outbox/cmd/internal/daemon/config"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/cmd/internal/doctor"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// doctorFlags are what doctor looks at, and how.
type doctorFlags struct {
	outboxFlags
	file   string
	limit  time.Duration
	expiry time.Duration
	role   string
	parts  []string // whose privileges to look for
	limits doctor.Limits
	out    listOutput
}

func (a *app) doctor() *cobra.Command {
	var f doctorFlags
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Look for what keeps events from getting through, and say what to do",
		Long: `Connects to the database and reports what is wrong or will be soon: tables, indexes,
the plan of the claim, locks, long transactions, dead rows, clocks, timeouts,
settings and privileges of the user, relays, event types that nobody delivers, and
dead letters. With --config it also connects to all that the daemon's configuration
names: each broker and its topics, the admin address, the webhook of alerts, the
collector of telemetry, the OpenID Connect issuer, and certificates.

It changes nothing. Each check has a time limit of its own, so that one that hangs
does not stop the others. A check is skipped where the database has no such thing,
or the user lacks the privilege.

The exit code is 0 if all is well, 6 if something keeps events from being
delivered, 7 if there are only warnings.`,
		Example: `  outbox doctor --database postgres://user:password@localhost:5432/shop
  outbox doctor --config outbox.yaml
  outbox doctor --config outbox.yaml -o jsonl`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.validate(); err != nil {
				return err
			}
			if f.file == "" || cmd.Flags().Changed("role") {
				f.parts = []string{f.role}
			}
			found, err := a.diagnose(cmd.Context(), &f)
			if err != nil {
				return err
			}
			return a.printFindings(&f, found)
		},
	}
	f.add(cmd)
	flags := cmd.Flags()
	flags.StringVarP(&f.file, "config", "c", "", "configuration `file` of the daemon: its database, and all else that it names")
	completeFlag(cmd, "config", files)
	flags.DurationVar(&f.limit, "timeout", 10*time.Second, "how long each check may take")
	flags.StringVar(&f.role, "role", "relay", "the `part` whose privileges the user should have: "+strings.Join(doctor.Roles, ", ")+"; with --config all that the daemon needs")
	flags.DurationVar(&f.limits.LongTransaction, "long-transaction", 5*time.Minute, "warn of transactions that are open for longer")
	flags.DurationVar(&f.limits.Unclaimed, "unclaimed", time.Minute, "how long an event may be due while no relay knows its type")
	flags.DurationVar(&f.limits.DeadLetterAge, "dead-letter-age", 7*24*time.Hour, "warn of dead letters that are open for longer")
	flags.DurationVar(&f.limits.ConsumedRetention, "consumed-retention", 24*time.Hour, "how long consumers keep ids; with --config as it says")
	flags.DurationVar(&f.limits.Clock, "clock", time.Second, "warn if this machine's clock and the database's differ by more")
	flags.DurationVar(&f.expiry, "expiry", 30*24*time.Hour, "warn of certificates that end sooner")
	f.out.add(cmd)
	values(cmd, "role", doctor.Roles...)
	return cmd
}

func (f *doctorFlags) validate() error {
	if f.file != "" && (f.url != "" || f.driver != "" || f.schema != "" || f.tables != (sqlstore.Tables{})) {
		return usagef("--config names the database and its tables: leave out --database, --driver, --schema and --table-*")
	}
	if f.limit <= 0 {
		return usagef("--timeout is %s: give each check some time", f.limit)
	}
	if !slices.Contains(doctor.Roles, f.role) {
		return usagef("--role is %q: use %s", f.role, strings.Join(doctor.Roles, ", "))
	}
	return nil
}

// diagnose runs all checks.
func (a *app) diagnose(ctx context.Context, f *doctorFlags) (found []doctor.Finding, err error) {
	open := func(ctx context.Context) (*dburl.Handle, error) {
		return f.open(ctx, dburl.Options{Tables: f.tables, ConnectTimeout: f.limit, StatementTimeout: f.limit})
	}
	var more []doctor.Check
	if f.file != "" {
		c, _, err := a.loadConfig(f.file)
		if err != nil {
			return nil, err
		}
		checks, closeAll, err := daemon.Diagnose(c, drivers, f.expiry)
		if err != nil {
			return nil, a.problems(f.file, err)
		}
		defer func() { err = errors.Join(err, closeAll()) }()
		more, open = checks, f.configured(c)
	}
	beside := make(chan []doctor.Finding, 1)
	go func() { beside <- doctor.Run(ctx, more, f.limit, 8) }()
	found, err = f.examine(ctx, open)
	found = append(found, <-beside...)
	if ctx.Err() != nil {
		return nil, errInterrupted
	}
	return found, err
}

// configured opens the database of a configuration, and takes over what it says
// about retention and, unless a role is named, about what the daemon does.
func (f *doctorFlags) configured(c *config.Config) func(context.Context) (*dburl.Handle, error) {
	f.limits.ResolvedRetention = c.Publisher.DLQ.ResolvedTTL.Std()
	f.limits.Fair = daemon.Fair(c)
	if f.parts == nil {
		f.parts = daemon.Parts(c)
	}
	if c.Consumer.Enabled && c.Consumer.CleanUp.Enabled {
		f.limits.ConsumedRetention = c.Consumer.CleanUp.TTL.Std()
	}
	return func(ctx context.Context) (*dburl.Handle, error) {
		o := daemon.DatabaseOptions(c, dburl.Options{ConnectTimeout: f.limit, StatementTimeout: f.limit})
		o.Create = false
		return dburl.Open(ctx, drivers, c.Database.URL, o)
	}
}

// examine runs the checks of the database: first those that the others need.
func (f *doctorFlags) examine(ctx context.Context, open func(context.Context) (*dburl.Handle, error)) ([]doctor.Finding, error) {
	db, err := open(ctx)
	var p *dburl.Problem
	switch {
	case errors.As(err, &p) && p.Kind != dburl.Usage:
		return []doctor.Finding{{Check: "connection", Answer: doctor.Fail(p.Advice, "%v", p.Err)}}, nil
	case err != nil:
		return nil, err
	}
	defer closeWithin(db, f.limit)
	d := doctor.NewDatabase(db, doctor.Options{Limits: f.limits, Parts: f.parts})
	found := []doctor.Finding{{Check: "connection", Answer: doctor.Okay("the database answers")}}
	found = append(found, doctor.Run(ctx, d.Server(), f.limit, d.Width())...)
	if doctor.Worst(found) == doctor.Failure {
		for _, c := range d.Tables() {
			found = append(found, doctor.Finding{Check: c.Name, Answer: doctor.Skip("needs a check that failed")})
		}
		return found, nil
	}
	return append(found, doctor.Run(ctx, d.Tables(), f.limit, d.Width())...), nil
}

// closeWithin does not wait for a statement that ignores its end.
func closeWithin(db *dburl.Handle, limit time.Duration) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = db.Close() // it was only read
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	}
}

// findings is the exit code of a report that is printed.
type findings int

func (findings) Error() string { return "doctor found something" }

func (a *app) printFindings(f *doctorFlags, found []doctor.Finding) error {
	worst := doctor.Worst(found)
	var err error
	switch f.out.output {
	case asJSON:
		err = a.printJSON(struct {
			State    doctor.State     `json:"state"`
			Findings []doctor.Finding `json:"findings"`
		}{worst, found})
	case asLines:
		err = printList(a, f.out, found)
	case text:
		a.printReport(found)
	}
	switch {
	case err != nil:
		return err
	case worst == doctor.Failure:
		return findings(exitFound)
	case worst == doctor.Warning:
		return findings(exitWarned)
	}
	return nil
}

var stateColors = map[doctor.State]color{doctor.OK: green, doctor.Skipped: faint, doctor.Warning: yellow, doctor.Failure: red}

// printReport prints what was seen and, below, what to do.
func (a *app) printReport(found []doctor.Finding) {
	on, width, counts := a.colored(), 0, map[doctor.State]int{}
	name := func(f doctor.Finding) string { return printable(strings.TrimSpace(f.Check + " " + f.Subject)) }
	for _, f := range found {
		width = max(width, len(name(f)))
		counts[f.State]++
	}
	for _, f := range found {
		state := fmt.Sprintf("%-7s", f.State)
		fmt.Fprintf(a.stdout, "%s  %-*s  %s\n", paint(on, stateColors[f.State], state), width, name(f), printable(f.Seen))
		if f.Do != "" {
			fmt.Fprintf(a.stdout, "%*s  -> %s\n", len(state)+2+width, "", printable(f.Do))
		}
	}
	fmt.Fprintf(a.stdout, "\n%d ok, %d skipped, %s, %s\n", counts[doctor.OK], counts[doctor.Skipped], numbered(counts[doctor.Warning], "warning"), numbered(counts[doctor.Failure], "failure"))
}
