//go:build !race

package hazelcaststore

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func TestAPageOfLargeLettersIsShort(t *testing.T) {
	s := fresh(t, Config{CallTimeout: time.Minute}) // 40 MiB on a busy machine
	const n, size = 40, outbox.MaxPayload
	inMaps(t, s, func(ctx context.Context, m *tables) error {
		for range n {
			e := outbox.Event{ID: outbox.NewID(), Type: "Left", Bytes: bytes.Repeat([]byte{1}, size)}
			l := newLetter(&entry{ID: e.ID, Type: e.Type, Seq: 1, Done: at(s.clock.tick()), Record: newRecord(e)})
			if _, err := m.letters.putIfAbsent(ctx, l.key(), encode(l), 0); err != nil {
				return err
			}
		}
		return nil
	})
	seen, pages := map[string]bool{}, 0
	for after := (*driver.DeadCursor)(nil); pages == 0 || after != nil; pages++ {
		page, next, err := s.ListDead(t.Context(), driver.DeadFilter{}, after, 1000)
		if err != nil {
			t.Fatal(err)
		}
		if len(page)*size > pageBytes+size {
			t.Errorf("a page has %d MiB", len(page)*size>>20)
		}
		for _, l := range page {
			seen[l.EventID] = true
		}
		after = next
	}
	if len(seen) != n {
		t.Errorf("%d pages have %d of %d letters", pages, len(seen), n)
	}
	if got, err := s.CountDead(t.Context(), driver.DeadFilter{}); err != nil || got.N >= n || !got.More {
		t.Errorf("counted %+v, error %v, expected fewer and more to come", got, err)
	}
}
