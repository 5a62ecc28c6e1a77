package sqlstore

import (
	"errors"
	"testing"

	"github.com/sendoff-go/outbox"
)

func TestRowsThatCannotBeReadSayWhy(t *testing.T) {
	for _, tt := range []struct {
		name      string
		cols      eventColumns
		checkJSON bool
		want      error
	}{
		{"json", eventColumns{payload: data(`{}`)}, true, nil},
		{"bytes", eventColumns{bytes: data{}}, true, nil},
		{"no payload", eventColumns{}, true, errNoPayload},
		{"two payloads", eventColumns{payload: data(`{}`), bytes: data{}}, true, errTwoPayloads},
		{"not JSON", eventColumns{payload: data(`{`)}, true, errNotJSON},
		{"not JSON, but the database has checked", eventColumns{payload: data(`{`)}, false, nil},
		{"empty text", eventColumns{payload: data{}}, false, errEmptyPayload},
	} {
		if _, err := tt.cols.event(tt.checkJSON); !errors.Is(err, tt.want) {
			t.Errorf("%s: problem %v, expected %v", tt.name, err, tt.want)
		}
	}
	cols := eventColumns{payload: data(`{}`), headers: data(`[1]`)}
	if _, err := cols.event(true); err == nil {
		t.Error("headers that are no object were read")
	}
}

func TestARowWithoutAnAggregateTypeIsGlobal(t *testing.T) {
	e, err := (&eventColumns{payload: data(`{}`)}).event(true)
	if err != nil || e.AggregateType != outbox.GlobalAggregate {
		t.Errorf("aggregate type %q, error %v", e.AggregateType, err)
	}
}
