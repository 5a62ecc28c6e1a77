//go:build !race

package e2e

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/inbox"
	"github.com/sendoff-go/outbox/store/mysqlstore"
	"github.com/sendoff-go/outbox/store/pgstore"
	"github.com/sendoff-go/outbox/store/sqlstore"
	"github.com/sendoff-go/outbox/store/tidbstore"
)

// consumerVariable makes the test binary a consumer. Its value is a consumerConfig.
const consumerVariable = "OUTBOX_E2E_CONSUMER"

// consumerConfig is the configuration of a consumer process.
type consumerConfig struct {
	Broker      string // kafka or rabbitmq
	Address     string // of the broker
	From        string // the topic or queue
	Driver, DSN string // the database of the effects
	// Receipts is a file to which each batch adds a line: how many messages
	// came, and how many of them were new.
	Receipts string
	// Die is where the process kills itself, in its batch number DieIn.
	Die   string
	DieIn int
}

// Where a consumer may die.
const (
	beforeCommit = "with the effect done and not committed"
	beforeAck    = "with the effect committed and the message not acknowledged"
)

// worker is a consumer process at work.
type worker struct {
	consumerConfig
	inbox    *inbox.Consumer[*sql.Tx]
	receipts *os.File
	batches  int
}

// runConsumer consumes until it is killed.
func runConsumer() {
	w := &worker{}
	err := json.Unmarshal([]byte(os.Getenv(consumerVariable)), &w.consumerConfig)
	if err == nil {
		err = w.open()
	}
	for err == nil {
		if broken := consumers[w.Broker](w); broken != nil {
			fmt.Fprintln(os.Stderr, "consumer:", broken) // and connects again
			pass(context.Background(), 200*time.Millisecond)
		}
	}
	fmt.Fprintln(os.Stderr, "consumer:", err)
	os.Exit(1)
}

// consumers consume, by the name of the broker, until the connection breaks.
var consumers = map[string]func(*worker) error{"kafka": consumeKafka, "rabbitmq": consumeRabbit}

func (w *worker) open() error {
	db, err := sql.Open(w.Driver, w.DSN)
	if err != nil {
		return err
	}
	ledger, err := storeOf(context.Background(), db)
	if err != nil {
		return err
	}
	w.inbox, err = inbox.New(ledger, inbox.Config{Group: "billing"})
	if err != nil {
		return err
	}
	w.receipts, err = os.OpenFile(w.Receipts, os.O_APPEND|os.O_WRONLY, 0)
	return err
}

// storeOf returns a store in the dialect that the server speaks.
func storeOf(ctx context.Context, db *sql.DB) (*sqlstore.Store, error) {
	dialect, err := sqlstore.Detect(ctx, db, pgstore.Dialect(), mysqlstore.Dialect(), tidbstore.Dialect())
	if err != nil {
		return nil, err
	}
	return sqlstore.New(db, dialect, sqlstore.Config{})
}

// take gives messages their effect. After an error they must be delivered
// again.
func (w *worker) take(ctx context.Context, ms []outbox.Received) error {
	w.batches++
	fresh := 0
	err := w.inbox.ConsumeBatch(ctx, ms, func(ctx context.Context, tx *sql.Tx, ms []outbox.Received) error {
		fresh = len(ms)
		err := w.apply(ctx, tx, ms)
		w.dieIf(beforeCommit)
		return err
	})
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w.receipts, "%d %d\n", len(ms), fresh); err != nil {
		return err
	}
	w.dieIf(beforeAck)
	return nil
}

func (w *worker) dieIf(here string) {
	if w.Die != here || w.batches < w.DieIn {
		return
	}
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Kill()
	}
	fmt.Fprintln(os.Stderr, "consumer: dies", here, err)
	select {} // the signal takes its time
}

// apply is the effect: a line for each order, and their number. Nothing in
// these tables would keep it from being there twice.
func (w *worker) apply(ctx context.Context, tx *sql.Tx, ms []outbox.Received) error {
	var values []string
	var args []any
	for _, m := range ms {
		var body struct {
			Order int `json:"order"`
		}
		if err := json.Unmarshal(m.Payload, &body); err != nil {
			return err
		}
		args = append(args, m.EventID, body.Order)
		if w.Driver == "mysql" {
			values = append(values, "(?, ?)")
		} else {
			values = append(values, fmt.Sprintf("($%d, $%d)", len(args)-1, len(args)))
		}
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO effect (event_id, order_no) VALUES "+strings.Join(values, ", "), args...); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, fmt.Sprintf("UPDATE account SET orders = orders + %d", len(ms)))
	return err
}
