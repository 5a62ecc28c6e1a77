package kvstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Store is a database in a file. It is safe for concurrent use within a process,
// and the file must have no other user.
type Store struct {
	path string
	turn chan struct{} // held by whoever reads or changes the rest
	now  state
	seq  int64 // the last one given to anybody, also to who rolled back: a fence needs its own
}

var (
	_ driver.Store        = (*Store)(nil)
	_ outbox.TxStore[*Tx] = (*Store)(nil)
)

// state is all that the file holds.
type state struct {
	LastSeq int64
	Values  map[string]string
	Rows    map[string]row // pending and done, by event id
	Dead    []row          // given up; they are a person's to decide about
}

// Open reads the file, which need not exist yet.
func Open(path string) (*Store, error) {
	s := &Store{path: path, turn: make(chan struct{}, 1)}
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &s.now)
	} else if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return nil, fmt.Errorf("kvstore: %w", err)
	}
	s.seq = s.now.LastSeq
	return s, nil
}

// lock waits for the state. Whoever gets no error calls unlock.
func (s *Store) lock(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case s.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Store) unlock() { <-s.turn }

// change makes one change, all of it or nothing: f works on a copy, which takes
// the place of the state once it is in the file.
func (s *Store) change(ctx context.Context, f func(next *state, now time.Time)) error {
	if err := s.lock(ctx); err != nil {
		return err
	}
	defer s.unlock()
	return s.apply(f)
}

func (s *Store) apply(f func(next *state, now time.Time)) error {
	next := s.now.clone()
	f(&next, clock())
	if err := next.save(s.path); err != nil {
		return fmt.Errorf("%w: kvstore: %w", outbox.ErrStoreDown, err)
	}
	s.now = next
	return nil
}

func (st state) clone() state {
	st.Values, st.Rows, st.Dead = maps.Clone(st.Values), maps.Clone(st.Rows), slices.Clone(st.Dead)
	if st.Values == nil {
		st.Values, st.Rows = map[string]string{}, map[string]row{}
	}
	return st
}

// save replaces the file. After a crash it has the old state or the new one.
func (st state) save(path string) error {
	text, err := json.Marshal(st)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".kvstore-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(f.Name()) }() // it is gone if all went well
	_, err = f.Write(text)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close()) // or the rename itself may be lost
}

// clock is the database's clock: the only one that decides anything.
func clock() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }
