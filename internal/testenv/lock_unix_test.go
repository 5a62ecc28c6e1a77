//go:build unix

package testenv

import (
	"os"
	"path/filepath"
	"runtime"
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

func TestControlComesBeforeTheNextUser(t *testing.T) {
	path := lockFile(t)
	var user, controller, next sharing
	change(t, &user, &user.users, +1)

	var waiting sync.WaitGroup
	var controlled atomic.Bool
	waiting.Go(func() {
		change(t, &controller, &controller.controls, +1)
		controlled.Store(true)
		change(t, &controller, &controller.controls, -1)
	})
	for obtainable(t, path+".queue", syscall.LOCK_EX) {
		runtime.Gosched()
	}
	waiting.Go(func() {
		change(t, &next, &next.users, +1)
		if !controlled.Load() {
			t.Error("a user came first, though the controller waited already")
		}
		change(t, &next, &next.users, -1)
	})
	change(t, &user, &user.users, -1)
	waiting.Wait()
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
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	got := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB) == nil
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return got
}
