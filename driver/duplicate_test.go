package driver_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func TestADuplicateIsNamedWithWhatToDo(t *testing.T) {
	one, many := []outbox.Event{{ID: "b"}}, []outbox.Event{{ID: "a"}, {ID: "b"}, {ID: "event_id"}}
	for _, tt := range []struct {
		events       []outbox.Event
		detail, want string
	}{
		{one, "", " b: "},
		{many, "Key (event_id)=(b) already exists.", " b: "},
		{many, "Duplicate entry 'b' for key 'outbox_event_id'", " b: "},
		{many, "", " one of a, b, event_id: "},
		{append(many, many...), "", " one of 6, beginning with a, b, event_id, a, b: "},
	} {
		cause := errors.New("raw words")
		err := driver.DuplicateID(tt.events, tt.detail, cause)
		if !errors.Is(err, outbox.ErrDuplicateID) || !errors.Is(err, cause) || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "WriteIfAbsent") {
			t.Errorf("%d events, detail %q: %v, expected %q and WriteIfAbsent", len(tt.events), tt.detail, err, tt.want)
		}
	}
	if err := driver.DuplicateID(one, "", nil); !errors.Is(err, outbox.ErrDuplicateID) || strings.Contains(err.Error(), "%!") {
		t.Errorf("without a cause: %v", err)
	}
}
