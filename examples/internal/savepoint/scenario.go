package savepoint

import (
	"errors"

	"github.com/sendoff-go/outbox"
)

type scenario struct {
	name  string
	steps func(tx Tx) error
	want  []string // id and payload of each event that must be delivered, once
	hot   string   // one of them that the hot path must deliver
	fails bool     // the whole transaction is rolled back
}

var scenarios = []scenario{
	{
		name: "a nested transaction that is rolled back is never delivered",
		steps: func(tx Tx) error {
			return all(write(tx, "before", 1), undone(tx, func(tx Tx) error { return write(tx, "inside", 1) }), write(tx, "after", 1))
		},
		want: []string{"after 1", "before 1"},
		hot:  "before 1",
	},
	{
		name: "a transaction that writes only inside of one that is rolled back delivers nothing",
		steps: func(tx Tx) error {
			return undone(tx, func(tx Tx) error { return write(tx, "inside", 1) })
		},
	},
	{
		name: "a nested transaction that is committed is delivered",
		steps: func(tx Tx) error {
			return all(write(tx, "before", 1), tx.Nested(func(tx Tx) error { return write(tx, "inside", 1) }))
		},
		want: []string{"before 1", "inside 1"},
	},
	{
		name: "only the innermost transaction is rolled back",
		steps: func(tx Tx) error {
			return tx.Nested(func(tx Tx) error {
				return all(write(tx, "middle", 1), undone(tx, func(tx Tx) error { return write(tx, "inner", 1) }))
			})
		},
		want: []string{"middle 1"},
	},
	{
		name: "a committed transaction inside of one that is rolled back is never delivered",
		steps: func(tx Tx) error {
			return all(write(tx, "before", 1), undone(tx, func(tx Tx) error {
				return tx.Nested(func(tx Tx) error { return write(tx, "inner", 1) })
			}))
		},
		want: []string{"before 1"},
		hot:  "before 1",
	},
	{
		name: "an id that is written again outside is delivered once, as committed",
		steps: func(tx Tx) error {
			return all(undone(tx, func(tx Tx) error { return write(tx, "again", 1) }), write(tx, "again", 2))
		},
		want: []string{"again 2"},
	},
	{
		name: "an id that is written again in another nested transaction is delivered once, as committed",
		steps: func(tx Tx) error {
			return all(write(tx, "before", 1),
				undone(tx, func(tx Tx) error { return write(tx, "again", 1) }),
				tx.Nested(func(tx Tx) error { return write(tx, "again", 2) }))
		},
		want: []string{"again 2", "before 1"},
		hot:  "before 1",
	},
	{
		name: "a transaction that is rolled back as a whole delivers nothing",
		steps: func(tx Tx) error {
			return all(write(tx, "before", 1), tx.Nested(func(tx Tx) error { return write(tx, "inside", 1) }), errUndo)
		},
		fails: true,
	},
}

// all returns the first error. The steps are arguments, so all have run in
// order; after a database error the later ones fail, too, and the first one
// explains it.
func all(steps ...error) error {
	for _, err := range steps {
		if err != nil {
			return err
		}
	}
	return nil
}

var errUndo = errors.New("undo this")

func write(tx Tx, id string, payload byte) error {
	return tx.Write(outbox.Event{ID: id, Type: lane, JSON: []byte{'0' + payload}})
}

func undone(tx Tx, fn func(Tx) error) error {
	err := tx.Nested(func(tx Tx) error { return errors.Join(fn(tx), errUndo) })
	if err != nil && err.Error() == errUndo.Error() {
		return nil
	}
	return errors.Join(err, errors.New("the nested transaction should have failed with errUndo alone"))
}
