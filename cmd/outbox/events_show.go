package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
)

func (a *app) eventsShow() *cobra.Command {
	var f operatorFlags
	var out output
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show one event with its state, headers and payload",
		Args:  cobra.ExactArgs(1),

		ValidArgsFunction: complete(&f, eventIDs, false),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.with(cmd.Context(), func(ctx context.Context, db operator) error {
				e, found, err := db.Event(ctx, args[0])
				switch {
				case err != nil:
					return db.Problem("read an event", err)
				case !found:
					return fmt.Errorf("no event in the outbox has the id %s: it was delivered and deleted, is a dead letter, or was never written", printable(args[0]))
				case out == asJSON:
					return a.printJSON(e)
				}
				return a.printEvent(&e)
			})
		},
	}
	f.add(cmd)
	out.add(cmd)
	return cmd
}

func eventContent(e *admin.Event) content {
	return content{e.Unreadable, e.Error, e.Failures, e.Headers, e.Payload, e.PayloadBytes}
}

func (a *app) printEvent(e *admin.Event) error {
	held := ""
	if e.Status == driver.EventHeld {
		held = clockOf(e.LockedUntil)
	}
	rows := [][]string{{"type", e.Type}, {"status", string(e.Status)}, {"aggregate", strings.TrimSpace(e.AggregateType + " " + e.AggregateID)}, {"tenant", e.TenantID},
		{"correlation", e.CorrelationID}, {"trace", e.TraceID}, {"written", clock(e.CreatedAt)}, {"available", clock(e.AvailableAt)},
		{"delivered", clockOf(e.DoneAt)}, {"delivery", certainly[e.Delivered]}, {"held by", e.LockedBy}, {"held until", held}, {"failed attempts", fmt.Sprint(e.Attempts)}}
	rows = slices.DeleteFunc(rows, func(r []string) bool { return r[1] == "" || r[1] == "-" })
	rows = slices.Insert(rows, 0, []string{"id", e.ID})
	if err := a.printTable("", rows); err != nil {
		return err
	}
	return a.printContent(eventContent(e))
}
