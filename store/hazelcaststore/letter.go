package hazelcaststore

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hazelcast/hazelcast-go-client/predicate"

	"github.com/sendoff-go/outbox/driver"
)

// letter is the value of a dead letter. The attributes of indexes stand first.
type letter struct {
	Died     int64  `json:"died"`
	Resolved *int64 `json:"resolved,omitempty"`
	Seq      int64  `json:"seq"`
	// Moving is the seq of the row that a replay makes of it, and MovedAt when
	// that began: the letter goes once the row is there.
	Moving  int64 `json:"moving,omitempty"`
	MovedAt int64 `json:"movedAt,omitempty"`

	Claim    int64  `json:"claim"`
	Attempts int    `json:"retryCount"`
	Created  int64  `json:"createdAt"`
	Error    string `json:"failureReason"`
	Failures string `json:"failures,omitempty"`
	Note     string `json:"note,omitempty"`
	NotedBy  string `json:"notedBy,omitempty"`
	NotedAt  *int64 `json:"notedAt,omitempty"`

	ID     string          `json:"eventId"`
	Type   string          `json:"eventType"`
	Record json.RawMessage `json:"eventRecord"`

	raw []byte
}

func newLetter(e *entry) *letter {
	return &letter{
		Died: *e.Done, Seq: e.Seq, Claim: e.Claim, Attempts: e.Attempts, Created: e.Created,
		Error: e.Error, Failures: e.Failures, ID: e.ID, Type: e.Type, Record: e.Record,
	}
}

// key: an id that was written again and died again has two letters.
func (l *letter) key() string { return fmt.Sprintf("%s %d", l.ID, l.Seq) }

func parseLetter(raw []byte) (*letter, error) {
	l := &letter{raw: raw}
	if err := json.Unmarshal(raw, l); err != nil {
		return nil, fmt.Errorf("an entry that is not a dead letter of this store: %w", err)
	}
	return l, nil
}

// keyOf is the key of a value, in the map of events or of letters.
func keyOf(raw []byte) (string, error) {
	l, err := parseLetter(raw)
	if err != nil {
		return "", err
	}
	if l.Died != 0 {
		return l.key(), nil
	}
	return l.ID, nil
}

func (l *letter) dead() driver.DeadLetter {
	event, problem := readRecord(l.ID, l.Type, l.Record)
	d := driver.DeadLetter{
		Event: event, Held: driver.Held{EventID: l.ID, Seq: l.Seq, ClaimNo: l.Claim},
		Attempts: l.Attempts, Error: l.Error, Failures: driver.ParseFailures([]byte(l.Failures)),
		CreatedAt: fromMicros(l.Created), DiedAt: fromMicros(l.Died),
		Note: l.Note, NotedBy: l.NotedBy, Problem: problem,
	}
	if l.Resolved != nil {
		d.ResolvedAt = fromMicros(*l.Resolved)
	}
	if l.NotedAt != nil {
		d.NotedAt = fromMicros(*l.NotedAt)
	}
	return d
}

// matches is the filter. Letters of this store have no group and no
// destination.
func matches(l *driver.DeadLetter, f driver.DeadFilter) bool {
	return l.ResolvedAt.IsZero() != f.Resolved &&
		(f.Lane == "" || l.Event.Type == f.Lane) &&
		strings.Contains(l.Error, f.Error) &&
		f.Group == "" && f.Destination == "" &&
		(f.Tenant == "" || l.Event.TenantID == f.Tenant) &&
		(f.Key == "" || l.Event.AggregateID == f.Key) &&
		(f.DiedBefore.IsZero() || l.DiedAt.Before(f.DiedBefore)) &&
		(f.DiedAfter.IsZero() || l.DiedAt.After(f.DiedAfter)) &&
		(!f.Unerased || l.Event.Headers[driver.Erased] == "")
}

// lettersOf returns the letters of those ids, the latest of each id first.
func (s *Store) lettersOf(ctx context.Context, m *tables, ids []string) (found []*letter, err error) {
	err = chunks(ids, func(ids []string) error {
		names := make([]any, len(ids))
		for i, id := range ids {
			names[i] = id
		}
		texts, err := m.letters.values(ctx, predicate.In("eventId", names...))
		if err != nil {
			return err
		}
		for _, raw := range texts {
			if l, err := parseLetter(raw); err == nil {
				found = append(found, l)
			}
		}
		return nil
	})
	slices.SortFunc(found, func(a, b *letter) int { return cmp.Or(cmp.Compare(b.Died, a.Died), cmp.Compare(b.Seq, a.Seq)) })
	return found, err
}
