package sqlstore

import (
	"strings"
	"testing"

	"github.com/sendoff-go/outbox"
)

func TestRowsThatCannotBeReadSayWhy(t *testing.T) {
	for _, tt := range []struct {
		name      string
		cols      eventColumns
		checkJSON bool
		want      string // a part of the problem; "": none
	}{
		{"json", eventColumns{payload: data(`{}`)}, true, ""},
		{"bytes", eventColumns{bytes: data{}}, true, ""},
		{"no payload", eventColumns{}, true, "no payload"},
		{"two payloads", eventColumns{payload: data(`{}`), bytes: data{}}, true, "two payloads"},
		{"not JSON", eventColumns{payload: data(`{`)}, true, "not valid JSON"},
		{"not JSON, but the database has checked", eventColumns{payload: data(`{`)}, false, ""},
		{"empty text", eventColumns{payload: data{}}, false, "empty text"},
	} {
		if _, err := tt.cols.event(tt.checkJSON); (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: problem %v, expected %q", tt.name, err, tt.want)
		}
	}
	cols := eventColumns{payload: data(`{}`), headers: data(`[1]`)}
	if _, err := cols.event(true); err == nil {
		t.Error("headers that are not an object were read")
	}
}

func TestARowWithoutAnAggregateTypeIsGlobal(t *testing.T) {
	e, err := (&eventColumns{payload: data(`{}`)}).event(true)
	if err != nil || e.AggregateType != outbox.GlobalAggregate {
		t.Errorf("aggregate type %q, error %v", e.AggregateType, err)
	}
}
