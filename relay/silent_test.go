package relay_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/store/memstore"
)

func TestARelayThatIsWrittenForAndNeverRunIsWarnedOf(t *testing.T) {
	log := &logged{}
	bubble(t, relay.Config{Logger: slog.New(log)}, recordA, func(ctx context.Context, r *rig) {
		warnings := func() []logLine { return log.with(slog.LevelWarn, "is not running") }
		pass(time.Hour) // nobody writes
		if ws := warnings(); len(ws) != 0 {
			t.Errorf("warned without an event: %+v", ws)
		}
		for i := range 100 {
			r.write(ctx, event("A", i))
			pass(time.Second)
		}
		if ws := warnings(); len(ws) != 1 {
			t.Errorf("warnings %+v, want one", ws)
		}
	})
}

func TestARelayThatIsNeverRunIsWarnedOfByPlainWrites(t *testing.T) {
	log := &logged{}
	bubble(t, relay.Config{Logger: slog.New(log)}, recordA, func(ctx context.Context, r *rig) {
		for i := range 2 {
			tx, err := r.store.BeginTx(ctx)
			if err != nil {
				t.Fatal(err)
			}
			r.writeIn(ctx, tx, event("A", i))
			if err := tx.Commit(); err != nil {
				t.Fatal(err)
			}
			pass(time.Minute)
		}
		if ws := log.with(slog.LevelWarn, "is not running"); len(ws) != 1 {
			t.Errorf("warnings %+v, want one", ws)
		}
	})
}

func TestARelayThatIsRunAfterTheFirstWritesIsNotWarnedOf(t *testing.T) {
	log := &logged{}
	bubble(t, relay.Config{Logger: slog.New(log)}, recordA, func(ctx context.Context, r *rig) {
		r.write(ctx, event("A", 1))
		pass(10 * time.Second)
		r.run()
		pass(time.Minute)
		r.stop()
		r.write(ctx, event("A", 2)) // a program that ends may still write
		pass(time.Minute)
		if ws := log.of(slog.LevelWarn); len(ws) != 0 {
			t.Errorf("warnings %+v", ws)
		}
	})
}

func TestATransactionWhoseEndIsNeverToldIsWarnedOfOnce(t *testing.T) {
	log := &logged{}
	bubble(t, relay.Config{Logger: slog.New(log)}, recordA, func(ctx context.Context, r *rig) {
		r.run()
		for i := range 3 {
			ctx, tx, _ := r.begin(ctx)
			r.writeIn(ctx, tx, event("A", i))
			if err := tx.Commit(); err != nil {
				t.Fatal(err)
			}
			pass(30 * time.Second)
		}
		ws := log.of(slog.LevelWarn)
		if len(ws) != 1 || ws[0].attrs["event_id"] != "A-00000" || ws[0].attrs["event_type"] != "A" {
			t.Errorf("warnings %+v, want one", ws)
		}
		r.wantStats(ctx, 0, 0, 3, 0)
	})
}

func TestATransactionThatIsOpenForLongIsNotWarnedOf(t *testing.T) {
	log := &logged{}
	bubble(t, relay.Config{Logger: slog.New(log), Lane: relay.LaneConfig{Interval: time.Second}}, recordA, func(ctx context.Context, r *rig) {
		r.run()
		for i, end := range []func(*memstore.Tx) error{(*memstore.Tx).Commit, (*memstore.Tx).Rollback} {
			ctx, tx, done := r.begin(ctx)
			r.writeIn(ctx, tx, event("A", i))
			pass(20 * time.Second) // four head starts
			if err := end(tx); err != nil {
				t.Fatal(err)
			}
			pass(2 * time.Second) // it is delivered, and the report is late
			_ = done([]error{nil, outbox.ErrRolledBack}[i])
			pass(time.Minute)
		}
		if ws := log.of(slog.LevelWarn); len(ws) != 0 {
			t.Errorf("warnings %+v", ws)
		}
		r.wantStats(ctx, 0, 0, 1, 0)
	})
}

func TestAnEventTypeThatIsNearlyAnotherIsWarnedOfWithItsName(t *testing.T) {
	log := &logged{}
	bubble(t, relay.Config{Logger: slog.New(log)}, func(r *rig) {
		ok := func(context.Context, outbox.Event) error { return nil }
		r.reg.Handle("OrderPlaced", ok)
		r.reg.Handle("invoice-sent", ok)
	}, func(ctx context.Context, r *rig) {
		r.run()
		r.writeCold(ctx, event("order-placed", 1), event("order-placed", 2), event("InvoiceSend", 1), event("Shipped", 1))
		pass(time.Minute)
		got := map[string]string{}
		for _, w := range log.with(slog.LevelWarn, "no listener") {
			if _, twice := got[w.attrs["event_type"]]; twice {
				t.Errorf("a second warning: %+v", w)
			}
			got[w.attrs["event_type"]] = w.attrs["similar"]
		}
		for eventType, want := range map[string]string{"order-placed": "OrderPlaced", "InvoiceSend": "invoice-sent", "Shipped": ""} {
			if similar, told := got[eventType]; !told || similar != want {
				t.Errorf("%s: similar %q, told %t; want %q", eventType, similar, told, want)
			}
		}
	})
}

func TestAnAggregateTypeWithoutAListenerIsWarnedOfOnce(t *testing.T) {
	log := &logged{}
	bubble(t, relay.Config{Logger: slog.New(log)}, func(r *rig) {
		r.reg.HandleAggregate("Order", "placed", func(context.Context, outbox.Event) error { return nil })
	}, func(ctx context.Context, r *rig) {
		r.run()
		for i := range 3 {
			e := event("placed", i)
			e.AggregateType = "Orders"
			r.writeCold(ctx, e)
		}
		pass(10 * time.Minute)
		if ws := log.of(slog.LevelWarn); len(ws) != 1 || ws[0].attrs["aggregate_type"] != "Orders" || ws[0].attrs["event_type"] != "placed" {
			t.Errorf("warnings %+v, want one that names both types", ws)
		}
		r.wantStats(ctx, 3, 0, 0, 0)
	})
}

func TestNamesWithoutNumberDoNotFillTheLog(t *testing.T) {
	log := &logged{}
	bubble(t, relay.Config{Logger: slog.New(log)}, func(r *rig) {
		r.reg.HandleAggregate("Order", "placed", func(context.Context, outbox.Event) error { return nil })
	}, func(ctx context.Context, r *rig) {
		r.run()
		for i := range 300 {
			id := event("placed", i).ID
			r.writeCold(ctx, outbox.Event{Type: "placed", AggregateType: "order-" + id, JSON: []byte("1")}, outbox.Event{Type: id, JSON: []byte("1")})
		}
		pass(time.Minute)
		if n := len(log.of(slog.LevelWarn)); n < 10 || n > 100 {
			t.Errorf("%d warnings", n)
		}
	})
}
