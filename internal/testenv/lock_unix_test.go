//go:build unix

package testenv

import (
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
)

// Two values of sharing have a lock file each, and so are to each other what two
// processes are.

func TestUsersShareAndControlDoesNot(t *testing.T) {
	path := lockFile(t)
	var one, two sharing
	change(t, &one, &one.users, +1)
	change(t, &two, &two.users, +1)
	if obtainable(t, path, syscall.LOCK_EX) {
		t.Error("exclusive although two use it")
	}
	change(t, &two, &two.users, -1)
	change(t, &one, &one.controls, +1)
	if obtainable(t, path, syscall.LOCK_SH) {
		t.Error("shared although one has control")
	}
	change(t, &one, &one.controls, -1)
	if !obtainable(t, path, syscall.LOCK_SH) {
		t.Error("control ended, but others are still kept away")
	}
	if obtainable(t, path, syscall.LOCK_EX) {
		t.Error("control ended, and with it the use")
	}
	change(t, &one, &one.users, -1)
	if !obtainable(t, path, syscall.LOCK_EX) {
		t.Error("nobody uses it, but it is locked")
	}
}

func TestUsersThatTakeControlAtOnceDoNotWaitForEachOther(t *testing.T) {
	lockFile(t)
	all := make([]sharing, 8)
	for i := range all {
		change(t, &all[i], &all[i].users, +1)
	}
	var having atomic.Int64
	var done sync.WaitGroup
	for i := range all {
		done.Go(func() {
			change(t, &all[i], &all[i].controls, +1)
			if having.Add(1) != 1 {
				t.Error("two have control")
			}
			change(t, &all[i], &all[i].users, -1)
			having.Add(-1)
			change(t, &all[i], &all[i].controls, -1)
		})
	}
	done.Wait()
}

func lockFile(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "lock")
	t.Setenv("OUTBOX_TEST_LOCK", path)
	return path
}

func change(t *testing.T, s *sharing, count *int, by int) {
	t.Helper()
	if err := s.change(count, by); err != nil {
		t.Error(err)
	}
}

func obtainable(t *testing.T, path string, how int) bool {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	got := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB) == nil
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return got
}
