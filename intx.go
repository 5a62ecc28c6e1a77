package outbox

import (
	"context"
	"errors"
)

// InTx runs fn in a transaction of the store's own database and commits it, or
// rolls back if fn fails or panics. What fn writes is delivered right after
// the commit. Use the context and the transaction that fn is given.
//
// It never runs fn twice. If the answer to the commit is lost, it returns
// [ErrCommitUnknown].
func (w *Writer[Tx]) InTx(ctx context.Context, fn func(ctx context.Context, tx Tx) error) error {
	ctx, done := w.Track(ctx)
	tx, commit, rollback, err := w.store.Begin(ctx)
	if err != nil {
		return err
	}
	// Only the first call counts: this one handles a panic in fn or in the
	// driver.
	defer func() { _ = done(errPanicked) }()
	returned := false
	defer func() {
		if !returned {
			_ = rollback()
		}
	}()
	err = fn(ctx, tx)
	returned = true
	if err != nil {
		rollbackErr := rollback()
		_ = done(err)
		return errors.Join(err, rollbackErr)
	}
	return done(commit())
}

var errPanicked = errors.New("outbox: panic in the transaction")
