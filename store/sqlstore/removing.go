package sqlstore

import (
	"context"
	"slices"
	"time"

	"github.com/sendoff-go/outbox/store/internal/stored"
)

// removal is how the oldest rows of a table are removed, past the rows that other
// sessions have locked.
type removal struct {
	// remove removes rows. If it has a companion, that finds them, the oldest first,
	// and locks nothing: what it reads may be of a transaction that stays open.
	remove Query
	// free locks rows by their keys and returns those that no other session has
	// locked. A dialect that has none finds out by trial.
	free Query
	// key reads the key of a row.
	key func(Rows) ([]any, error)
}

func scanSeq(rows Rows) ([]any, error) {
	seq, err := scanValue[int64](rows)
	return []any{seq}, err
}

func scanName(rows Rows) ([]any, error) {
	name, err := scanValue[string](rows)
	return []any{name}, err
}

func scanLetterKey(rows Rows) ([]any, error) {
	var id string
	var seq int64
	err := rows.Scan(&id, &seq)
	return []any{id, seq}, err
}

// removing removes rows of some age and returns how many.
func (s *Session) removing(ctx context.Context, r removal, age time.Duration, limit int) (int, error) {
	micros := s.Dialect.micros(max(age, 0))
	if r.remove.which == nil {
		return s.Exec(ctx, r.remove, nil, micros, stored.AtMost(limit))
	}
	keys, err := s.oldest(ctx, *r.remove.which, r.free, r.key, limit, micros)
	if err != nil || keys.Rows() == 0 {
		return 0, err
	}
	return s.Exec(ctx, r.remove, keys, micros)
}

// oldest locks at most limit rows that a query finds and no other session has locked,
// and returns their keys. Behind a page of which some are locked it looks for others,
// in larger pages: a caller goes on only while pages are full.
func (s *Session) oldest(ctx context.Context, which, free Query, key func(Rows) ([]any, error), limit int, args ...any) (Batch, error) {
	for page, looks := limit, 1; ; page, looks = 4*page, looks+1 {
		found, err := keysOf(skipping(ctx, s, which, key, nil, append(slices.Clip(args), stored.AtMost(page))...))
		if err != nil {
			return nil, err
		}
		keys, err := s.unlocked(ctx, free, key, found)
		if err != nil {
			return nil, err
		}
		if keys.Rows() >= limit || found.Rows() < page || looks == mostLooks {
			return keys.slice(0, min(keys.Rows(), limit)), nil
		}
	}
}

// mostLooks bounds the pages, and with that how many rows of others one call meets.
const mostLooks = 3

// unlocked locks rows and returns them, except those that another session has locked,
// if the dialect can tell. Where it finds out by trial, it finds some.
func (s *Session) unlocked(ctx context.Context, free Query, key func(Rows) ([]any, error), keys Batch) (Batch, error) {
	if keys.Rows() == 0 || !free.exists() {
		return keys, nil
	}
	return keysOf(skippingWithin(ctx, s, &halving{most: lockedTries}, free, key, keys))
}

// lockedTries bounds the statements that fail beside locked rows.
const lockedTries = 64

func keysOf(all [][]any, err error) (Batch, error) {
	if err != nil || len(all) == 0 {
		return nil, err
	}
	keys := newBatch(len(all[0]), len(all))
	for _, key := range all {
		keys.add(key...)
	}
	return keys, nil
}

// removeApart is like removing where no query tells what is locked. Behind that it looks
// for as many others, too.
func (s *Session) removeApart(ctx context.Context, r removal, age time.Duration, limit int) (removed int, err error) {
	micros := s.Dialect.micros(max(age, 0))
	page := limit
	for range mostLooks {
		keys, err := keysOf(skipping(ctx, s, *r.remove.which, r.key, nil, micros, stored.AtMost(page)))
		if err != nil || keys.Rows() == 0 {
			return removed, err
		}
		before := removed
		err = s.apart(ctx, keys.Rows(), func(from, to int) error {
			n, err := s.Exec(ctx, r.remove, keys.slice(from, min(to, from+limit-removed)), micros)
			if err == nil {
				removed += n
			}
			return err
		})
		if err != nil || removed == limit || keys.Rows() < page {
			return removed, err
		}
		page = keys.Rows() - (removed - before) + limit - removed
	}
	return removed, nil
}

// removeCall removes rows in a transaction of its own, for a sweep of a relay.
func (s *Engine) removeCall(ctx context.Context, what string, r removal, age time.Duration, limit int) (n int, err error) {
	if limit <= 0 {
		return 0, nil
	}
	c := s.sweepCall(what, func(ctx context.Context, session *Session) (err error) {
		n, err = session.removing(ctx, r, age, limit)
		return err
	})
	switch {
	case r.remove.which == nil:
		c = c.single()
	case !r.free.exists():
		c.around = []work{func(ctx context.Context, session *Session) (err error) {
			n, err = session.removeApart(ctx, r, age, limit)
			return err
		}}
	}
	if err := s.run(ctx, c); err != nil {
		return 0, err
	}
	return n, nil
}
