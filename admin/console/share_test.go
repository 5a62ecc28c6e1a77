package console_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/admin/console"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/memstore"
)

// counted counts how often the state of the outbox is read.
type counted struct {
	*memstore.Store
	reads atomic.Int64
}

func (s *counted) Stats(ctx context.Context) (driver.Stats, error) {
	s.reads.Add(1)
	return s.Store.Stats(ctx)
}

// view watches a page until ctx is done, and returns what it got.
func view(ctx context.Context, c *console.Console, role admin.Role, page string) string {
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/"+page, nil)
	r.Header.Set("Accept", "text/event-stream")
	r.Header.Set("Authorization", "Bearer token-of-"+string(role))
	w := httptest.NewRecorder()
	c.ServeHTTP(w, r)
	return w.Body.String()
}

func TestManyViewersReadTheStateOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &counted{Store: memstore.New(memstore.Config{})}
		c := guarded(t, func(c *console.Config) { c.API.Store = s })
		ctx, cancel := context.WithTimeout(t.Context(), 21*time.Second)
		defer cancel()
		var all sync.WaitGroup
		const viewers = 50
		for i := range viewers {
			all.Go(func() {
				<-time.After(time.Duration(i) * 7 * time.Millisecond)
				if text := view(ctx, c, admin.Viewer, "types?live"); !strings.Contains(text, "No event type is known yet") {
					t.Errorf("viewer %d sees %.200s", i, text)
				}
			})
		}
		all.Wait()
		// Each would read 11 times within 21 seconds. Together they may read once a second.
		if n := s.reads.Load(); n < 10 || n > 22 {
			t.Errorf("%d viewers read the state %d times", viewers, n)
		}
	})
}

func TestWhatARoleSeesIsNotSharedWithAnother(t *testing.T) {
	r := newLetterRig(t, func(c *console.Config) { c.API.HidePayloads = true })
	id := r.kill("order-placed", "no", 1)[0]
	synctest.Test(t, func(t *testing.T) {
		c := guarded(t, func(c *console.Config) { c.API.Store, c.API.HidePayloads = r.store, true })
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		var all sync.WaitGroup
		for i, role := range []admin.Role{admin.Operator, admin.Viewer, admin.Operator, admin.Viewer} {
			all.Go(func() {
				<-time.After(time.Duration(i) * 10 * time.Millisecond)
				text := view(ctx, c, role, "dead-letters/one?id="+id+"&live")
				if sees := strings.Contains(text, "4711"); sees != (role == admin.Operator) {
					t.Errorf("%s sees the payload: %t", role, sees)
				}
			})
		}
		all.Wait()
	})
}

// leaving is a store whose first read lasts until the test lets it go on.
type leaving struct {
	*memstore.Store
	reads atomic.Int64
	goOn  chan struct{}
}

func (s *leaving) Stats(ctx context.Context) (driver.Stats, error) {
	if s.reads.Add(1) == 1 {
		<-s.goOn
		if err := ctx.Err(); err != nil {
			return driver.Stats{}, err
		}
	}
	return s.Store.Stats(ctx)
}

func TestAViewerWhoLeavesDoesNotFailOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &leaving{Store: memstore.New(memstore.Config{}), goOn: make(chan struct{})}
		c := guarded(t, func(c *console.Config) { c.API.Store = s })
		first, leave := context.WithCancel(t.Context())
		second, end := context.WithTimeout(t.Context(), time.Second)
		defer end()
		var both sync.WaitGroup
		both.Go(func() { view(first, c, admin.Viewer, "types?live") })
		synctest.Wait()
		both.Go(func() {
			if text := view(second, c, admin.Viewer, "types?live"); !strings.Contains(text, "No event type is known yet") {
				t.Errorf("the second sees %.300s", text)
			}
		})
		synctest.Wait()
		leave()
		close(s.goOn)
		both.Wait()
		if n := s.reads.Load(); n != 1 {
			t.Errorf("the state was read %d times", n)
		}
	})
}
