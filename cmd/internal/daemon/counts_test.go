package daemon

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// failing counts as long as err is nil.
type failing struct{ err error }

func (f *failing) Stats(context.Context) (driver.Stats, error) { return driver.Stats{}, f.err }

func TestTheLogSaysOnceAMinuteWhyACountFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		db := &failing{}
		c := &toldCounts{store: db, log: slog.New(slog.NewTextHandler(&log, nil))}
		count := func(err error, want ...string) {
			t.Helper()
			log.Reset()
			db.err = err
			if _, got := c.Stats(t.Context()); !errors.Is(got, err) {
				t.Errorf("it returns %v, want %v", got, err)
			}
			for _, w := range want {
				if !strings.Contains(log.String(), w) {
					t.Errorf("the log lacks %s: %s", w, log.String())
				}
			}
			if len(want) == 0 && log.Len() > 0 {
				t.Errorf("the log says %s", log.String())
			}
		}
		denied := errors.New("permission denied")
		count(nil)
		count(denied, "level=ERROR", "could not count for metrics", "failures=1", `error="permission denied"`)
		<-time.After(30 * time.Second)
		count(denied)
		<-time.After(30 * time.Second)
		count(denied, "failures=3")
		<-time.After(time.Second)
		count(nil, "level=INFO", "works again", "lasted=1m1s", "failures=3")
		count(nil)
		count(denied) // what comes and goes fills no log
		count(nil)
		<-time.After(time.Minute)
		count(denied, "failures=1")
	})
}
