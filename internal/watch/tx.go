package watch

import (
	"context"
	"reflect"
	"sync"
)

// Tx is the transaction that is watched. Embed it in what is noted about the
// transaction. The zero value is ready.
type Tx struct {
	sync.Mutex
	tx   any
	over bool
}

// key includes who watches, so that two of them do not see each other's.
type key struct{ who any }

// With returns a context in which t watches for who.
func With[T any](ctx context.Context, who any, t T) context.Context {
	return context.WithValue(ctx, key{who}, t)
}

// In returns what watches for who in that context. It returns false if nothing
// does, or if tx cannot be told from other transactions.
func In[T any](ctx context.Context, who, tx any) (t T, ok bool) {
	t, ok = ctx.Value(key{who}).(T)
	return t, ok && tx != nil && reflect.TypeOf(tx).Comparable()
}

// Is reports whether tx is the transaction that is watched, and over whether
// that has ended. The caller holds the lock.
func (t *Tx) Is(tx any) (is, over bool) {
	if t.over {
		return false, true
	}
	if t.tx == nil {
		t.tx = tx
	}
	return t.tx == tx, false
}

// End ends the transaction. The caller holds the lock.
func (t *Tx) End() { t.over = true }
