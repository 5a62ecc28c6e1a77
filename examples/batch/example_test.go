package batch_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	_ "modernc.org/sqlite" // registers the driver "sqlite"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/examples/internal/scratch"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/retry"
	"github.com/sendoff-go/outbox/store/sqlitestore"
)

// index stands for a destination with a bulk interface.
type index struct{ documents int }

// add is the batch listener. It returns nil if all are done, or one error per
// event.
func (x *index) add(_ context.Context, es []outbox.Event) []error {
	errs := make([]error, len(es))
	for i, e := range es {
		switch e.AggregateID {
		case "crooked":
			errs[i] = outbox.Permanent(errors.New("has no title")) // a dead letter at once
		case "locked":
			errs[i] = errors.New("is being edited") // retried
		default:
			x.documents++
		}
	}
	fmt.Println("a batch of", len(es))
	return errs
}

func run(ctx context.Context, path string) error {
	db, err := sqlitestore.Open("sqlite", path)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	store, err := sqlitestore.New(db, sqlitestore.Config{})
	if err != nil {
		return err
	}
	if err := store.Migrate(ctx); err != nil {
		return err
	}

	var x index
	reg := outbox.NewRegistry()
	reg.HandleBatch("DocumentChanged", x.add)
	r, err := relay.New(store, reg, relay.Config{Lanes: map[string]relay.LaneConfig{
		"DocumentChanged": {
			Workers:      1,   // one batch at a time
			Batch:        500, // rows that are claimed at once
			DeliverBatch: 100, // events that the listener gets at once
			Retry:        retry.Fixed(time.Minute),
		},
	}})
	if err != nil {
		return err
	}
	w := outbox.NewWriter(store, r.HotPath())

	// Writing takes many at a time too.
	err = w.InTx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		changed := []outbox.Event{
			{Type: "DocumentChanged", AggregateID: "crooked", JSON: []byte(`{}`)},
			{Type: "DocumentChanged", AggregateID: "locked", JSON: []byte(`{}`)},
		}
		for i := range 123 {
			changed = append(changed, outbox.Event{Type: "DocumentChanged", AggregateID: fmt.Sprint(i), JSON: []byte(`{}`)})
		}
		_, err := w.WriteAll(ctx, tx, changed...)
		return err
	})
	if err != nil {
		return err
	}
	report, err := r.RunOnce(ctx) // a service calls Run; one round is enough here
	if err != nil {
		return err
	}
	fmt.Printf("%d documents: %d delivered, %d to be retried, %d dead\n", x.documents, report.Delivered, report.Retried, report.Dead)
	return nil
}

func Example() {
	scratch.Run(run)
	// Output:
	// a batch of 100
	// a batch of 25
	// 123 documents: 123 delivered, 1 to be retried, 1 dead
}
