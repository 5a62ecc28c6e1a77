package memstore

import "context"

// Put sets a value in the transaction, standing for the business change that
// an event tells about.
func (tx *Tx) Put(key, value string) error {
	unlock, err := tx.lock()
	if err != nil {
		return err
	}
	defer unlock()
	tx.changes = append(tx.changes, change{key: key, value: value})
	return nil
}

// Get is a committed value.
func (s *Store) Get(ctx context.Context, key string) (value string, found bool, err error) {
	if err := s.lock(ctx); err != nil {
		return "", false, err
	}
	defer s.mu.Unlock()
	value, found = s.business[key]
	return value, found, nil
}
