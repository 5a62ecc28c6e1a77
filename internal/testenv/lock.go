package testenv

import (
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
// Turning a shared lock into an exclusive one gives up the first before it waits
// for the second, so two processes that do it do not wait for each other.
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

func (s *sharing) bring(path string, mode lockMode) error {
	if mode == unlocked {
		err := s.file.Close()
		s.file = nil
		return err
	}
	if s.file == nil {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return err
		}
		s.file = f
	}
	return flock(s.file, mode)
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
