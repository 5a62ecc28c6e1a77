package sqlstore

import (
	"context"
	"testing"

	"github.com/sendoff-go/outbox/store/internal/transport"
)

// lockedRows refuses every statement, and counts them.
type lockedRows struct {
	transport.Querier
	sent int
}

func (l *lockedRows) Query(context.Context, string, ...any) (transport.Rows, error) {
	l.sent++
	return nil, errLocked
}

// Another relay may have locked a whole batch. To look at each row would take a
// thousand statements, and the relay is done before that.
func TestTheSearchForFreeRowsEndsAtItsLimit(t *testing.T) {
	d := fakeDialect()
	d.NoSkip = true
	b := newBatch(1, 500)
	for seq := range int64(500) {
		b.add(seq)
	}
	for most, want := range map[int]int{refusals: refusals, 1: 1, 0: 2*500 - 1} {
		tx := &lockedRows{}
		h := halving{most: most}
		found, err := skippingWithin(t.Context(), &Session{Dialect: &d, tx: tx}, &h, newQuery(&d, "lock"), scanHeld, b)
		if err != nil || len(found) > 0 || tx.sent != want || h.over() != (most > 0) {
			t.Errorf("limit %d: found %v, error %v, over %t after %d statements, expected %d", most, found, err, h.over(), tx.sent, want)
		}
	}
}
