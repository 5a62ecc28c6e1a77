package await_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sendoff-go/outbox/internal/await"
)

// ended is a test that may fail.
type ended struct {
	testing.TB
	said string
}

func (*ended) Helper() {}

func (e *ended) Fatalf(format string, args ...any) {
	e.said = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// waiting is how long f waited, and what it ended the test with.
func waiting(f func(t testing.TB)) (time.Duration, string) {
	e, done, start := &ended{}, make(chan struct{}), time.Now()
	go func() {
		defer close(done)
		f(e)
	}()
	<-done
	return time.Since(start), e.said
}

func TestItWaitsNoLongerThanItHasTo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		took, said := waiting(func(t testing.TB) {
			await.Until(t, "it comes", func() bool { return time.Since(start) >= time.Second })
		})
		if took != time.Second || said != "" {
			t.Errorf("waited %s, said %q", took, said)
		}
	})
}

func TestWhatNeverComesEndsTheTestAndSaysWhatItWas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		never := func() bool { return false }
		took, said := waiting(func(t testing.TB) { await.Until(t, "it comes", never) })
		if took != await.Patience || !strings.Contains(said, "it comes") {
			t.Errorf("waited %s, said %q", took, said)
		}
		took, said = waiting(func(t testing.TB) {
			await.Within(t, time.Minute, "it comes", never, func() string { return "the log" })
		})
		if took != time.Minute || !strings.Contains(said, "it comes") || !strings.Contains(said, "the log") {
			t.Errorf("waited %s, said %q", took, said)
		}
	})
}
