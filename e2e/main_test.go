//go:build !race

package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/sendoff-go/outbox/internal/await"
)

// program is the path of the command outbox.
var program string

func TestMain(m *testing.M) {
	if os.Getenv(consumerVariable) != "" {
		runConsumer() // the test binary is a consumer
		return
	}
	os.Exit(testMain(m))
}

func testMain(m *testing.M) int {
	dir, err := os.MkdirTemp("", "outbox-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	program = filepath.Join(dir, "outbox")
	build := exec.Command("go", "build", "-buildvcs=false", "-o", program, "./cmd/outbox")
	build.Dir = ".." // in its own module, with what that requires
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "cannot build the command: %v\n%s", err, out)
		return 1
	}
	code := m.Run()
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// patience is how long eventually waits.
const patience = 5 * time.Minute

// eventually waits until ok, and fails the test if that takes too long.
func eventually(t *testing.T, what string, ok func() bool, more func() string) {
	t.Helper()
	await.Within(t, patience, what, ok, more)
}

// pass lets time go by, unless ctx ends.
func pass(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
