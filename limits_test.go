package outbox_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/store/memstore"
)

func TestEventsAtTheirLimitsAreWritten(t *testing.T) {
	s := newStore()
	w := outbox.NewWriter(s)
	for name, e := range map[string]outbox.Event{
		"a payload of 1 MiB":        {Bytes: make([]byte, outbox.MaxPayload)},
		"no bytes":                  {Bytes: []byte{}},
		"JSON of 1 MiB":             {JSON: json.RawMessage(`"` + strings.Repeat("x", outbox.MaxPayload-2) + `"`)},
		"an id of 36 characters":    {ID: strings.Repeat("~", outbox.MaxIDLength), JSON: []byte(`1`)},
		"fields of wide characters": {AggregateType: strings.Repeat("🙂", outbox.MaxAggregateType), AggregateID: strings.Repeat("🙂", outbox.MaxAggregateID), TenantID: strings.Repeat("🙂", outbox.MaxTenantID), CorrelationID: strings.Repeat("🙂", outbox.MaxCorrelationID), TraceID: strings.Repeat("🙂", outbox.MaxTraceID), JSON: []byte(`1`)},
		"the replacement character": {TenantID: "\ufffd", JSON: []byte(`1`)},
		"the year 1000":             {OccurredAt: time.Date(1000, 1, 1, 0, 0, 0, 0, time.UTC), JSON: []byte(`1`)},
		"the year 9998":             {OccurredAt: time.Date(9998, 12, 31, 0, 0, 0, 0, time.UTC), AvailableAt: time.Date(9998, 1, 1, 0, 0, 0, 0, time.UTC), JSON: []byte(`1`)},
		"headers of almost 64 KiB":  {Headers: map[string]string{"h": strings.Repeat("x", outbox.MaxHeaders-8)}, JSON: []byte(`1`)},
	} {
		e.Type = strings.Repeat("é", outbox.MaxTypeLength)
		if _, err := write(t, w, e); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestEventsBeyondTheirLimitsAreRefused(t *testing.T) {
	one := json.RawMessage(`1`)
	long := func(n int) string { return strings.Repeat("🙂", n+1) }
	s := newStore()
	w := outbox.NewWriter(s)
	for name, tt := range map[string]struct {
		event outbox.Event
		says  string
	}{
		"no type":                   {outbox.Event{JSON: one}, "Type is empty"},
		"a long type":               {outbox.Event{Type: long(outbox.MaxTypeLength), JSON: one}, "Type has 129 characters"},
		"a long aggregate type":     {outbox.Event{AggregateType: long(outbox.MaxAggregateType), JSON: one}, "AggregateType has 65"},
		"a long aggregate id":       {outbox.Event{AggregateID: long(outbox.MaxAggregateID), JSON: one}, "AggregateID has 129"},
		"a long tenant":             {outbox.Event{TenantID: long(outbox.MaxTenantID), JSON: one}, "TenantID has 65"},
		"a long correlation id":     {outbox.Event{CorrelationID: long(outbox.MaxCorrelationID), JSON: one}, "CorrelationID has 129"},
		"a long trace id":           {outbox.Event{TraceID: long(outbox.MaxTraceID), JSON: one}, "TraceID has 129"},
		"a long id":                 {outbox.Event{ID: strings.Repeat("x", 37), JSON: one}, "ID has 37"},
		"an id with a space":        {outbox.Event{ID: "a b", JSON: one}, "byte 0x20 at 1"},
		"an id that is not ASCII":   {outbox.Event{ID: "é", JSON: one}, "printable ASCII"},
		"an id with DEL":            {outbox.Event{ID: "a\x7f", JSON: one}, "byte 0x7f"},
		"a NUL byte":                {outbox.Event{AggregateID: "a\x00", JSON: one}, "NUL byte at 1"},
		"invalid UTF-8":             {outbox.Event{TenantID: "a\xff", JSON: one}, "not valid UTF-8"},
		"no payload":                {outbox.Event{}, "no payload"},
		"two payloads":              {outbox.Event{JSON: one, Bytes: []byte{}}, "both set"},
		"a byte too much":           {outbox.Event{Bytes: make([]byte, outbox.MaxPayload+1)}, "1048577 bytes"},
		"too many bytes, not runes": {outbox.Event{JSON: json.RawMessage(`"` + strings.Repeat("é", outbox.MaxPayload/2) + `"`)}, "1048578 bytes"},
		"invalid JSON":              {outbox.Event{JSON: json.RawMessage(`{`)}, "not valid JSON"},
		"empty JSON":                {outbox.Event{JSON: json.RawMessage{}}, "not valid JSON"},
		"JSON of invalid UTF-8":     {outbox.Event{JSON: json.RawMessage("\"\xff\"")}, "not valid UTF-8"},
		"a header without a name":   {outbox.Event{Headers: map[string]string{"": "x"}, JSON: one}, "empty name"},
		"a header of invalid UTF-8": {outbox.Event{Headers: map[string]string{"h": "\xff"}, JSON: one}, "not valid UTF-8"},
		"headers beyond 64 KiB":     {outbox.Event{Headers: map[string]string{"h": strings.Repeat("\x01", outbox.MaxHeaders/6)}, JSON: one}, "at most 65536"},
		"two times":                 {outbox.Event{AvailableAt: time.Now(), DeliverAfter: 1, JSON: one}, "both set"},
		"a negative delay":          {outbox.Event{DeliverAfter: -1, JSON: one}, "negative"},
		"a delay of 200 years":      {outbox.Event{DeliverAfter: 200 * 365 * 24 * time.Hour, JSON: one}, "DeliverAfter is"},
		"the year 999":              {outbox.Event{OccurredAt: time.Date(999, 1, 1, 0, 0, 0, 0, time.UTC), JSON: one}, "year 999"},
		"due in the year 9999":      {outbox.Event{AvailableAt: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), JSON: one}, "year 9999"},
		"due before the year 1000":  {outbox.Event{AvailableAt: time.Date(-5, 1, 1, 0, 0, 0, 0, time.UTC), JSON: one}, "year -5"},
	} {
		if tt.event.Type == "" && name != "no type" {
			tt.event.Type = "T"
		}
		_, err := write(t, w, valid(), tt.event)
		if !errors.Is(err, outbox.ErrInvalidEvent) || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: error %v, expected ErrInvalidEvent that says %q", name, err, tt.says)
		}
	}
	if es := stored(t, s); len(es) > 0 {
		t.Errorf("%d events were stored", len(es))
	}
}

func TestUnknownTypesAreRefusedWhereTheTypesAreKnown(t *testing.T) {
	w := outbox.NewWriter(newStore(), outbox.WithKnownTypes("OrderPlaced"))
	if _, err := write(t, w, valid()); err != nil {
		t.Errorf("a known type: %v", err)
	}
	if _, err := write(t, w, outbox.Event{Type: "OrderPlaecd", JSON: []byte(`1`)}); !errors.Is(err, outbox.ErrUnknownType) {
		t.Errorf("error %v, expected ErrUnknownType", err)
	}
}

func TestAnIDTwiceInOneCallIsRefused(t *testing.T) {
	w := outbox.NewWriter(newStore())
	if _, err := write(t, w, named("x"), named("y"), named("x")); !errors.Is(err, outbox.ErrDuplicateID) {
		t.Errorf("error %v, expected ErrDuplicateID", err)
	}
}

func TestDefaultsAreFilledIn(t *testing.T) {
	s := newStore()
	w := outbox.NewWriter(s)
	before := time.Now().Truncate(time.Microsecond)
	written, err := write(t, w, valid())
	if err != nil {
		t.Fatal(err)
	}
	e := stored(t, s)[0]
	if e.ID != written[0] || len(e.ID) != 26 || e.AggregateType != outbox.GlobalAggregate {
		t.Errorf("id %q of aggregate type %q, expected a ULID and %q", e.ID, e.AggregateType, outbox.GlobalAggregate)
	}
	if e.OccurredAt.Before(before) || e.OccurredAt.After(time.Now()) || e.OccurredAt.Location() != time.UTC {
		t.Errorf("occurred at %s, expected now in UTC", e.OccurredAt)
	}
}

func TestAWriterMayAllowOtherPayloads(t *testing.T) {
	s := newStore()
	w := outbox.NewWriter(s, outbox.WithMaxPayload(10))
	for size, fits := range map[int]bool{10: true, 11: false} {
		err := w.InTx(t.Context(), func(ctx context.Context, tx *memstore.Tx) error {
			_, err := w.Write(ctx, tx, outbox.Event{Type: "T", Bytes: make([]byte, size)})
			return err
		})
		if fits != (err == nil) || (!fits && !strings.Contains(err.Error(), "at most 10")) {
			t.Errorf("%d bytes: error %v", size, err)
		}
	}
}
