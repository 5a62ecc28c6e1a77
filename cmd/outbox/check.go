package main

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sendoff-go/outbox/admin"
)

// limits are what check compares with. A zero is no limit.
type limits struct {
	warnOldest, critOldest   time.Duration
	warnDead, critDead       int64
	warnWaiting, critWaiting int64
	noRelay                  bool
	format                   string
}

func (a *app) check() *cobra.Command {
	var f operatorFlags
	var l limits
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Tell a monitoring system in one line whether events get through",
		Long: `Compares the state of an outbox with limits, and prints one line for a monitoring
system. It asks only the database, so it works, and says so, when no relay runs; with
--api it needs the daemon that serves the API. Events are counted up to a bound of 10,000
for each type; more than that exceeds any limit.

The exit code is that of monitoring plugins, unlike that of other commands:
  0  all is well
  1  a warning limit is exceeded
  2  a critical limit is exceeded, or no relay runs
  3  the state is unknown: the database or the API does not answer, or a flag is wrong`,
		Example: `  outbox check --warn-oldest 1m --crit-oldest 10m --warn-dead 1
  outbox check --format prometheus > outbox.tmp; mv outbox.tmp /var/lib/node_exporter/outbox.prom`,
		Args: func(cmd *cobra.Command, args []string) error { return l.unknown(cobra.NoArgs(cmd, args)) },
		RunE: func(cmd *cobra.Command, _ []string) error {
			if l.format != "nagios" && l.format != "prometheus" {
				return l.unknown(usagef("--format is %q: use nagios or prometheus", l.format))
			}
			if err := l.validate(cmd.Flags()); err != nil {
				return l.unknown(err)
			}
			return l.unknown(f.with(cmd.Context(), func(ctx context.Context, db operator) error {
				s, err := db.Status(ctx)
				if err != nil {
					return db.Problem("count events", err)
				}
				return a.judge(s, l)
			}))
		},
	}
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return l.unknown(flagError(cmd, err)) })
	f.add(cmd)
	flags := cmd.Flags()
	flags.DurationVar(&l.warnOldest, "warn-oldest", time.Minute, "warn if a due event has waited for longer; 0: never")
	flags.DurationVar(&l.critOldest, "crit-oldest", 10*time.Minute, "critical if a due event has waited for longer; 0: never")
	flags.Int64Var(&l.warnDead, "warn-dead", 1, "warn at this many dead letters; 0: never")
	flags.Int64Var(&l.critDead, "crit-dead", 0, "critical at this many dead letters; 0: never")
	flags.Int64Var(&l.warnWaiting, "warn-waiting", 0, "warn at this many waiting events; 0: never")
	flags.Int64Var(&l.critWaiting, "crit-waiting", 0, "critical at this many waiting events; 0: never")
	flags.BoolVar(&l.noRelay, "no-relay-ok", false, "do not report that no relay is running, for example with outbox relay --once")
	flags.StringVar(&l.format, "format", "nagios", "nagios, one line with performance data, or prometheus, the text format")
	values(cmd, "format", "nagios", "prometheus")
	return cmd
}

// validate refuses limits that would never be reached, or hide another one. A
// default may be higher than a critical limit that is given.
func (l *limits) validate(flags *pflag.FlagSet) error {
	for _, c := range []struct {
		name       string
		warn, crit int64
	}{
		{"oldest", int64(l.warnOldest), int64(l.critOldest)}, {"dead", l.warnDead, l.critDead}, {"waiting", l.warnWaiting, l.critWaiting},
	} {
		warn, crit := flags.Lookup("warn-"+c.name), flags.Lookup("crit-"+c.name)
		switch {
		case c.warn < 0:
			return usagef("--%s is %s: use 0 for no limit", warn.Name, warn.Value)
		case c.crit < 0:
			return usagef("--%s is %s: use 0 for no limit", crit.Name, crit.Value)
		case warn.Changed && c.crit > 0 && c.warn > c.crit:
			return usagef("--%s is %s and --%s is %s: warn sooner than that, or raise the critical limit", warn.Name, warn.Value, crit.Name, crit.Value)
		}
	}
	return nil
}

// verdict is an exit code of monitoring plugins. Its line is already printed.
type verdict int

func (v verdict) Error() string { return [...]string{"OK", "WARNING", "CRITICAL"}[v] }

// unknownState is an error that leaves the state unknown.
type unknownState struct {
	error
	format string
}

func (u unknownState) Unwrap() error { return u.error }

func (l *limits) unknown(err error) error {
	if _, judged := err.(verdict); err == nil || judged { //nolint:errorlint // what judge returns
		return err
	}
	return unknownState{err, l.format}
}

// judge prints the state and returns a verdict, or nil if all is well.
func (a *app) judge(s admin.Status, l limits) error {
	var worst verdict
	var said []string
	say := func(v verdict, format string, args ...any) {
		worst = max(worst, v)
		said = append(said, fmt.Sprintf(format, args...))
	}
	compare := func(n, warn, crit int64, format string, args ...any) {
		switch {
		case crit > 0 && n >= crit:
			say(2, format, args...)
		case warn > 0 && n >= warn:
			say(1, format, args...)
		}
	}
	oldest := seconds(s.OldestDue)
	if len(s.Relays) == 0 && !l.noRelay {
		say(2, "no relay is running")
	}
	compare(int64(oldest), int64(l.warnOldest), int64(l.critOldest), "the oldest due event has waited for %s", span(oldest))
	compare(atLeast(s.Waiting), l.warnWaiting, l.critWaiting, "%s events wait", counted(s.Waiting))
	compare(atLeast(s.Dead), l.warnDead, l.critDead, "%s dead letters", counted(s.Dead))
	if len(s.Paused) > 0 {
		said = append(said, "paused: "+strings.Join(s.Paused, ", "))
	}
	if names := pausedOf(s.Destinations); len(names) > 0 {
		said = append(said, "paused destinations: "+strings.Join(names, ", "))
	}
	if l.format == "prometheus" {
		a.printProm(s, worst)
	} else {
		if len(said) == 0 {
			said = []string{"events get through"}
		}
		fmt.Fprintf(a.stdout, "OUTBOX %s - %s | oldest=%.3fs;%s;%s waiting=%d;%s;%s dead=%d;%s;%s relays=%d\n", worst.Error(), pluginText(strings.Join(said, "; ")),
			s.OldestDue, limit(l.warnOldest.Seconds()), limit(l.critOldest.Seconds()),
			s.Waiting.N, limit(l.warnWaiting), limit(l.critWaiting), s.Dead.N, limit(l.warnDead), limit(l.critDead), len(s.Relays))
	}
	if worst == 0 {
		return nil
	}
	return worst
}

// atLeast is the number to compare with a limit. A count that stopped at its
// bound exceeds every limit: a limit beyond the bound would otherwise never be
// reached.
func atLeast(c admin.Count) int64 {
	if c.More {
		return math.MaxInt64
	}
	return c.N
}

// limit is a limit in performance data, which is empty where there is none.
func limit[N int64 | float64](n N) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// pluginText has no character that ends the text of a monitoring plugin.
func pluginText(s string) string { return strings.ReplaceAll(printable(s), "|", "/") }

// printProm prints the state in the text format of Prometheus.
func (a *app) printProm(s admin.Status, v verdict) {
	a.printMetric("outbox_check_state", stateHelp, float64(v))
	for _, m := range []struct {
		name, help string
		value      float64
	}{
		{"outbox_check_oldest_due_seconds", "How long the oldest due event has waited.", s.OldestDue},
		{"outbox_check_waiting_events", "Events that wait, counted up to a bound.", float64(s.Waiting.N)},
		{"outbox_check_dead_letters", "Unresolved dead letters, counted up to a bound.", float64(s.Dead.N)},
		{"outbox_check_relays", "Relays that run.", float64(len(s.Relays))},
	} {
		a.printMetric(m.name, m.help, m.value)
	}
}

const stateHelp = "0 OK, 1 warning, 2 critical, 3 unknown."

func (a *app) printMetric(name, help string, value float64) {
	fmt.Fprintf(a.stdout, "# HELP %s %s\n# TYPE %[1]s gauge\n%[1]s %[3]g\n", name, help, value)
}

// printUnknown says on standard output that the state is unknown.
func (a *app) printUnknown(u unknownState, text string) {
	if u.format == "prometheus" {
		a.printMetric("outbox_check_state", stateHelp, exitUnknown)
		return
	}
	fmt.Fprintln(a.stdout, "OUTBOX UNKNOWN - "+pluginText(text))
}
