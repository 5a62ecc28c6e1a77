package dlq_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/dlq"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/memkit"
	"github.com/sendoff-go/outbox/store/memstore"
)

func TestAConditionMatchesAFieldOfThePayload(t *testing.T) {
	const payload = `{"customer":{"id":4711,"name":"Ann = \"Bo\"","vip":true,"gone":null},"items":[{"sku":"a"},{"sku":"b","tags":["x","y"]}],"n":1.50,"big":12345678901234567890}`
	for condition, want := range map[string]bool{
		"":                           true,
		"$.customer.id=4711":         true,
		"$.customer.id=471":          false,
		`$.customer.name=Ann = "Bo"`: true,
		"$.customer.vip=true":        true,
		"$.customer.gone=null":       true,
		"$.customer.missing=null":    false,
		"$.items.sku=b":              true,
		"$.items.sku=c":              false,
		"$.items.tags=y":             true,
		"$.n=1.50":                   true,
		"$.big=12345678901234567890": true,
		"$.customer=4711":            false,
		"$.customer.id.more=4711":    false,
		"$.Customer.id=4711":         false,
	} {
		m, err := dlq.ParsePayloadMatch(condition)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Matches(&outbox.Event{JSON: []byte(payload)}); got != want {
			t.Errorf("%s: %t, want %t", condition, got, want)
		}
		if bytes := m.Matches(&outbox.Event{Bytes: []byte(payload)}); bytes != (condition == "") {
			t.Errorf("%s matches bytes: %t", condition, bytes)
		}
	}
	for _, text := range []string{"x", "$.x", "x=1", "$.=1", "$..x=1", "=1", "$=1"} {
		if _, err := dlq.ParsePayloadMatch(text); !errors.Is(err, dlq.ErrPayloadMatch) {
			t.Errorf("%q: error %v", text, err)
		}
	}
}

func TestLettersAreFoundByTheirPayloadInPages(t *testing.T) {
	store := memstore.New(memstore.Config{})
	w := outbox.NewWriter(store)
	err := w.InTx(t.Context(), func(ctx context.Context, tx *memstore.Tx) error {
		for i := range 6000 {
			if _, err := w.Write(ctx, tx, outbox.Event{Type: "order-placed", JSON: fmt.Appendf(nil, `{"n":%d}`, i%1000)}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	memkit.Settle(t, store, "order-placed", driver.Outcome{Kind: driver.Dead, Attempts: 3, Error: "refused"}, true)
	m, err := dlq.ParsePayloadMatch("$.n=7")
	if err != nil {
		t.Fatal(err)
	}
	for _, limit := range []int{1, 2, 100} {
		found, pages := 0, 0
		for after := (*driver.DeadCursor)(nil); ; pages++ {
			ls, next, err := dlq.Find(t.Context(), store, driver.DeadFilter{}, m, after, limit)
			if err != nil || len(ls) > limit {
				t.Fatalf("%d letters, error %v", len(ls), err)
			}
			if found += len(ls); next == nil {
				break
			}
			after = next
		}
		if found != 6 || pages < 2 {
			t.Errorf("found %d in %d pages of %d, want 6", found, pages, limit)
		}
	}
	if n, err := dlq.CountMatching(t.Context(), store, driver.DeadFilter{}, m); err != nil || !n.More || n.N < 2 || n.N > 3 {
		t.Errorf("%+v, error %v: it reads 2500 of 6000", n, err)
	}
}
