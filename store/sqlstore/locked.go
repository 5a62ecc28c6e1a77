package sqlstore

import (
	"context"
	"errors"
	"slices"

	"github.com/sendoff-go/outbox/driver"
)

// heldCall is a relay's call about claims it holds.
type heldCall struct {
	what  string
	owner driver.Owner
	// sent returns the claims, each once, and those that were sent again, which
	// are over by then. It is rarely called.
	sent func() (claims, again []driver.Held)
	// all handles all of them, and returns those that are over.
	all func(ctx context.Context, s *Session) (over []driver.Held, err error)
	// some handles those that are free, and returns those that were not over.
	some func(ctx context.Context, s *Session, free heldSet) (done heldSet, err error)
}

// runHeld makes such a call. If another session locks some of the rows for
// longer than [LockWait], it goes on without them and names them in an error.
func (s *Engine) runHeld(ctx context.Context, h heldCall) (over []driver.Held, err error) {
	var locked heldSet
	var named driver.LockedError
	c := s.relayCall(h.what, func(ctx context.Context, session *Session) (err error) {
		over, err = h.all(ctx, session)
		return err
	})
	c.around = []work{func(ctx context.Context, session *Session) (err error) {
		var done heldSet
		sent, again := h.sent()
		locked, err = session.around(ctx, h.owner, sent, func(free heldSet) error {
			done, err = h.some(ctx, session, free)
			return err
		})
		over, named.Rows = append(done.missing(sent), again...), locked.among(sent)
		return err
	}}
	if err := s.run(ctx, c); err != nil {
		return nil, err
	}
	if len(locked) == 0 {
		return over, nil
	}
	return slices.DeleteFunc(over, func(h driver.Held) bool { return locked[h] }), &named
}

// around handles the claims whose rows no other session has locked, and returns
// the rest. It waits for none: it locks what is free, lets f handle that, and
// reads which of the others are still held. A claim that is over stays over,
// whoever has its row.
func (s *Session) around(ctx context.Context, owner driver.Owner, claims []driver.Held, f func(free heldSet) error) (locked heldSet, err error) {
	if !s.Queries.HeldFree.exists() || !s.Queries.Held.exists() {
		return nil, ours(errors.New("the dialect " + s.Dialect.Name + " locks rows but has no held.sql and held_free.sql"))
	}
	free, err := s.held(ctx, s.Queries.HeldFree, owner, claims)
	if err != nil {
		return nil, err
	}
	if len(free) > 0 {
		if err := f(free); err != nil {
			return nil, err
		}
	}
	others := free.missing(claims)
	if len(others) == 0 {
		return nil, nil
	}
	return s.held(ctx, s.Queries.Held, owner, others)
}

// held returns the claims that a query finds.
func (s *Session) held(ctx context.Context, q Query, owner driver.Owner, claims []driver.Held) (heldSet, error) {
	found, err := skipping(ctx, s, q, scanHeld, heldBatch(claims), string(owner))
	set := make(heldSet, len(found))
	for _, h := range found {
		set[h] = true
	}
	return set, err
}

// heldSet is the set of claims that a statement returned.
type heldSet map[driver.Held]bool

// missing returns those of all that are not in the set, in their order.
func (s heldSet) missing(all []driver.Held) (out []driver.Held) {
	for _, h := range all {
		if !s[h] {
			out = append(out, h)
		}
	}
	return out
}

// among returns those of all that are in the set, in their order.
func (s heldSet) among(all []driver.Held) (in []driver.Held) {
	for _, h := range all {
		if s[h] && !slices.Contains(in, h) {
			in = append(in, h)
		}
	}
	return in
}
