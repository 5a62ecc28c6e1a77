package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
)

// What tail asks for each tailEvery: no more than tailMost events, and again those
// of the last tailBack, since a transaction may commit after a later one.
const (
	tailEvery = time.Second
	tailMost  = 1000
	tailBack  = 15 * time.Second
)

func (a *app) eventsTail() *cobra.Command {
	var f operatorFlags
	var filter eventFlags
	var out listOutput
	var payloads bool
	cmd := &cobra.Command{
		Use:   "tail",
		Short: "Follow the events that are written",
		Long: `Prints events as they are written, until it is interrupted. It asks once a second
for the latest 1000, so it may miss events of a burst (it then says so), events that
are deleted as soon as they are delivered and, on PostgreSQL, events with ids of
another program that do not grow with time.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, err := matchOf(filter.payload); err != nil {
				return err
			}
			return f.with(cmd.Context(), func(ctx context.Context, db operator) error {
				t := tail{app: a, db: db, filter: filter.filter, payload: filter.payload, out: out, payloads: payloads}
				return t.follow(ctx)
			})
		},
	}
	f.add(cmd)
	filter.add(cmd, &f)
	cmd.Flags().BoolVar(&payloads, "payloads", false, "show payloads, and with -o headers too")
	out.add(cmd)
	return cmd
}

// tail follows events.
type tail struct {
	*app
	db       operator
	filter   driver.EventFilter
	payload  string
	out      listOutput
	payloads bool
	seen     map[place]time.Time // when they were written
	latest   time.Time           // of those
}

// place is that of an event among all.
type place struct {
	seq int64
	id  string
}

func (t *tail) follow(ctx context.Context) error {
	ticker := time.NewTicker(tailEvery)
	defer ticker.Stop()
	for {
		es, more, err := t.next(ctx)
		switch {
		case ctx.Err() != nil: // interrupted, which is how it ends
			return nil
		case err != nil:
			return t.db.Problem("list events", err)
		case more:
			fmt.Fprintf(t.stderr, "more than %d events at once: some are not shown\n", tailMost)
		}
		for i := range es {
			if err := t.print(&es[i]); err != nil {
				return err
			}
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// next returns the events that were not seen before, earliest first. At first it
// only notes what is there.
func (t *tail) next(ctx context.Context) (fresh []admin.Event, more bool, err error) {
	first := t.seen == nil
	if first {
		t.seen = map[place]time.Time{}
	}
	since := t.latest.Add(-tailBack)
	es, more, err := t.db.LatestEvents(ctx, t.filter, t.payload, t.payloads, tailMost)
	if err != nil {
		return nil, false, err
	}
	known := false
	for i := range es {
		at := place{es[i].Seq, es[i].ID}
		if _, ok := t.seen[at]; ok || es[i].CreatedAt.Before(since) {
			known = true
			continue
		}
		t.seen[at] = es[i].CreatedAt
		if es[i].CreatedAt.After(t.latest) {
			t.latest = es[i].CreatedAt
		}
		fresh = append(fresh, es[i])
	}
	if first {
		return nil, false, nil
	}
	for at, written := range t.seen {
		if written.Before(t.latest.Add(-2 * tailBack)) {
			delete(t.seen, at)
		}
	}
	slices.Reverse(fresh)
	return fresh, more && len(es) == tailMost && !known, nil
}

func (t *tail) print(s *admin.Event) error {
	if t.out.machine() {
		return t.printJSON(s)
	}
	line := fmt.Sprintf("%s  %s  %s  %s", clock(s.CreatedAt), printable(s.ID), printable(s.Type), printable(aggregateOf(s)))
	if t.payloads {
		line += "  " + payloadText(s)
	}
	_, err := fmt.Fprintln(t.stdout, line)
	return err
}
