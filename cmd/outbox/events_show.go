package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/driver"
)

func (a *app) eventsShow() *cobra.Command {
	var f outboxFlags
	var out output
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show one event with its state, headers and payload",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.with(cmd.Context(), false, func(ctx context.Context, db *dburl.Handle) error {
				e, found, err := db.Store.GetEvent(ctx, args[0])
				switch {
				case err != nil:
					return db.Problem("read an event", err)
				case !found:
					return fmt.Errorf("no event in the outbox has the id %s: it was delivered and deleted, is a dead letter, or was never written", printable(args[0]))
				case out == asJSON:
					return a.printJSON(admin.EventOf(&e, admin.Whole))
				}
				return a.printEvent(&e)
			})
		},
	}
	f.add(cmd)
	out.add(cmd)
	return cmd
}

func (a *app) printEvent(s *driver.StoredEvent) error {
	e := &s.Event
	held := ""
	if s.Status == driver.EventHeld {
		held = clock(s.LockedUntil)
	}
	rows := [][]string{{"type", e.Type}, {"status", string(s.Status)}, {"aggregate", e.AggregateType + " " + e.AggregateID}, {"tenant", e.TenantID},
		{"correlation", e.CorrelationID}, {"trace", e.TraceID}, {"written", clock(s.CreatedAt)}, {"available", clock(s.AvailableAt)},
		{"delivered", clock(s.DoneAt)}, {"delivery", certainly[s.Delivered()]}, {"held by", string(s.LockedBy)}, {"held until", held}, {"failed attempts", fmt.Sprint(s.Attempts)}}
	rows = slices.DeleteFunc(rows, func(r []string) bool { return r[1] == "" || r[1] == "-" })
	rows = slices.Insert(rows, 0, []string{"id", e.ID})
	if err := a.printTable("", rows); err != nil {
		return err
	}
	return a.printContent(e, s.Problem, s.Error, s.Failures)
}
