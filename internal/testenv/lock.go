package testenv

import (
	"errors"
	"os"
	"sync"
	"testing"
)

// go test runs packages side by side, each in a process of its own, on the same
// servers. A file lock keeps a test that stops a server apart from all others: a
// process holds it shared while one of its tests uses a server, exclusively while
// one has control. It is one lock for all servers. With one for each, two tests
// that use two servers and stop one each could wait for each other.
var servers sharing

type sharing struct {
	mu       sync.Mutex
	file     *os.File // nil: the lock is not held
	users    int      // tests that use a server
	controls int      // tests that have control of one
}

// useServers holds the lock shared until the test ends.
func useServers(t testing.TB) {
	t.Helper()
	servers.hold(t, &servers.users)
}

// controlServers holds the lock exclusively until the test ends. The other tests
// of this process are not kept away: go test runs them one after the other unless
// they call Parallel.
func controlServers(t testing.TB) {
	t.Helper()
	servers.hold(t, &servers.controls)
}

func (s *sharing) hold(t testing.TB, count *int) {
	t.Helper()
	if err := s.change(count, +1); err != nil {
		t.Fatalf("cannot lock OUTBOX_TEST_LOCK: %v", err)
	}
	t.Cleanup(func() {
		if err := s.change(count, -1); err != nil {
			t.Errorf("cannot unlock OUTBOX_TEST_LOCK: %v", err)
		}
	})
}

// change adds to the count and brings the lock to what the counts then ask for.
func (s *sharing) change(count *int, by int) error {
	path := os.Getenv("OUTBOX_TEST_LOCK")
	if path == "" {
		return nil // servers of the user's own: nobody here can stop them
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	had := s.mode()
	*count += by
	if s.mode() == had {
		return nil
	}
	if err := s.bring(path, s.mode()); err != nil {
		*count -= by
		return err
	}
	return nil
}

// bring changes the lock. It gives up what it has before it waits for more, so two
// processes that both want control do not wait for each other. And all wait in one
// queue, at a second file: otherwise the next user would always come before
// someone who waits for control.
func (s *sharing) bring(path string, mode lockMode) error {
	if s.file != nil {
		err := s.file.Close()
		s.file = nil
		if err != nil || mode == unlocked {
			return err
		}
	}
	queue, err := locked(path+".queue", exclusive)
	if err != nil {
		return err
	}
	s.file, err = locked(path, mode)
	return errors.Join(err, queue.Close())
}

func locked(path string, mode lockMode) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if err := flock(f, mode); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

type lockMode int

const (
	unlocked lockMode = iota
	shared
	exclusive
)

func (s *sharing) mode() lockMode {
	switch {
	case s.controls > 0:
		return exclusive
	case s.users > 0:
		return shared
	default:
		return unlocked
	}
}
