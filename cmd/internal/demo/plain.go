package demo

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/sendoff-go/outbox/cmd/internal/screen"
)

// Plain runs a demo and prints a line a second.
func Plain(ctx context.Context, d *Demo, w io.Writer) (Summary, error) {
	ended := make(chan struct{})
	printed := make(chan struct{})
	go func() {
		defer close(printed)
		printLines(d, w, ended)
	}()
	sum, err := d.Run(ctx)
	close(ended)
	<-printed
	return sum, err
}

func printLines(d *Demo, w io.Writer, ended <-chan struct{}) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	told := 0 // troubles so far
	for {
		select {
		case <-ended:
			return
		case <-tick.C:
		}
		st := d.State()
		if st.Troubles > told {
			fmt.Fprintf(w, "  !  %d errors, the latest: %s\n", st.Troubles-told, st.Trouble)
			told = st.Troubles
		}
		fmt.Fprintln(w, line(st))
	}
}

func line(st State) string {
	t := st.Total
	s := fmt.Sprintf("%4.0fs  written %s (%s/s)  delivered %s (%s/s)  waiting %s  retried %s  dead %s  p50 %s  p99 %s",
		st.Elapsed.Seconds(), screen.Count(t.Written), screen.Rate(t.WriteRate), screen.Count(t.Delivered), screen.Rate(t.DeliverRate),
		screen.Count(t.Open()), screen.Count(t.Retried), screen.Count(t.GaveUp), screen.Millis(t.P50), screen.Millis(t.P99))
	if st.Phase == Draining {
		s += "  (" + string(Draining) + ")"
	}
	return s
}

// Print prints a summary for people.
func Print(w io.Writer, s Summary) {
	row := func(name string, n int64, remark string) {
		fmt.Fprintf(w, "%-12s %12s", name, screen.Count(n))
		if remark != "" {
			fmt.Fprintf(w, "   %s", remark)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w)
	row("written", s.Written, fmt.Sprintf("%s more were rolled back, and %s of those was delivered", screen.Count(s.RolledBack), none(s.Phantoms)))
	if s.Failed > 0 {
		row("failed", s.Failed, "transactions, because the database was unavailable")
	}
	row("delivered", s.Delivered, "")
	if s.Waiting > 0 {
		why := "not delivered in time, still in the table"
		if s.Paused {
			why = "somebody paused their type or destination, still in the table"
		}
		row("waiting", s.Waiting, why)
	}
	if s.Repeated > 0 {
		row("repeated", s.Repeated, "delivered again because somebody asked for it")
	}
	row("retried", s.Retried, "attempts after a failure")
	row("dead", s.Dead, "failed permanently, kept as dead letters")
	if s.Deleted > 0 {
		row("deleted", s.Deleted, "dead letters that somebody deleted")
	}
	row("lost", s.Lost, "")
	remark := ""
	if s.Duplicates > 0 && s.Outage {
		remark = "not yet settled when the database became unavailable"
	}
	row("duplicates", s.Duplicates, remark)
	fmt.Fprintf(w, "%-12s %12s   p99 %s, max %s, commit to listener\n", "latency p50",
		screen.MillisOf(s.P50), screen.MillisOf(s.P99), screen.MillisOf(s.Max))
}

func none(n int64) string {
	if n == 0 {
		return "none"
	}
	return screen.Count(n)
}
